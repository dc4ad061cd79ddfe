"""Jobs: files that are queued in PostgreSQL, and taken in by workers that may be killed at any moment."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.cli.conftest import Veridic
from tests.cli.conftest import veridic as veridic
from tests.knowledge.postgres import fresh, made, named
from tests.knowledge.test_postgres import administrator
from veridic.api.documents import list_documents
from veridic.api.queueing import queue, queue_status, remove_jobs, retry_jobs, work
from veridic.errors import InvalidSetting, StoreMissing, StoreUnavailable, UsageError
from veridic.knowledge.base import open_store
from veridic.knowledge.jobs import Ended, JobCounts, Pace, open_jobs
from veridic.knowledge.postgres.migrations import jobs as tables
from veridic.server.app import app
from veridic.settings import Settings

pytestmark = pytest.mark.postgres

ROOT = Path(__file__).parents[2]
NOW = Pace(lost=0.0)
"""To whom every other worker is gone."""
SOON = 120.0
"""Seconds until a test gives up."""

WORKER = """
import os, signal, sys
from veridic.api.queueing import work
from veridic.knowledge import document_rows
from veridic.knowledge.jobs import Pace
from veridic.knowledge.postgres import working
from veridic.settings import Settings

chosen, grace = Settings.load(kb=sys.argv[1]), float(sys.argv[2])

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
"""

KILLED_WITHIN = """
put = document_rows.put

def put_and_die(connection, document, chunks, embeddings):
    withdrawn = put(connection, document, chunks, embeddings)
    if document.url.endswith("library.txt"):
        die()
    return withdrawn

document_rows.put = put_and_die
"""

KILLED_AFTER = """
note = working.Worker._note

async def die_or_note(self, job, path, taken_in):
    if path.endswith("library.txt"):
        die()
    await note(self, job, path, taken_in)

working.Worker._note = die_or_note
"""

WORK = """
work(settings=chosen, pace=Pace(grace=grace, poll=0.1))
"""


@pytest.fixture
def chosen(server: str) -> Settings:
    return Settings.load(kb=fresh(server))


@pytest.fixture
def files(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.iterdir())


def of(chosen: Settings, namespace: str) -> Settings:
    return chosen.model_copy(update={"namespace": namespace})


def worked(chosen: Settings, *namespaces: str, pace: Pace = NOW) -> list[Ended]:
    """What a worker told that took all that waited."""
    ended: list[Ended] = []
    work(settings=chosen, namespaces=namespaces, until_empty=True, tell=ended.append, pace=pace)
    return ended


def held(chosen: Settings) -> list[str]:
    return sorted(one.url for one in list_documents(settings=chosen))


def counts(chosen: Settings) -> JobCounts:
    return queue_status(settings=chosen).counts


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < ends


@contextmanager
def worker(chosen: Settings, code: str = "", grace: float = 20.0) -> Iterator["subprocess.Popen[str]"]:
    """A worker in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER + code + WORK, chosen.kb, str(grace)],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


