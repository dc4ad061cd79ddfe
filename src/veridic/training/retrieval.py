"""The retriever in small: chunks, cosine and BM25 rankings fused."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridic.text.sentences import windows
from veridic.training.made import Passage
from veridic.training.mining import Embed
from veridic.training.pairs import normalised

CHUNK_WORDS = 200
FUSION = 60
K1, B = 1.2, 0.75
"""BM25's."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a passage as the evaluator sees it."""

    passage: str
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """Title line and text."""
        body = " ".join(self.sentences)
        return f"{self.title}\n{body}" if self.title else body


def chunks_of(passage: Passage) -> list[Chunk]:
    """Runs of whole sentences of at most 200 words; a longer sentence stands alone."""
    runs: list[list[str]] = [[]]
    for sentence in passage.sentences:
        words = sum(len(s.split()) for s in runs[-1]) + len(sentence.split())
        if runs[-1] and words > CHUNK_WORDS:
            runs.append([])
        runs[-1].append(sentence)
    return [Chunk(passage.key, passage.title, tuple(run)) for run in runs if run]


def strips_of(chunk: Chunk) -> list[str]:
    """The sentence windows the graph decomposes a chunk into, each under the title line."""
    head = f"{chunk.title}\n" if chunk.title else ""
    return [head + window.text for window in windows(" ".join(chunk.sentences))]


class Index:
    """Chunks that can be searched; passages can be left out of a search."""

    def __init__(self, chunks: Sequence[Chunk], vectors: NDArray[np.float32]) -> None:
        self.chunks = chunks
        self._vectors = vectors
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = np.ones(len(chunks))
        for number, chunk in enumerate(chunks):
            words = Counter(normalised(chunk.text).split())
            lengths[number] = words.total()
            for word, count in words.items():
                postings[word].append((number, count))
        self._postings = {word: np.array(found).T for word, found in postings.items()}
        self._norm = K1 * (1 - B + B * lengths / lengths.mean())

    @classmethod
    def build(cls, corpora: Sequence[Mapping[str, Passage]], embed: Embed) -> Index:
        """Chunk and embed every passage."""
        chunks = [c for corpus in corpora for passage in corpus.values() for c in chunks_of(passage)]
        return cls(chunks, embed([chunk.text for chunk in chunks]))

    def search(self, question: str, vector: NDArray[np.float32], *, without: frozenset[str], limit: int) -> list[Chunk]:
        """The best chunks by reciprocal rank fusion of cosine and BM25."""
        fused: Counter[int] = Counter()
        for scores in (self._vectors @ vector, self._bm25(question)):
            best = np.argpartition(-scores, min(limit * 5, len(scores) - 1))[: limit * 5]
            ranked = [int(i) for i in best[np.argsort(-scores[best])] if self.chunks[i].passage not in without]
            for place, number in enumerate(ranked):
                fused[number] += 1 / (FUSION + place)  # type: ignore[assignment]
        return [self.chunks[number] for number, _ in fused.most_common(limit)]

    def _bm25(self, question: str) -> NDArray[np.float64]:
        scores = np.zeros(len(self.chunks))
        for word in self._postings.keys() & set(normalised(question).split()):
            numbers, counts = self._postings[word]
            rarity = math.log(1 + (len(self.chunks) - len(numbers) + 0.5) / (len(numbers) + 0.5))
            scores[numbers] += rarity * counts * (K1 + 1) / (counts + self._norm[numbers])
        return scores
