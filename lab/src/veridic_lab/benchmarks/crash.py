"""Kill -9 at random moments while three processes ingest, replace, remove and write back: what is lost, what is half.

Run from a checkout: `python -m veridic_lab.benchmarks.crash [--rounds 200] [--seed 7] [--out DIR]`. Each round three
processes work on one knowledge base until all are killed at a moment by lot, each at its own; then it is opened and
looked through. Every process writes into a file of its own, on the disk before it goes on, what it is about to do and
that it was done: done and not there is lost. Vectors are made by lot from the text, so that the time goes into the
store.
"""

import argparse
import json
import multiprocessing
import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from math import inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridic.evidence.evidence import cite_at
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.embeddings import unpacked
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.store import Store
from veridic.knowledge.vectors import DenseIndex
from veridic.ports.memory import AskedAgain, GeneratedRecord

WORKERS, ROUNDS = 3, 200
URLS = 12
"""Documents of a process; they are replaced and removed again and again."""
LONGEST = 1.5
"""Seconds until a process is killed, at most; counted from when all have begun."""
NAMESPACE = "default"
FOUND = ("lost", "half records", "chunks without document", "index is not the truth", "SQLite", "full text")
"""What there must be none of."""


class ByLot:
    """An embedder whose vectors follow from the text and mean nothing."""

    fingerprint = "by-lot-1"
    dimension = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors."""
        seeds = [int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") for text in texts]
        rows = [np.random.default_rng(seed).standard_normal(self.dimension) for seed in seeds]
        found = np.array(rows, dtype=np.float32).reshape(len(texts), self.dimension)
        return np.asarray(found / np.maximum(1e-9, np.linalg.norm(found, axis=1, keepdims=True)), dtype=np.float32)

    def know(self, *_told: object) -> None:
        """It remembers nothing."""


class Journal:
    """What a process is about to do, and has done; on the disk before the call returns."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")
        self._file.write(b"\n")  # what a kill tore off ends here

    def note(self, **told: Any) -> None:  # noqa: ANN401 - JSON
        """One line."""
        self._file.write(json.dumps(told).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


class Worker:
    """One of the processes, in one round."""

    def __init__(self, folder: Path, slot: int, seed: int) -> None:
        self._corpus = opened(folder)
        self._journal = Journal(folder / f"journal-{slot}")
        self._slot, self._rng, self._seed = slot, Random(seed), seed  # noqa: S311 - nothing is kept secret with it
        self._number = 0

    def run(self) -> None:
        """Go on until the end, which comes from outside."""
        while True:
            self._number += 1
            self._rng.choice(
                (self._ingest, self._ingest, self._remember, self._remember, self._refresh, self._remove)
            )()

    def _url(self) -> str:
        return f"doc:{self._slot}:{self._rng.randrange(URLS)}"

    def _ingest(self) -> None:
        url, mark = self._url(), f"{self._seed}-{self._number}"
        body = "\n\n".join(
            f"Part {at} of {url} is {mark}. " + "It is long. " * 60 for at in range(self._rng.randint(1, 4))
        )
        self._journal.note(begins="ingest", url=url, mark=mark)
        ingest_texts([Text(url, f"Title {url}", body)], self._corpus)
        self._journal.note(done="ingest", url=url, mark=mark)

    def _remove(self) -> None:
        url = self._url()
        self._journal.note(begins="remove", url=url, mark="")
        self._corpus.remove(url)
        self._journal.note(done="remove", url=url, mark="")

    def _remember(self) -> None:
        [found] = self._corpus.search([f"What is part {self._rng.random()}?"], limit=2, deadline=inf)
        if not found:
            return
        run_id = f"run-{self._seed}-{self._number}"
        cited = cite_at(found[0], found[0]["start"], found[0]["text"][:40])
        record = GeneratedRecord(
            run_id=run_id,
            question=f"What is {run_id}?",
            text=f"It is {run_id}, which says: {found[0]['text'][:40]}",
            status=self._rng.choice(("probation", "active", "review")),
            sources=[cited],
            scores={"grounding": 1.0},
            short_answer=run_id,
            seen=self._corpus.as_of(),
        )
        self._journal.note(begins="remember", run=run_id)
        identifier = self._corpus.remember(record, deadline=inf)
        self._journal.note(done="remember", run=run_id, id=identifier)

    def _refresh(self) -> None:
        known = [one for one in self._corpus.documents(kind="generated") if one.status in ("probation", "active")]
        if not known:
            return
        run_id, identifier = f"again-{self._seed}-{self._number}", self._rng.choice(known).id
        self._journal.note(begins="refresh", run=run_id, id=identifier)
        again = AskedAgain(run_id, [run_id], seen=self._corpus.as_of(), expires_at="", enough=3)
        self._corpus.refresh(identifier, again, deadline=inf)
        self._journal.note(done="refresh", run=run_id, id=identifier)


def opened(folder: Path) -> Corpus:
    """The knowledge base of the benchmark."""
    return Corpus(Store(folder / "kb.sqlite", NAMESPACE), ByLot())


def work(folder: Path, slot: int, seed: int, begun: Any) -> None:  # noqa: ANN401 - multiprocessing's barrier
    """What a process does."""
    worker = Worker(folder, slot, seed)
    begun.wait()
    worker.run()


def look(folder: Path, told: Any) -> None:  # noqa: ANN401 - multiprocessing's queue
    """Open the knowledge base as a new process does, and tell what is wrong with it."""
    corpus = opened(folder)
    found = {name: list(value) for name, value in zip(FOUND, _wrong(folder, corpus), strict=True)}
    told.put({**found, "in flight": _in_flight(folder), "held": corpus.status().documents})
    _settle(folder, corpus)


def _wrong(folder: Path, corpus: Corpus) -> Iterator[Iterator[str]]:
    with corpus.store.reading() as connection:
        yield _lost(folder, connection)
        yield _texts(connection, _HALF)
        yield _texts(connection, _ORPHANS)
        yield _index_is_wrong(corpus, connection)
    with closing(sqlite3.connect(folder / "kb.sqlite")) as raw:
        yield iter([row[0] for row in raw.execute("PRAGMA integrity_check") if row[0] != "ok"]
                   + [str(row) for row in raw.execute("PRAGMA foreign_key_check")])  # fmt: skip
        yield _full_text_is_wrong(raw)


_HALF = """
    SELECT documents.id FROM documents LEFT JOIN records ON records.document_id = documents.id
    WHERE documents.kind = 'generated' AND (
        records.document_id IS NULL
        OR NOT EXISTS (SELECT 1 FROM lineage WHERE lineage.document_id = documents.id)
        OR NOT EXISTS (SELECT 1 FROM record_events WHERE record_id = documents.id AND event = 'written')
        OR (documents.status IN ('active', 'probation', 'review')
            AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.document_id = documents.id))
    )
    UNION SELECT document_id FROM records WHERE document_id NOT IN (SELECT id FROM documents)
    UNION SELECT record_id FROM record_events WHERE event = 'written' AND record_id NOT IN (SELECT id FROM documents)
    UNION SELECT id FROM documents WHERE kind = 'human' AND id NOT IN (SELECT document_id FROM chunks)
"""
_ORPHANS = """
    SELECT CAST(id AS TEXT) FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)
    UNION SELECT chunks.document_id FROM chunks JOIN documents ON documents.id = chunks.document_id
    WHERE chunks.status != documents.status
"""


def _texts(connection: sqlite3.Connection, query: str) -> Iterator[str]:
    return iter([str(row[0]) for row in connection.execute(query).fetchall()])


def _lost(folder: Path, connection: sqlite3.Connection) -> Iterator[str]:
    """What was done and is not there; of what a process was about to do when it was killed either outcome is right."""
    events = {(row[0], row[1]) for row in connection.execute("SELECT record_id, run_id FROM record_events")}
    held = {row[0]: row[1] for row in connection.execute("SELECT url, text FROM documents WHERE kind = 'human'")}
    for slot in range(WORKERS):
        for line in _lines(folder, slot):
            if "done" in line and "run" in line and (line["id"], line["run"]) not in events:
                yield f"{line['done']} {line['run']}"
        for url, marks in _wanted(folder, slot).items():
            if not any(_stands(mark, held.get(url)) for mark in marks):
                yield f"{url}: {sorted(marks)}"


def _wanted(folder: Path, slot: int) -> dict[str, set[str]]:
    """By document what it may say: the mark of what was done last and of what was begun since; empty: it is gone."""
    wanted: dict[str, set[str]] = {}
    for line in _lines(folder, slot):
        if "url" in line:
            before = set[str]() if "done" in line else wanted.get(line["url"], {""})
            wanted[line["url"]] = before | {line["mark"]}
    return wanted


def _stands(mark: str, text: str | None) -> bool:
    return text is not None and f" is {mark}. " in text if mark else text is None


def _settle(folder: Path, corpus: Corpus) -> None:
    """Write down which outcome was seen of what was begun and not done: from now on it is the only right one."""
    held = {one.url: corpus.text_of(one.id) for one in corpus.documents(kind="human")}
    for slot in range(WORKERS):
        journal = Journal(folder / f"journal-{slot}")
        for url, marks in _wanted(folder, slot).items():
            seen = [mark for mark in marks if _stands(mark, held.get(url))]
            if len(marks) > 1 and seen:
                journal.note(done="seen", url=url, mark=seen[0])


def _lines(folder: Path, slot: int) -> list[dict[str, Any]]:
    """The whole lines of a process's file; the last one may be torn."""
    file = folder / f"journal-{slot}"
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line.endswith(b"}")]


