"""Numbers that say how good a judge is, and the word-overlap baseline to hold beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from veridic_lab.training.pairs import normalised


def balanced_accuracy(truth: ArrayLike, guess: ArrayLike) -> float:
    """The mean of the recalls of the classes that occur."""
    truth, guess = np.asarray(truth), np.asarray(guess)
    return float(np.mean([(guess[truth == c] == c).mean() for c in np.unique(truth)]))


def overlap(needle: str, text: str) -> float:
    """The share of the needle's words that the text has."""
    words = normalised(needle).split()
    have = set(normalised(text).split())
    return sum(word in have for word in words) / len(words) if words else 0.0


def mean_of(values: Sequence[float]) -> float:
    """The mean, 0.0 of nothing."""
    return float(np.mean(values)) if values else 0.0
