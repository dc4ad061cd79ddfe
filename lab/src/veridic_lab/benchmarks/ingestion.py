"""How fast documents go in, beside the embedder's own speed on the same chunks.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.ingestion --documents 1600`. Half of the
documents are of Natural Questions, half of SciFact, once as texts and once as Markdown files. The embedder alone gets
the same chunks in batches of the same size. The runs take turns, so that what else the machine does meets all of them;
each begins with an embedder that remembers nothing. Processor time, that of the files' reader included, depends less on
what else the machine does: its share is the speed to be had where all processors are at work. The table is Markdown.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from veridic.knowledge.chunking import chunked
from veridic.knowledge.clock import now
from veridic.knowledge.documents import Document
from veridic.knowledge.ingest import Text, ingest, ingest_texts
from veridic.knowledge.intake import BATCH_CHUNKS
from veridic.knowledge.opening import Knowledge, open_knowledge
from veridic.knowledge.readers.plain import parse_text
from veridic.models.by_settings import open_embedder
from veridic.settings import Settings
from veridic_lab.evaluation.merged import passages_of


@dataclass(frozen=True)
class Spent:
    """What a run took."""

    seconds: float
    processor_seconds: float


def texts(folder: Path, count: int) -> list[Text]:
    """The documents."""
    first = list(passages_of(folder, ["nq_gold"]))[: count // 2]
    return first + list(passages_of(folder, ["scifact"]))[: count - len(first)]


def opened(folder: str) -> Knowledge:
    """A new knowledge base, its embedder's weights loaded."""
    knowledge = open_knowledge(Path(folder) / "kb.sqlite", "default", open_embedder(Settings.load()))
    knowledge.corpus.embedder.embed(["warm"])
    return knowledge


def alone(documents: Sequence[Text]) -> Spent:
    """What it costs that the embedder alone embeds them."""
    parsed = []
    for number, one in enumerate(documents):
        read = parse_text(one.text)
        made = Document(f"{number}", "human", "active", one.title, one.url, "text/plain", "", read.text, now())
        parsed.append((made, chunked(read)))
    with tempfile.TemporaryDirectory() as folder:
        knowledge = opened(folder)
        spent = _spent(lambda: knowledge.corpus.prepare(parsed, batch=BATCH_CHUNKS))
        knowledge.close()
    return spent


def taken_in(documents: Sequence[Text]) -> Spent:
    """What it costs that the documents go in as texts."""
    return _timed(lambda _: lambda knowledge: ingest_texts(documents, knowledge.corpus))


def taken_in_as_files(documents: Sequence[Text]) -> Spent:
    """What it costs that they go in as Markdown files, the start of their reader included."""

    def written(folder: Path) -> Callable[[Knowledge], object]:
        for number, one in enumerate(documents):
            (folder / f"{number:06}.md").write_text(f"# {one.title}\n\n{one.text}\n")
        return lambda knowledge: ingest([folder], knowledge.corpus)

    return _timed(written)


def _timed(prepared: Callable[[Path], Callable[[Knowledge], object]]) -> Spent:
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder) / "documents"
        documents.mkdir()
        go = prepared(documents)
        knowledge = opened(folder)
        spent = _spent(lambda: go(knowledge))
        knowledge.close()
    return spent


def _spent(work: Callable[[], object]) -> Spent:
    began, used = time.perf_counter(), sum(os.times()[:4])
    work()
    return Spent(time.perf_counter() - began, sum(os.times()[:4]) - used)


def main() -> None:
    """Print the medians; shares are of the embedder's run in the same round."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--data", type=Path, default=os.environ.get("VERIDIC_DATA"), help="else VERIDIC_DATA")
    given.add_argument("--documents", type=int, default=1600)
    given.add_argument("--rounds", type=int, default=5)
    chosen = given.parse_args()
    if chosen.data is None:
        given.error("name the data folder with --data or VERIDIC_DATA")
    documents = texts(chosen.data, chosen.documents)
    ways = {"the embedder alone": alone, "as texts": taken_in, "as files": taken_in_as_files}
    spent: dict[str, list[Spent]] = {name: [] for name in ways}
    for _ in range(chosen.rounds):
        for name, way in ways.items():
            spent[name].append(way(documents))
    chunks = sum(len(chunked(parse_text(one.text))) for one in documents)
    sys.stdout.write("| way | chunks/s | of the embedder's speed | of that by processor time |\n|---|---|---|---|\n")
    for name, found in spent.items():
        pairs = list(zip(spent["the embedder alone"], found, strict=True))
        speed = median(own.seconds / one.seconds for own, one in pairs)
        work = median(own.processor_seconds / one.processor_seconds for own, one in pairs)
        rate = chunks / median(one.seconds for one in found)
        sys.stdout.write(f"| {name} | {rate:.0f} | {speed:.1%} | {work:.1%} |\n")


if __name__ == "__main__":
    main()