def _in_flight(folder: Path) -> int:
    """How many processes were killed between the beginning of something and its end."""
    last = [lines[-1] for slot in range(WORKERS) if (lines := _lines(folder, slot))]
    return sum("begins" in one for one in last)


def _index_is_wrong(corpus: Corpus, connection: sqlite3.Connection) -> Iterator[str]:
    """Ids that the dense index and the active chunks do not share, and vectors that are not the stored ones."""
    rows = connection.execute(
        "SELECT id, embedding FROM chunks WHERE status = 'active' AND kind != 'outside'"
    ).fetchall()
    if not rows:
        return
    stored = {
        row["id"]: vector for row, vector in zip(rows, unpacked([row["embedding"] for row in rows], 64), strict=True)
    }
    index = DenseIndex(corpus.store, corpus.embedder)
    near = index.search(connection, np.array(list(stored.values()), dtype=np.float32), 2 * len(stored))
    yield from (f"chunk {one}" for one in {chunk for chunk, _ in near[0]} ^ set(stored))
    own = {chunk: dict(found).get(chunk, 0.0) for chunk, found in zip(stored, near, strict=True)}
    yield from (f"vector of chunk {one}" for one, cosine in own.items() if cosine < 0.999)


def _full_text_is_wrong(raw: sqlite3.Connection) -> Iterator[str]:
    try:
        raw.execute("INSERT INTO chunk_words (chunk_words, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        yield str(error)
    raw.rollback()


def killed(folder: Path, rng: Random, forked: Any) -> None:  # noqa: ANN401 - multiprocessing's context
    """One round: three processes, each killed at a moment of its own."""
    begun = forked.Barrier(WORKERS + 1)
    workers = [forked.Process(target=work, args=(folder, slot, rng.getrandbits(32), begun)) for slot in range(WORKERS)]
    for one in workers:
        one.start()
    begun.wait(timeout=60)
    start, moments = time.monotonic(), sorted(rng.uniform(0.0, LONGEST) for _ in workers)
    for one, moment in zip(workers, moments, strict=True):
        time.sleep(max(0.0, start + moment - time.monotonic()))
        if one.exitcode is not None:
            raise RuntimeError(f"a process ended by itself with {one.exitcode}")
        os.kill(one.pid, signal.SIGKILL)
        one.join()


def looked(folder: Path, forked: Any) -> dict[str, Any]:  # noqa: ANN401 - multiprocessing's context
    """What a process that opens it afterwards finds."""
    told = forked.Queue()
    looking = forked.Process(target=look, args=(folder, told))
    looking.start()
    found: dict[str, Any] = told.get(timeout=120)
    looking.join()
    return found


def main() -> None:
    """Go through the rounds and print what was found."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--out", type=Path, help="A folder that is kept; else a temporary one")
    told = options.parse_args()
    with TemporaryDirectory() as temporary:
        folder = told.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        run(folder, told.rounds, Random(told.seed))  # noqa: S311 - nothing is kept secret with it


def run(folder: Path, rounds: int, rng: Random) -> None:
    """All rounds. The parent opens nothing itself: what a process inherits is code alone."""
    forked, began, counted = multiprocessing.get_context("fork"), time.monotonic(), Counter[str]()
    for number in range(1, rounds + 1):
        killed(folder, rng, forked)
        found = looked(folder, forked)
        counted["in flight"] += found["in flight"]
        for name in FOUND:
            counted[name] += bool(found[name])
            if found[name]:
                say(f"round {number}, {name}: {found[name][:5]}")
        if number % 20 == 0 or number == rounds:
            shown = ", ".join(f"{name} {counted[name]}" for name in FOUND)
            say(f"{number} rounds, {time.monotonic() - began:.0f} s, {found['held']} documents; rounds with: {shown}")
    done = Counter(line["done"] for slot in range(WORKERS) for line in _lines(folder, slot) if "done" in line)
    left = [one.name for one in folder.iterdir() if one.name.endswith(".tmp")]
    say(f"done: {dict(done)}; killed in the middle of one: {counted['in flight']} of {WORKERS * rounds}")
    say(f"unfinished files left beside: {len(left)}, {sum((folder / one).stat().st_size for one in left)} bytes")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
