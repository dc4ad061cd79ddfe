"""An embedder without weights: a bag of hashed words."""

import hashlib
import re
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray


class HashingEmbedder:
    """Texts that share words are near one another; the same text is always at the same place."""

    def __init__(self, dimension: int = 64, name: str = "hashing-1") -> None:
        self._dimension = dimension
        self._name = name
        self.embedded: list[str] = []
        self.known: dict[str, NDArray[np.float32]] = {}

    @property
    def fingerprint(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                row[bucket(word) % self._dimension] += 1.0
            row /= np.linalg.norm(row)
        return rows

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        self.known.update(zip(texts, vectors, strict=True))


@cache
def bucket(word: str) -> int:
    return int.from_bytes(hashlib.sha256(word.encode(errors="replace")).digest()[:4], "big")
