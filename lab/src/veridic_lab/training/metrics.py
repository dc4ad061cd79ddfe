"""Numbers that say how good a judge is, and the word-overlap baseline to hold beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridic_lab.training.pairs import normalised

Floats = NDArray[np.float64]


def balanced_accuracy(truth: ArrayLike, guess: ArrayLike) -> float:
    """The mean of the recalls of the classes that occur."""
    truth, guess = np.asarray(truth), np.asarray(guess)
    return float(np.mean([(guess[truth == c] == c).mean() for c in np.unique(truth)]))


def auc(truth: ArrayLike, scores: ArrayLike) -> float:
    """The probability that a positive outranks a negative, ties by half; 0.5 with one class."""
    truth, scores = np.asarray(truth, dtype=bool), np.asarray(scores, dtype=float)
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return 0.5
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def expected_calibration_error(truth: ArrayLike, probabilities: ArrayLike, bins: int = 15) -> float:
    """The mean distance of confidence and frequency over equally filled bins."""
    truth, probabilities = np.asarray(truth, dtype=float), np.asarray(probabilities, dtype=float)
    order = np.argsort(probabilities, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    gaps = [len(p) * abs(truth[p].mean() - probabilities[p].mean()) for p in parts]
    return float(np.sum(gaps) / max(1, len(truth)))


def overlap(needle: str, text: str) -> float:
    """The share of the needle's words that the text has."""
    words = normalised(needle).split()
    have = set(normalised(text).split())
    return sum(word in have for word in words) / len(words) if words else 0.0


def sigmoid(logits: ArrayLike) -> Floats:
    """Logits to probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(logits, dtype=float), -40, 40))))


def softmax(logits: ArrayLike) -> Floats:
    """Rows of logits to rows of probabilities."""
    shifted = np.asarray(logits, dtype=float)
    shifted = np.exp(shifted - shifted.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def best_cut(
    truth: ArrayLike,
    scores: ArrayLike,
    false_positive_cost: float = 1.0,
    *,
    slack: float = 0.0,
    flat: Literal["lowest", "highest"] = "lowest",
) -> float:
    """The threshold of least cost, when a missed positive costs 1; halfway between scores.

    Of those that cost as little, or with slack at most that share more, the lowest or highest.
    """
    truth, scores = np.asarray(truth, dtype=bool), np.asarray(scores, dtype=float)
    order = np.argsort(scores)
    truth, scores = truth[order], scores[order]
    missed = np.concatenate([[0], np.cumsum(truth)])
    wrong = np.concatenate([np.cumsum((~truth)[::-1])[::-1], [0]])
    cost = missed + false_positive_cost * wrong
    cost[1:-1][scores[1:] == scores[:-1]] = np.inf
    place = int(np.flatnonzero(cost <= cost.min() * (1 + slack))[0 if flat == "lowest" else -1])
    if place == len(scores):
        return float(np.nextafter(scores[-1], np.inf))
    middle = float((scores[place - 1] + scores[place]) / 2) if place else float(scores[0])
    return middle if not place or middle > scores[place - 1] else float(scores[place])


def mean_of(values: Sequence[float]) -> float:
    """The mean, 0.0 of nothing."""
    return float(np.mean(values)) if values else 0.0