class TestQueue:
    def test_what_is_queued_is_taken_in(self, chosen: Settings, folder: Path, files: Sequence[str]) -> None:
        report = queue(folder, settings=chosen)
        assert [one.path for one in report.jobs] == files
        assert (counts(chosen), held(chosen)) == (JobCounts(waiting=3), [])
        ended = worked(chosen)
        assert [(one.path, one.outcome, one.reason) for one in ended] == [(path, "added", "") for path in files]
        assert (counts(chosen), held(chosen)) == (JobCounts(done=3), files)
        newest = queue_status(settings=chosen, limit=1).jobs
        assert [(one.id, one.state, one.outcome, one.attempts) for one in newest] == [
            (report.jobs[-1].id, "done", "added", 1)
        ]

    def test_what_waits_is_not_queued_twice_and_what_is_done_may_be(
        self, chosen: Settings, folder: Path, files: Sequence[str]
    ) -> None:
        first, again = queue(folder, settings=chosen), queue(folder, files[0], settings=chosen)
        assert first.jobs == again.jobs
        worked(chosen)
        Path(files[0]).write_text("# Alder Bridge\n\nIt was closed in 1999.\n")
        assert not {one.id for one in queue(folder, settings=chosen).jobs} & {one.id for one in first.jobs}
        assert [one.outcome for one in worked(chosen)] == ["replaced", "unchanged", "unchanged"]
        assert held(chosen) == files

    def test_what_is_passed_over_or_missing_is_said(self, chosen: Settings, folder: Path) -> None:
        (folder / "picture.xyz").write_text("?")
        report = queue(folder, folder / "nowhere", settings=chosen)
        assert (len(report.jobs), report.passed.missing) == (3, [str(folder / "nowhere")])
        assert report.passed.skipped == [str(folder / "picture.xyz")]
        with pytest.raises(UsageError, match="address"):
            queue("https://example.org/a.html", settings=chosen)

    def test_a_bad_file_fails_with_its_reason_and_the_others_are_done(
        self, chosen: Settings, folder: Path, files: Sequence[str]
    ) -> None:
        bad, gone = folder / "a.pdf", folder / "gone.txt"
        bad.write_text("no pdf at all")
        gone.write_text("It is removed.")
        queue(folder, settings=chosen)
        gone.unlink()
        worked(chosen)
        assert (counts(chosen), held(chosen)) == (JobCounts(done=3, failed=2), list(files))
        failed = {one.path: one.reason for one in queue_status(state="failed", settings=chosen).jobs}
        assert failed.keys() == {str(bad), str(gone)}
        assert "It is corrupt" in failed[str(bad)]
        assert "No such file" in failed[str(gone)]

    def test_what_failed_is_queued_again_when_told(self, chosen: Settings, folder: Path) -> None:
        late = folder / "late.txt"
        late.write_text("The mill was built in 1820.")
        [job] = queue(late, settings=chosen).jobs
        late.unlink()
        worked(chosen)
        late.write_text("The mill was built in 1820.")
        assert retry_jobs([job.id + 1], settings=chosen) == []
        assert (retry_jobs([job.id], settings=chosen), retry_jobs(settings=chosen)) == ([job.id], [])
        assert [one.outcome for one in worked(chosen)] == ["added"]
        assert held(chosen) == [str(late)]

    def test_what_waits_can_be_removed(self, chosen: Settings, folder: Path, files: Sequence[str]) -> None:
        first, *_ = queue(folder, settings=chosen).jobs
        assert remove_jobs([first.id, 99], settings=chosen) == [first.id]
        worked(chosen)
        assert held(chosen) == list(files[1:])

    def test_before_anything_is_queued_nothing_is_made(self, server: str, chosen: Settings) -> None:
        with pytest.raises(StoreMissing):
            queue_status(settings=Settings.load(kb=made(server, "without_jobs")))
        assert queue_status(settings=chosen).jobs == []
        assert (retry_jobs(settings=chosen), remove_jobs([1], settings=chosen)) == ([], [])
        with administrator(chosen.kb) as connection:
            assert connection.execute("SELECT to_regclass('veridic.procrastinate_jobs')").fetchone() == (None,)


class TestNamespaces:
    def test_two_do_not_mix(self, chosen: Settings, files: Sequence[str]) -> None:
        ours, theirs = of(chosen, "ours"), of(chosen, "theirs")
        [mine] = queue(files[0], settings=ours).jobs
        [other] = queue(files[0], settings=theirs).jobs
        assert mine.id != other.id
        assert [one.id for one in queue_status(settings=ours).jobs] == [mine.id]
        assert remove_jobs([other.id], settings=ours) == []
        assert [one.namespace for one in worked(chosen, "theirs")] == ["theirs"]
        assert (counts(ours), counts(theirs)) == (JobCounts(waiting=1), JobCounts(done=1))
        assert (held(ours), held(theirs)) == ([], [files[0]])
        assert [one.namespace for one in worked(chosen)] == ["ours"]
        with pytest.raises(InvalidSetting):
            work(settings=chosen, namespaces=["*"])

    def test_a_select_without_where_sees_its_own_jobs_alone(self, chosen: Settings, files: Sequence[str]) -> None:
        for namespace in ("ours", "theirs"):
            queue(files[0], settings=of(chosen, namespace))
        worked(chosen)
        seen = {"procrastinate_jobs": 1, "procrastinate_events": 3, "job_outcomes": 1}
        with open_store(chosen.kb, "ours") as store, store.reading() as connection:
            for table, rows in seen.items():
                assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == rows, table
        with administrator(chosen.kb) as connection:
            connection.execute("SET ROLE veridic")
            for table in seen:
                assert connection.execute(f"SELECT * FROM {table}").fetchall() == [], table
            connection.execute("SET veridic.namespace = '*'")
            assert connection.execute("SELECT count(*) FROM procrastinate_jobs").fetchone() == (2,)
            assert connection.execute("SELECT * FROM documents").fetchall() == []

    def test_no_job_is_added_to_another_one(self, chosen: Settings, files: Sequence[str]) -> None:
        queue(files[0], settings=of(chosen, "theirs"))
        with (
            pytest.raises(StoreUnavailable, match="may not be used so"),
            open_jobs(chosen.kb, "ours") as jobs,
            jobs.store.changing() as connection,
        ):
            connection.execute("INSERT INTO procrastinate_jobs (queue_name, task_name) VALUES ('theirs', 'x')")


