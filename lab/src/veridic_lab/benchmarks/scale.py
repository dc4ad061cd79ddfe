"""A large knowledge base on one machine: what it costs to build, to open, to search and to change.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.scale --chunks 100000 --real 20000`. The
documents are the passages of every `*.corpus` file, each once, then again with other names and numbers until there are
enough. The first `--real` chunks are embedded; of each further one the vector is that of one of those, mixed with as
much unit noise as `NOISE` says and made a unit vector, and the output says so. With `--real 0` all are embedded. What
is measured after ingestion is measured in a process of its own, whose peak memory is told. Questions are those of the
`*.qa` files.
"""

import argparse
import json
import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, count, islice
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from veridic.knowledge import index_file, lexical
from veridic.knowledge.chunking import chunked
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.store import Store
from veridic.knowledge.vector_index import NEAREST
from veridic.models.by_settings import open_embedder
from veridic.models.openmp import let_threads_sleep
from veridic.ports.embedding import Embedder
from veridic.settings import Settings
from veridic.text.hidden import clean
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.training.pairs import find, fraction_of, read_rows

NOISE = 0.5
QUESTIONS = 200
CHANGES = 20
DEPTH = 50
"""Nearest chunks that a search asks of the index."""
_NAME_OR_NUMBER = re.compile(r"\b(?:\d+|[A-Z][a-z]{3,})\b")

T = TypeVar("T")
Told = dict[str, Any]


