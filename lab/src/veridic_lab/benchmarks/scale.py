"""Many chunks: what a search finds and how long it takes, in SQLite with FAISS and in PostgreSQL with pgvector.

Run: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.scale --out DIR --chunks 100000 [--postgres] [--memory 64MB …]`.
The chunks are real passages that come again under new titles, with their vectors and some noise, so that no two are the
same. What a search takes is told in seconds of the clock and of the processor that searches: the server's, or here. A
hundredth as many lie in a namespace of their own beside them; a scope holds a hundredth, too. Recall is how
many are found of the ten that comparing all vectors finds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from veridic.evidence.evidence import under_heading
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.knowledge.connection import Connection
from veridic.knowledge.ingest import Text
from veridic.knowledge.postgres.partitions import partition
from veridic.knowledge.ranking import match
from veridic.knowledge.vectors import name_embedder
from veridic.models.embedder import OnnxEmbedder
from veridic.ports.embedding import embedded
from veridic.text.hidden import clean
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.postgres import database, megabytes, postmaster, serving
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.training.pairs import find, read_rows

SETS = ("xquad_en", "hotpotqa_pool500", "musique", "nq_gold", "scifact")
ASKED = ("xquad_en", "hotpotqa_pool500", "musique", "nq_gold", "scifact")
QUESTIONS = 200
NOISE = 0.3
"""Length of what is added to a vector of length 1."""
PART = 100
"""One of so many chunks is in the scope; so much smaller is the second namespace."""
DEPTH, FOUND = 50, 10
"""How many a search by `Corpus` looks for, and how many are counted."""
DOCUMENT = "id, namespace, kind, status, sequence, title, url, media_type, content_hash, text, ingested_at, lineage"
CHUNK = (
    'document_id, namespace, kind, status, sequence, ordinal, start, "end", title, heading, location, text, embedding'
)
TABLES = (("documents", DOCUMENT, 0), ("chunks", CHUNK, 1))
CLOSE = 1e-6
"""Cosines that differ by less are the same."""
Vectors = NDArray[np.float32]
Pair = tuple[tuple[Any, ...], tuple[Any, ...]]
"""A row of a document and one of its chunk."""


@dataclass(frozen=True)
class Material:
    """Passages with their vectors, and questions with theirs."""

    texts: Sequence[Text]
    vectors: Vectors
    questions: Sequence[str]
    asked: Vectors

    @classmethod
    def of(cls, folder: Path, embedder: OnnxEmbedder) -> Material:
        """From the data, embedded once and kept in a folder."""
        data = Path(os.environ["VERIDIC_DATA"])
        texts = list({one.text: one for one in passages_of(data, SETS)}.values())
        rows = [
            clean(row["question"]) for name in ASKED for row in islice(read_rows(find(data, f"{name}.qa")), QUESTIONS)
        ]
        questions = rows[:: max(1, len(rows) // QUESTIONS)][:QUESTIONS]
        kept = folder / "vectors.npy"
        if not kept.exists():
            every = [under_heading(one.title, "", one.text) for one in texts]
            np.save(kept, np.vstack([embedded(embedder, every[at : at + 64]) for at in range(0, len(every), 64)]))
        return cls(texts, np.load(kept), questions, embedded(embedder, questions))

    def noisy(self, count: int) -> Vectors:
        """So many vectors: those of the texts again and again, each with noise of its own."""
        drawn = np.random.default_rng(0)
        made = np.empty((count, self.vectors.shape[1]), dtype=np.float32)
        for at in range(0, count, len(self.vectors)):
            some = self.vectors[: count - at]
            noise = drawn.standard_normal(some.shape, dtype=np.float32)
            noisy = some + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
            made[at : at + len(some)] = noisy / np.linalg.norm(noisy, axis=1, keepdims=True)
        return made

    def rows(self, namespace: str, vectors: Vectors) -> Iterator[Pair]:
        """A row of a document and one of its only chunk, for each vector."""
        for number, vector in enumerate(vectors):
            text = self.texts[number % len(self.texts)]
            name, title = f"{namespace}-{number}", f"{text.title} {number // len(self.texts)}"
            common = (namespace, "human", "active", 1)
            document = (title, f"/{number % PART}/{name}", "text/plain", name, text.text, "2026-01-01", "{}")
            yield (name, *common, *document), (name, *common, 0, 0, len(text.text), title, "", "", text.text, vector)


class Known:
    """An embedder that has embedded the questions already: its time is not the store's."""

    def __init__(self, embedder: OnnxEmbedder, material: Material) -> None:
        self.dimension, self.fingerprint = embedder.dimension, embedder.fingerprint
        self._known = dict(zip(material.questions, material.asked, strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions."""
        return np.stack([self._known[text] for text in texts])

    def know(self, *_told: object) -> None:
        """Nothing is remembered."""


def main() -> None:
    """Fill, search, tell."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--chunks", type=int, default=100_000)
    options.add_argument("--postgres", action="store_true")
    options.add_argument("--memory", nargs="*", default=(), help="maintenance_work_mem: an index is made with each")
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    embedder = OnnxEmbedder()
    material = Material.of(told.out, embedder)
    vectors = material.noisy(told.chunks)
    known, name = Known(embedder, material), f"scale_{told.chunks}"
    if not told.postgres:
        _measured(told.out / f"{name}.sqlite", known, material, vectors)
        say(
            f"memory of this process: {megabytes(os.getpid()):.0f} MB, {vectors.nbytes / 1e6:.0f} of them the measure's"
        )
        return
    folder = told.out / "postgres"
    with serving(folder) as address:
        _measured(database(address, name), known, material, vectors, told.memory)
        say(f"memory of the server: {megabytes(postmaster(folder)):.0f} MB")


def _measured(
    place: Path | str, known: Known, material: Material, vectors: Vectors, memories: Sequence[str] = ()
) -> None:
    small = material.noisy(len(vectors) // PART)
    for namespace, some in (("small", small), ("large", vectors)):
        with closing(open_knowledge(place, namespace, known)) as knowledge:
            if not knowledge.corpus.status().documents:
                _fill(place, knowledge, material, some)
            _search(knowledge, material, some, namespace)
    for memory in memories:
        _indexed(str(place), memory, known.dimension)
    with closing(open_knowledge(place, "large", known)) as knowledge:
        _search(knowledge, material, vectors[7::PART], "a scope of large", "/7")


def _fill(place: Path | str, knowledge: Knowledge, material: Material, vectors: Vectors) -> None:
    """Put all rows in, then make what searches by vectors, as after `veridic migrate`."""
    began = time.perf_counter()
    namespace = knowledge.corpus.namespace
    if isinstance(place, str):
        _copied(place, namespace, list(material.rows(namespace, vectors)))
    else:
        with knowledge.corpus.store.writing() as connection:
            for table, columns, which in TABLES:
                marks = ", ".join("?" * len(columns.split(", ")))
                rows = (tuple(map(_stored, pair[which])) for pair in material.rows(namespace, vectors))
                connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
    say(f"{namespace}: {len(vectors):,} chunks came in {time.perf_counter() - began:.0f} s")
    began = time.perf_counter()
    with knowledge.corpus.store.writing() as connection:
        name_embedder(connection, knowledge.corpus.embedder)
    if isinstance(place, str):
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(f"VACUUM ANALYZE veridic.{partition('chunks', namespace)}")
    say(f"{namespace}: index and statistics in {time.perf_counter() - began:.0f} s")
    say(f"{namespace}: {knowledge.corpus.store.size() / 1e6:.0f} MB on the disk")


def _stored(value: object) -> object:
    return value.astype("<f4").tobytes() if isinstance(value, np.ndarray) else value


def _copied(place: str, namespace: str, pairs: Sequence[Pair]) -> None:
    """By COPY into the namespace's partitions, which a superuser may."""
    with psycopg.connect(place) as connection, connection.cursor() as cursor:
        for table, columns, which in TABLES:
            statement = f"COPY veridic.{partition(table, namespace)} ({columns}) FROM STDIN"
            with cursor.copy(statement.encode()) as copy:
                for pair in pairs:
                    copy.write_row([str(one.tolist()) if isinstance(one, np.ndarray) else one for one in pair[which]])


def _indexed(place: str, memory: str, dimension: int) -> None:
    """Make another index of vectors with so much memory, tell what PostgreSQL says of it, and drop it."""
    told = list[str]()
    with psycopg.connect(place, autocommit=True) as connection:
        connection.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
        connection.execute("SELECT set_config('maintenance_work_mem', %s, false)", (memory,))
        began = time.perf_counter()
        connection.execute(
            f"CREATE INDEX measured ON veridic.{partition('chunks', 'large')} "
            f"USING hnsw ((embedding::halfvec({dimension})) halfvec_ip_ops)".encode()
        )
        say(f"an index with {memory} in {time.perf_counter() - began:.0f} s; {' '.join(told) or 'it fitted'}")
        connection.execute("DROP INDEX veridic.measured")


def _search(knowledge: Knowledge, material: Material, vectors: Vectors, where: str, *scope: str) -> None:
    """Ask every question, the index and the words apart and then both together."""
    corpus, took = knowledge.corpus.within(scope) if scope else knowledge.corpus, dict[str, list[float]]()
    best = np.argsort(-(material.asked @ vectors.T), axis=1)[:, :FOUND]
    nearest = np.take_along_axis(material.asked @ vectors.T, best, axis=1)[:, -1]
    found = []
    for question, vector, least in zip(material.questions, material.asked, nearest, strict=True):
        with corpus.store.reading() as connection:
            with timed(took, "scope", connection):
                members = corpus._scope.members(connection)
            with timed(took, "vectors", connection):
                [near] = corpus._index.search(connection, vector[None], DEPTH, members=members)
            with timed(took, "words", connection):
                match(connection, question, DEPTH, members=members)
        found.append(sum(cosine >= least - CLOSE for _, cosine in near[:FOUND]) / FOUND)
        with timed(took, "all"):
            corpus.search([question], limit=FOUND, deadline=inf)
    told = ", ".join(f"{name} {_middle(some)} ({_late(some)})" for name, some in took.items())
    say(f"{where}: recall@{FOUND} {100 * statistics.mean(found):.1f} %; ms p50 (p95): {told}")


@contextmanager
def timed(took: dict[str, list[float]], name: str, connection: Connection | None = None) -> Iterator[None]:
    """Note how many milliseconds the block takes, and where there is a connection, how many of the processor."""
    began, used = time.perf_counter(), _used(connection)
    yield
    took.setdefault(name, []).append(1000 * (time.perf_counter() - began))
    if connection:
        took.setdefault(f"{name} (CPU)", []).append(_used(connection) - used)


def _used(connection: Connection | None) -> float:
    """Milliseconds of the processor that PostgreSQL's process of a connection has used, or this one over a file."""
    session = getattr(connection, "session", None)
    if session is None:
        return 1000 * time.process_time()
    return int(Path(f"/proc/{session.info.backend_pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6


def _middle(some: Sequence[float]) -> str:
    return f"{statistics.median(some):.1f}"


def _late(some: Sequence[float]) -> str:
    return f"{sorted(some)[int(0.95 * len(some))]:.1f}"


if __name__ == "__main__":
    main()