class TestWorkers:
    @pytest.mark.parametrize("code", [KILLED_WITHIN, KILLED_AFTER], ids=["within", "after"])
    def test_what_one_had_that_was_killed_is_done_by_another(
        self, chosen: Settings, folder: Path, files: Sequence[str], code: str
    ) -> None:
        queue(folder, settings=chosen)
        with worker(chosen, code) as process:
            assert process.wait(SOON) == -signal.SIGKILL
        assert (counts(chosen).done, counts(chosen).running, counts(chosen).waiting) == (1, 1, 1)
        again = worked(chosen)
        assert {one.path for one in again} == set(files[1:])
        assert (counts(chosen), held(chosen)) == (JobCounts(done=3), files)
        with administrator(chosen.kb) as connection:
            rows = connection.execute("SELECT count(*), count(DISTINCT (document_id, ordinal)) FROM chunks").fetchone()
            assert rows == (4, 4)

    def test_one_that_kills_its_worker_each_time_fails_with_that_reason(
        self, chosen: Settings, files: Sequence[str]
    ) -> None:
        [job] = queue(files[1], settings=chosen).jobs
        with administrator(chosen.kb) as connection:
            for _ in range(5):
                connection.execute("UPDATE procrastinate_jobs SET status = 'doing' WHERE status = 'todo'")
                worked(chosen, "nobody")
        [failed] = queue_status(settings=chosen).jobs
        assert (failed.id, failed.state, failed.attempts) == (job.id, "failed", 5)
        assert "Its worker ended" in failed.reason

    def test_one_that_lives_keeps_its_job(self, chosen: Settings, files: Sequence[str]) -> None:
        queue(files[0], settings=chosen)
        with open_store(chosen.kb) as store, worker(chosen), store.writing():
            until(lambda: counts(chosen).running == 1)
            assert worked(chosen, pace=Pace()) == []
            assert (counts(chosen).running, counts(chosen).workers) == (1, 1)

    def test_told_to_end_it_finishes_what_it_has(self, chosen: Settings, folder: Path, files: Sequence[str]) -> None:
        queue(folder, settings=chosen)
        with open_store(chosen.kb) as store, worker(chosen) as process:
            with store.writing():
                until(lambda: counts(chosen).running == 1)
                process.send_signal(signal.SIGTERM)
            assert process.wait(SOON) == 0
        assert (counts(chosen), held(chosen)) == (JobCounts(waiting=2, done=1), files[:1])

    def test_told_to_end_without_grace_it_gives_back_what_it_has(self, chosen: Settings, files: Sequence[str]) -> None:
        queue(files[0], settings=chosen)
        with open_store(chosen.kb) as store, worker(chosen, grace=0.0) as process:
            with store.writing():
                until(lambda: counts(chosen).running == 1)
                process.send_signal(signal.SIGTERM)
                until(lambda: counts(chosen).waiting == 1)
            assert process.wait(SOON) == 0
        assert [one.attempts for one in queue_status(settings=chosen).jobs] == [1]
        worked(chosen)
        assert (counts(chosen), held(chosen)) == (JobCounts(done=1), files[:1])

    def test_what_may_pass_is_tried_again(
        self, chosen: Settings, files: Sequence[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("veridic.knowledge.postgres.working.WAIT", 0)
        monkeypatch.setattr("veridic.knowledge.postgres.transactions.BUSY_SECONDS", 0.1)
        queue(files[0], settings=chosen)
        ended: list[Ended] = []
        with open_store(chosen.kb) as store, store.writing():
            ended += worked(chosen)
        assert ["locked by another writer" in one.reason for one in ended] == [True] * 5
        assert counts(chosen) == JobCounts(failed=1)
        retry_jobs(settings=chosen)
        assert [one.outcome for one in worked(chosen)] == ["added"]

    def test_several_take_each_job_once(self, chosen: Settings, tmp_path: Path) -> None:
        for number in range(20):
            (tmp_path / f"{number}.txt").write_text(f"Mill {number} was built in {1800 + number}.")
        queue(tmp_path, settings=chosen)
        with worker(chosen) as one, worker(chosen) as other:
            until(lambda: counts(chosen).done == 20)
            for process in (one, other):
                process.send_signal(signal.SIGTERM)
                assert process.wait(SOON) == 0
        assert {job.attempts for job in queue_status(settings=chosen).jobs} == {1}
        assert len(held(chosen)) == 20

    def test_one_whose_database_goes_away_says_so(self, server: str, chosen: Settings) -> None:
        name = chosen.kb.partition("?")[0].rpartition("/")[2]
        with worker(chosen, "working.CONNECT_SECONDS = 1") as process, administrator(server) as connection:
            until(lambda: counts(chosen).workers == 1)
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND backend_type = %s",
                (name, "client backend"),
            )
            _, told = process.communicate(timeout=SOON)
            assert (process.returncode, "StoreUnavailable: The worker broke off" in told) == (1, True)


class TestDoors:
    """What `veridic` and `veridic serve` say of a queue."""

    @pytest.fixture
    def program(self, veridic: Veridic, chosen: Settings, monkeypatch: pytest.MonkeyPatch) -> Veridic:
        monkeypatch.setenv("VERIDIC_KB", chosen.kb)
        return veridic

    def test_files_are_queued_taken_in_and_told_of(self, program: Veridic, folder: Path, files: Sequence[str]) -> None:
        (folder / "a.pdf").write_text("no pdf at all")
        assert program("ingest", "--queue", str(folder)).out == "4 jobs queued: 1 to 4\n"
        assert [one["id"] for one in json.loads(program("ingest", "--queue", "--json", files[0]).out)["jobs"]] == [2]
        (told,) = [line for line in program("doctor").out.splitlines() if line.startswith("warn queue")]
        assert told == "warn queue           4 waiting, 0 running, 0 done, 0 failed; 0 workers: run `veridic worker`"
        worked = program("worker", "--until-empty")
        assert worked.out.splitlines() == [f"{2 + at} {path}: added" for at, path in enumerate(files)]
        assert (worked.status, worked.err.count("\n"), "It is corrupt" in worked.err) == (0, 1, True)
        listed = program("jobs", "list")
        assert listed.out.splitlines()[0] == "0 waiting, 0 running, 3 done, 1 failed; 0 workers"
        assert "It is corrupt" in listed.out
        [failed] = json.loads(program("jobs", "list", "--state", "failed", "--json").out)["jobs"]
        assert (failed["id"], failed["path"], failed["outcome"]) == (1, str(folder / "a.pdf"), "")

    def test_jobs_are_tried_again_and_removed(self, program: Veridic, folder: Path) -> None:
        (folder / "a.pdf").write_text("no pdf at all")
        program("ingest", "--queue", "-q", str(folder))
        program("worker", "--until-empty", "-q")
        again = program("jobs", "retry", "1", "2")
        assert (again.status, again.out) == (1, "1 job queued again: 1\n")
        assert "Job 2 has not failed" in again.err
        assert program("jobs", "retry", "--all").out == "0 jobs queued again\n"
        assert program("jobs", "retry").status == 2
        assert program("jobs", "remove", "1", "2").out == "2 jobs removed: 1 to 2\n"
        assert program("jobs", "remove", "1").status == 1

    def test_who_manages_is_told_by_a_route(
        self, chosen: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("veridic.server.requests.own_settings", lambda: chosen)
        client = TestClient(app, base_url="http://127.0.0.1/veridic/", client=("127.0.0.1", 1))
        (folder / "a.pdf").write_text("no pdf at all")
        queue(folder, settings=chosen)
        assert client.get("jobs").json()["counts"] == asdict(JobCounts(waiting=4))
        worked(chosen)
        [failed] = client.get("jobs?state=failed").json()["jobs"]
        assert "It is corrupt" in failed["reason"]
        assert client.post(f"jobs/{failed['id']}/retry").json() == {"id": failed["id"]}
        assert client.get("jobs?state=waiting").json()["jobs"][0]["id"] == failed["id"]
        assert [client.post(f"jobs/{one}/retry").status_code for one in (2, "x", 10**30)] == [404, 404, 404]
        assert client.get("jobs?state=odd").status_code == 400


class TestTables:
    def test_a_role_without_any_power_may_own_them(self, server: str, files: Sequence[str]) -> None:
        with administrator(server) as connection:
            connection.execute("CREATE ROLE holder LOGIN")
            connection.execute("CREATE DATABASE of_holder OWNER holder")
        place = named(server, "of_holder")
        with administrator(place) as connection:
            connection.execute("CREATE EXTENSION vector")
        chosen = Settings.load(kb=place.replace("postgres:@", "holder@"))
        assert worked(chosen) == []
        queue(*files, settings=chosen)
        assert [one.outcome for one in worked(chosen)] == ["added"] * 3

    def test_a_newer_library_brings_them_up_to_date_once(
        self, chosen: Settings, files: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        queue(files[0], settings=chosen)
        shipped = Path(tables.SchemaManager.get_migrations_path())
        for path in shipped.glob("*.sql"):
            (tmp_path / path.name).write_text("SELECT broken")
        (tmp_path / "99.00.00_01_more.sql").write_text("CREATE TABLE more (id INT);")
        monkeypatch.setattr(tables.SchemaManager, "get_migrations_path", lambda: str(tmp_path))
        for path in files:
            queue(path, settings=chosen)
        with administrator(chosen.kb) as connection:
            assert connection.execute("SELECT to_regclass('veridic.more')").fetchone() != (None,)
        monkeypatch.undo()
        assert len(queue(*files, settings=chosen).jobs) == 3
        assert len(worked(chosen)) == 3