class PartlyReal:
    """Embeds the first texts; gives each further one a noisy copy of a vector it gave before."""

    def __init__(self, embedder: Embedder, real: int) -> None:
        """With `real` 0 all texts are embedded."""
        self._embedder = embedder
        self._real = real
        self._given: list[NDArray[np.float32]] = []
        self._lot = np.random.default_rng(7)
        self.seconds = 0.0
        self.copied = 0

    fingerprint = property(lambda self: self._embedder.fingerprint)
    dimension = property(lambda self: self._embedder.dimension)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder`."""
        began = time.perf_counter()
        held = sum(map(len, self._given))
        if self._real and held >= self._real:
            self.copied += len(texts)
            return self._noisy(len(texts))
        vectors = self._embedder.embed(texts)
        self._given.append(vectors)
        self.seconds += time.perf_counter() - began
        return vectors

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """See `Embedder`."""

    def _noisy(self, many: int) -> NDArray[np.float32]:
        self._given = [np.concatenate(self._given)] if len(self._given) > 1 else self._given
        noise = self._lot.standard_normal((many, self.dimension))
        drawn = self._given[0][self._lot.integers(0, len(self._given[0]), many)]
        mixed = drawn + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        return (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)


def documents(folder: Path, chunks: int) -> Iterator[Text]:
    """Passages until they have this many chunks; those of a later round have other names and numbers."""
    names = sorted({path.name.partition(".corpus.")[0] for path in folder.rglob("*.corpus.jsonl*")})
    passages = list({one.text: one for one in passages_of(folder, names)}.values())
    passages.sort(key=lambda one: fraction_of(one.url))  # of all sets, also where the first alone are embedded
    held = 0
    for turn in count():
        for one in passages:
            text = altered(one.text, turn)
            held += len(chunked(parse_text(clean(text))))
            yield Text(f"{one.url}#{turn}", altered(one.title, turn), text)
            if held >= chunks:
                return


def altered(text: str, turn: int) -> str:
    """The text with other names and numbers, others in each turn but the first."""

    def other(found: re.Match[str]) -> str:
        word = found.group()
        if word.isdigit():
            return str(int(word) + turn)
        at = turn % (len(word) - 1) + 1
        return (word[at:] + word[:at]).capitalize()

    return _NAME_OR_NUMBER.sub(other, text) if turn else text


def questions(folder: Path) -> list[str]:
    """Questions of several sets, as many of each."""
    names = ("nq_gold", "hotpotqa", "scifact", "stackexchange")
    rows = (islice(read_rows(find(folder, f"{name}.qa")), QUESTIONS // len(names)) for name in names)
    return [row["question"] for row in chain(*rows)]


def opened(path: Path) -> Corpus:
    """The corpus, its embedder's weights loaded."""
    let_threads_sleep()
    embedder = open_embedder(Settings.load())
    embedder.embed(["warm"])
    return Corpus(Store(path), "default", embedder)


def rebuilding(path: Path) -> Told:
    """Making the index anew, and saving it."""
    path.with_name(f"{path.name}.default.index").unlink()
    corpus = opened(path)
    seconds, status = timed(corpus.status)
    return {"index": status.search, "index build s": seconds, "peak memory while building MB": peak()}


def opening(path: Path) -> Told:
    """Taking the saved index."""
    import faiss  # noqa: F401 - that a library loads is not what is measured

    corpus = opened(path)
    before = peak()
    seconds, _ = timed(corpus.save_index)
    return {"opening s": seconds, "peak memory open MB": peak(), "before opening MB": before}


def searching(path: Path, asked: Sequence[str]) -> Told:
    """Questions, and of each search what the embedder, the index, the words and all of it take."""
    corpus = opened(path)
    corpus.save_index()
    saved = index_file.load(path.with_name(f"{path.name}.default.index"))
    if saved is None:
        raise RuntimeError("the index was not saved")
    index, _ = saved
    taken: dict[str, list[float]] = {}

    def note(name: str, work: Callable[[], T]) -> T:
        seconds, given = timed(work)
        taken.setdefault(name, []).append(1000 * seconds)
        return given

    found = []
    for one in asked:
        vector = note("embedding a query", lambda one=one: corpus.embedder.embed([one]))
        note("index", lambda vector=vector: index.nearest(vector, DEPTH))
        note("index, exact", lambda vector=vector: index.searched(vector, DEPTH, index.layout.lists))
        exact = index.searched(vector, NEAREST, index.layout.lists)[0][0]
        found.append(np.mean([cosine >= exact[-1] - 1e-6 for _, cosine in index.nearest(vector, NEAREST)[0]]))
        with corpus.store.reading() as connection:
            note("words", lambda one=one, held=connection: lexical.match(held, "default", one, DEPTH))
        note("whole search", lambda one=one: corpus.search([one], limit=10, deadline=inf))
    spread = {f"{name} ms": [float(np.quantile(row, q)) for q in (0.5, 0.95)] for name, row in taken.items()}
    return {"recall@10 of questions": float(np.mean(found)), **spread}


def changing(path: Path) -> Told:
    """One document added and one removed, each seen by a search."""
    corpus = opened(path)
    corpus.save_index()
    added, removed, seen = [], [], []
    for number in range(CHANGES):
        text = Text(f"added:{number}", f"Added {number}", f"The mill of Upper {number} was built in {1700 + number}.")
        added.append(timed(lambda text=text: ingest_texts([text], corpus))[0])
        seen.append(timed(lambda: corpus.search(["mill"], limit=1, deadline=inf))[0])
        removed.append(timed(lambda text=text: corpus.remove(text.url))[0])
        seen.append(timed(lambda: corpus.search(["mill"], limit=1, deadline=inf))[0])
    parts = {"one document added": added, "one removed": removed, "the search after either": seen}
    return {f"{name} ms": [1000 * float(np.quantile(row, q)) for q in (0.5, 0.95)] for name, row in parts.items()}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds, and what came of it."""
    began = time.perf_counter()
    given = work()
    return time.perf_counter() - began, given


def peak() -> int:
    """The largest memory this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def ingested(folder: Path, path: Path, chunks: int, real: int) -> Told:
    """The knowledge base made."""
    let_threads_sleep()
    embedder = PartlyReal(open_embedder(Settings.load()), real)
    corpus = Corpus(Store(path), "default", embedder)
    texts = list(documents(folder, chunks))
    before = peak()
    seconds, _ = timed(lambda: ingest_texts(texts, corpus))
    status = corpus.status()
    corpus.store.close()
    return {
        "documents": status.documents,
        "chunks": status.active_chunks,
        "of them with a noisy copy of a vector": embedder.copied,
        "ingestion s": seconds,
        "of that in the embedder s": embedder.seconds,
        "peak memory of ingestion MB": peak(),
        "of that before it MB": before,
    }


def alone(work: Callable[..., Told], *given: object) -> Told:
    """What `work` tells in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *given).result()


def main() -> None:
    """Print a table, and the same as JSON."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--data", type=Path, default=os.environ.get("VERIDIC_DATA"), help="else VERIDIC_DATA")
    given.add_argument("--chunks", type=int, default=100_000)
    given.add_argument("--real", type=int, default=20_000, help="chunks that are embedded; 0: all")
    chosen = given.parse_args()
    if chosen.data is None:
        given.error("name the data folder with --data or VERIDIC_DATA")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb.sqlite"
        told = alone(ingested, chosen.data, path, chosen.chunks, chosen.real)
        told |= alone(rebuilding, path)
        told |= alone(opening, path)
        told |= alone(searching, path, questions(chosen.data))
        told |= {f"{file.suffix[1:]} on disk MB": file.stat().st_size / 1e6 for file in sorted(path.parent.iterdir())}
        told |= alone(changing, path)
    for name, value in told.items():
        shown = " / ".join(f"{one:,.2f}" for one in value) if isinstance(value, list) else f"{value}"
        shown = f"{value:,.3f}" if isinstance(value, float) else shown
        sys.stdout.write(f"| {name}{' (p50 / p95)' if isinstance(value, list) else ''} | {shown} |\n")
    sys.stdout.write(f"{json.dumps(told)}\n")


if __name__ == "__main__":
    main()
