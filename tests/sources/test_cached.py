"""What a source said is kept for a while, and never stands in a run's way."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from tests.fakes.source import FakeSource
from tests.sources.conftest import settings_for
from veridic.errors import DeadlineExceeded, SourceUnavailable
from veridic.ports.sources import Found
from veridic.sources import answers as file
from veridic.sources import open_sources
from veridic.sources.answers import Answers
from veridic.sources.cached import CachedSource
from veridic.sources.passages import Page
from veridic_lab.evaluation.world import Served

DAY = 86_400.0
SOURCE_NAMES = ("wikipedia", "arxiv", "web")
PAGE = Page("web:1", "Warsaw", "https://example.org/1", "Warsaw is the capital of Poland and lies on the Vistula.")
WALL = Page("web:2", "Warsaw", "https://example.org/2", "Please verify you are human to read of Warsaw.")


class FakeTime:
    def __init__(self) -> None:
        self.time = time.time()

    def now(self) -> float:
        return self.time


@pytest.fixture
def fake() -> FakeTime:
    return FakeTime()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "sources.sqlite"


Cache = Callable[..., CachedSource]


@pytest.fixture
def cache(path: Path, fake: FakeTime) -> Cache:
    def make(source: FakeSource, *place: str) -> CachedSource:
        return CachedSource(source, Answers(path, seconds=DAY, now=fake.now), place=place or ("default", "web", ""))

    return make


def ask(source: CachedSource, query: str = "Where is Warsaw?", limit: int = 3) -> Found:
    return source.search(query, limit=limit, deadline=time.time() + 10)


def rows(path: Path) -> int:
    with sqlite3.connect(path) as database:
        return int(database.execute("SELECT count(*) FROM answers").fetchone()[0])


def test_the_second_answer_is_the_first_one_and_says_so(cache: Cache) -> None:
    source = FakeSource("web", [PAGE, WALL])
    first, second = ask(cache(source)), ask(cache(source))
    assert source.queries == ["Where is Warsaw?"]
    assert (first.cached, second.cached) == (False, True)
    assert second.passages == first.passages
    assert second.discarded == first.discarded != []
    assert second.passages[0]["retrieved_at"] == first.passages[0]["retrieved_at"]


def test_an_answer_expires_and_is_removed(cache: Cache, fake: FakeTime, path: Path) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    fake.time += DAY - 1
    assert ask(cache(source)).cached
    fake.time += 2
    assert not ask(cache(source), "What is Warsaw?").cached
    assert rows(path) == 1
    assert not ask(cache(source)).cached


def test_an_answer_from_the_future_is_not_believed(cache: Cache, fake: FakeTime) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    fake.time -= 10
    assert not ask(cache(source)).cached


@pytest.mark.parametrize(
    "place",
    [("other", "web", ""), ("default", "wikipedia", ""), ("default", "web", "http://mirror"), ("default", "web")],
)
def test_no_namespace_source_or_address_meets_anothers_answers(cache: Cache, place: tuple[str, ...]) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    assert not ask(cache(source, *place)).cached


def test_another_query_or_limit_is_asked_anew(cache: Cache) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    assert not ask(cache(source), "where is warsaw").cached
    assert not ask(cache(source), limit=2).cached


@pytest.mark.parametrize("query", ["Who is the mayor of Warsaw today?", "latest news of Warsaw"])
def test_the_present_is_asked_anew(cache: Cache, path: Path, query: str) -> None:
    source = FakeSource("web", [PAGE])
    assert not ask(cache(source), query).cached
    assert not ask(cache(source), query).cached
    assert not path.exists()


def test_failures_and_answers_without_a_passage_are_not_kept(cache: Cache) -> None:
    broken = FakeSource("web", error=SourceUnavailable("It is down."))
    for _ in range(2):
        with pytest.raises(SourceUnavailable):
            ask(cache(broken))
    walled = FakeSource("web", [WALL])
    assert [ask(cache(walled)).cached for _ in range(2)] == [False, False]
    assert not ask(cache(FakeSource("web", [PAGE]))).cached


def test_what_broke_off_is_not_kept(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FakeSource("web", [PAGE])
    whole = source.search("Where is Warsaw?", limit=3, deadline=time.time() + 10)
    monkeypatch.setattr(source, "search", lambda query, *, limit, deadline: replace(whole, complete=False))
    assert [ask(cache(source)).cached for _ in range(2)] == [False, False]


def test_a_deadline_holds_for_the_cache_too(cache: Cache) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    with pytest.raises(DeadlineExceeded):
        cache(source).search("Where is Warsaw?", limit=3, deadline=time.time() - 1)


def test_only_its_owner_may_read_the_file(cache: Cache, path: Path) -> None:
    before = os.umask(0)
    try:
        ask(cache(FakeSource("web", [PAGE])))
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_was_asked_does_not_stand_in_the_file(cache: Cache, path: Path) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source), "Warsaw and my secret")
    assert b"Vistula" in path.read_bytes()
    assert b"secret" not in path.read_bytes()
    assert ask(cache(source), "Warsaw and my secret").passages[0]["found_by"] == "Warsaw and my secret"


@pytest.mark.parametrize(
    "content", [b"not a database at all, and rather long " * 40, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_damaged_file_begins_anew(cache: Cache, path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    source = FakeSource("web", [PAGE])
    assert [ask(cache(source)).cached for _ in range(3)][-1]


@pytest.mark.parametrize("answer", ["{broken", "[]", "{}", '"text"'])
def test_a_row_that_is_no_answer_is_asked_anew(cache: Cache, path: Path, answer: str) -> None:
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE answers SET answer = ?", (answer,))
    assert not ask(cache(source)).cached
    assert ask(cache(source)).cached


def test_a_place_that_cannot_be_written_costs_the_cache_only(cache: Cache, path: Path) -> None:
    path.parent.write_text("a file where the folder should be")
    source = FakeSource("web", [PAGE])
    assert [ask(cache(source)).passages[0]["title"] for _ in range(2)] == ["Warsaw", "Warsaw"]


def test_a_file_that_another_process_holds_costs_the_cache_only(
    cache: Cache, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "_PATIENCE", 0.0)
    source = FakeSource("web", [PAGE])
    ask(cache(source))
    with sqlite3.connect(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert not ask(cache(source)).cached
        other.rollback()
    assert ask(cache(source)).cached


def test_the_oldest_answers_make_room(
    cache: Cache, fake: FakeTime, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "MOST_ANSWERS", 3)
    source = FakeSource("web", [PAGE])
    for number in range(5):
        fake.time += 1
        ask(cache(source), f"Warsaw {number}")
    assert rows(path) == 3
    assert [ask(cache(source), f"Warsaw {number}").cached for number in (4, 3, 2)] == [True] * 3


def test_a_very_long_answer_is_not_kept(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "LONGEST_ANSWER", 100)
    source = FakeSource("web", [PAGE])
    assert [ask(cache(source)).cached for _ in range(2)] == [False, False]


def test_threads_share_the_file(cache: Cache) -> None:
    source = FakeSource("web", [PAGE])
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda number: ask(cache(source), f"Warsaw {number % 3}"), range(30)))
    assert all(answer.passages[0]["title"] == "Warsaw" for answer in found)
    assert all(ask(cache(source), f"Warsaw {number}").cached for number in range(3))


def test_what_is_written_at_once_by_the_same_clock_is_all_kept(tmp_path: Path) -> None:
    lost = []
    for turn in range(40):
        answers = Answers(tmp_path / f"{turn}.sqlite", seconds=DAY)
        together = Barrier(3)

        def write(name: str, answers: Answers = answers, together: Barrier = together) -> None:
            together.wait()
            answers.write([name], Found([], []))

        with ThreadPoolExecutor(3) as pool:
            list(pool.map(write, SOURCE_NAMES))
        lost += [name for name in SOURCE_NAMES if answers.read([name]) is None]
    assert lost == []


def test_processes_share_the_file(cache: Cache, path: Path) -> None:
    code = (
        "import sys, json; from pathlib import Path; from veridic.sources.answers import Answers;"
        "from veridic.ports import Found;"
        f"Answers(Path(sys.argv[1]), seconds={DAY}).write(json.loads(sys.argv[2]), Found([{{'title': 'theirs'}}], []))"
    )
    key = ["default", "web", "", "Where is Warsaw?", "3"]
    subprocess.run([sys.executable, "-c", code, str(path), json.dumps(key)], check=True)
    found = Answers(path, seconds=DAY).read(key)
    assert found is not None
    assert found.passages[0]["title"] == "theirs"


def test_sources_are_opened_with_it_unless_it_is_turned_off(served: Served, tmp_path: Path) -> None:
    settings = settings_for(served, sources=("wikipedia",), cache=tmp_path)
    for turns, expected in ((0, [False, False]), (24, [False, True])):
        usable, _ = open_sources(settings.model_copy(update={"cache_hours": turns}))
        found = [usable["wikipedia"].search("Warsaw", limit=1, deadline=time.time() + 10) for _ in range(2)]
        assert [answer.cached for answer in found] == expected
        assert (tmp_path / "sources.sqlite").exists() == (turns > 0)
