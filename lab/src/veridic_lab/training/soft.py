"""A teacher's soft labels: what it thinks of pairs, kept without their text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.errors import UsageError
from veridic_lab.training.pairs import Pair

FILE = "soft-labels.npz"
UNLABELLED = -1
"""The label of a pair that only a teacher has judged."""


def key_of(pair: Pair) -> int:
    """64 bits that name the pair by its task and texts."""
    text = "\0".join((pair.task, pair.first, pair.second))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


class SoftLabels:
    """Three probabilities a pair: entailment, neutral, contradiction; or relevance and two zeros."""

    def __init__(self, keys: Sequence[int], rows: NDArray[np.float16]) -> None:
        """`rows` is [len(keys), 3]."""
        self._rows = rows
        self._places = {int(key): place for place, key in enumerate(keys)}

    @classmethod
    def read(cls, folder: Path) -> SoftLabels:
        """The labels in a folder that `veridic teach` wrote. Raises `UsageError`."""
        try:
            with np.load(folder / FILE, allow_pickle=False) as stored:
                return cls(stored["keys"].tolist(), stored["rows"])
        except (OSError, KeyError, ValueError) as error:
            raise UsageError(f"There are no soft labels in {folder}.", "Run `veridic teach` first.") from error

    def write(self, folder: Path) -> None:
        """Keys of 8 bytes and rows of 6, compressed."""
        folder.mkdir(parents=True, exist_ok=True)
        keys = np.fromiter(self._places, dtype=np.uint64, count=len(self._places))
        np.savez_compressed(folder / FILE, keys=keys, rows=self._rows)

    def __len__(self) -> int:
        return len(self._places)

    def of(self, pairs: Sequence[Pair]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Rows of these pairs, [n, 3], and which of them are known; the others are zeros."""
        places = [self._places.get(key_of(pair), -1) for pair in pairs]
        known = np.array([place >= 0 for place in places], dtype=bool)
        rows = np.zeros((len(pairs), 3), dtype=np.float32)
        rows[known] = self._rows[[place for place in places if place >= 0]]
        return rows, known
