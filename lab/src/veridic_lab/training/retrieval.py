"""A knowledge base for training: passages cut, found and decomposed as the graph does it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from veridic.evidence.evidence import decompose, headed
from veridic.knowledge.base import open_knowledge
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.ports.embedding import Embedder
from veridic.ports.shapes import Passage as Found
from veridic_lab.training.sets import Passage

NEVER = float("inf")
SPARE = 4
"""Chunks that are asked for beyond the limit for each document that is left out."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a passage as the graph finds it."""

    key: str
    """Of the passage."""
    found: Found

    @property
    def text(self) -> str:
        """As the evaluator sees it."""
        return headed(self.found, self.found["text"])

    @property
    def strips(self) -> list[str]:
        """The windows that the graph decomposes it into, as the evaluator sees them."""
        return [headed(self.found, strip["text"]) for strip in decompose(self.found)]


class Pool:
    """Passages in a knowledge base, each under its key."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def search(
        self, questions: Sequence[str], *, limit: int, without: Sequence[frozenset[str]] = ()
    ) -> list[list[Chunk]]:
        """For each question the best chunks, none of the passages that it is to do without."""
        left_out = without or [frozenset[str]()] * len(questions)
        deepest = limit + SPARE * max((len(keys) for keys in left_out), default=0)
        found = self._corpus.search(questions, limit=deepest, deadline=NEVER)
        return [
            [Chunk(one["url"], one) for one in passages if one["url"] not in keys][:limit]
            for passages, keys in zip(found, left_out, strict=True)
        ]


@contextmanager
def pooled(corpora: Iterable[Mapping[str, Passage]], embedder: Embedder) -> Iterator[Pool]:
    """The passages of several corpora in a knowledge base that is gone afterwards."""
    with TemporaryDirectory(prefix="veridic-pool-") as folder:
        corpus = open_knowledge(Path(folder) / "pool.sqlite", "default", embedder).corpus
        texts = (
            Text(url=passage.key, title=passage.title, text=" ".join(passage.sentences))
            for passages in corpora
            for passage in passages.values()
        )
        ingest_texts(texts, corpus)
        yield Pool(corpus)


def passage_of(title: str, text: str) -> Found:
    """A text that was never in a knowledge base, as one that was found there."""
    return Found(
        id=text,
        document_id=text,
        kind="human",
        source="corpus",
        title=title,
        heading="",
        url="",
        location="",
        text=text,
        start=0,
        end=len(text),
        retrieved_at="",
        found_by="",
        score=None,
    )
