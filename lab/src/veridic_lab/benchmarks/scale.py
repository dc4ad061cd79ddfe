"""A large knowledge base on one machine: what it costs to build, to open, to search and to change.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.scale --chunks 100000`. The documents are the
passages of every `*.corpus` file, each once, until there are enough; each chunk is embedded, which takes about 15 ms.
What is measured after ingestion is measured in a process of its own, whose peak memory is told. Questions are those of
the `*.qa` files.
"""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, islice
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from veridic.knowledge import full_text
from veridic.knowledge.chunking import chunked
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.store import Store
from veridic.knowledge.vectors import DenseIndex
from veridic.models.openmp import let_threads_sleep
from veridic.resources import open_embedder
from veridic.settings import Settings
from veridic.text.hidden import clean
from veridic_lab.benchmarks.asking import say
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.training.pairs import find, fraction_of, read_rows

QUESTIONS = 200
CHANGES = 20
DEPTH = 50
"""Nearest chunks that a search asks of the index."""

T = TypeVar("T")
Told = dict[str, Any]


def main() -> None:
    """Print a table."""
    given = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    given.add_argument("--chunks", type=int, default=100_000)
    chosen, data = given.parse_args(), Path(os.environ["VERIDIC_DATA"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb.sqlite"
        told = alone(ingested, data, path, chosen.chunks)
        told |= alone(opening, path)
        told |= alone(searching, path, questions(data))
        told |= {f"{file.suffix[1:]} on disk MB": file.stat().st_size / 1e6 for file in sorted(path.parent.iterdir())}
        told |= alone(changing, path)
    for name, value in told.items():
        shown = " / ".join(f"{one:,.2f}" for one in value) if isinstance(value, list) else f"{value:,.3f}"
        say(f"| {name}{' (p50 / p95)' if isinstance(value, list) else ''} | {shown} |")


def alone(work: Callable[..., Told], *given: object) -> Told:
    """What `work` tells in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *given).result()


def documents(folder: Path, chunks: int) -> Iterator[Text]:
    """Passages of all sets, each once, until they have this many chunks."""
    names = sorted({path.name.partition(".corpus.")[0] for path in folder.rglob("*.corpus.jsonl*")})
    passages = {one.text: one for one in passages_of(folder, names)}.values()
    held = 0
    for one in sorted(passages, key=lambda one: fraction_of(one.url)):
        held += len(chunked(parse_text(clean(one.text))))
        yield one
        if held >= chunks:
            return


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
    return Corpus(Store(path), embedder)


def ingested(folder: Path, path: Path, chunks: int) -> Told:
    """The knowledge base made."""
    corpus = opened(path)
    texts, before = list(documents(folder, chunks)), peak()
    seconds, _ = timed(lambda: ingest_texts(texts, corpus))
    status = corpus.status()
    corpus.store.close()
    held = {"documents": status.documents, "chunks": status.active_chunks}
    return {**held, "ingestion s": seconds, "peak memory of ingestion MB": peak(), "of that before it MB": before}


def opening(path: Path) -> Told:
    """Taking the saved index."""
    corpus = opened(path)
    before = peak()
    seconds, _ = timed(corpus.save_index)
    return {"opening s": seconds, "peak memory open MB": peak(), "before opening MB": before}


def searching(path: Path, asked: Sequence[str]) -> Told:
    """Questions, and of each search what the embedder, the index, the words and all of it take."""
    corpus = opened(path)
    corpus.save_index()
    index = DenseIndex(corpus.store, corpus.embedder)
    taken: dict[str, list[float]] = {}

    def note(name: str, work: Callable[[], T]) -> T:
        seconds, given = timed(work)
        taken.setdefault(f"{name} ms", []).append(1000 * seconds)
        return given

    for one in asked:
        vector = note("embedding a query", partial(corpus.embedder.embed, [one]))
        with corpus.store.reading() as connection:
            note("index", partial(index.search, connection, vector, DEPTH))
            note("words", partial(full_text.match, connection, one, DEPTH))
        note("whole search", partial(corpus.search, [one], limit=10, deadline=inf))
    return spread(taken)


def changing(path: Path) -> Told:
    """One document added and one removed, each seen by a search."""
    corpus = opened(path)
    corpus.save_index()
    added, removed, seen = list[float](), list[float](), list[float]()
    for number in range(CHANGES):
        text = Text(f"added:{number}", f"Added {number}", f"The mill of Upper {number} was built in {1700 + number}.")
        for times, change in (
            (added, lambda text=text: ingest_texts([text], corpus)),
            (removed, lambda text=text: corpus.remove(text.url)),
        ):
            times.append(1000 * timed(change)[0])
            seen.append(1000 * timed(lambda: corpus.search(["mill"], limit=1, deadline=inf))[0])
    return spread({"one document added ms": added, "one removed ms": removed, "the search after either ms": seen})


def spread(taken: dict[str, list[float]]) -> Told:
    """Median and 95th percentile of each."""
    return {name: [float(np.quantile(times, q)) for q in (0.5, 0.95)] for name, times in taken.items()}


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds, and what came of it."""
    began = time.perf_counter()
    given = work()
    return time.perf_counter() - began, given


def peak() -> int:
    """The largest memory this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
