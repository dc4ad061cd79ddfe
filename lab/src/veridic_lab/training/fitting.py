"""Fits scales, offsets and thresholds; numpy only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridic_lab.training.metrics import best_cut

Floats = NDArray[np.float64]


def pattern_search(loss: Callable[[Floats], float], start: Sequence[float]) -> Floats:
    """A local minimum found by steps along each axis that shrink until nothing helps."""
    point = np.array(start, dtype=float)
    best, step = loss(point), 0.5
    while step > 1e-3:
        moved = False
        for axis in range(len(point)):
            for sign in (1, -1):
                trial = point.copy()
                trial[axis] += sign * step
                value = loss(trial)
                if value < best - 1e-9:
                    point, best, moved = trial, value, True
        if not moved:
            step /= 2
    return point


def fit_binary(logits: ArrayLike, truth: ArrayLike) -> tuple[float, float]:
    """Scale and offset that make sigmoid(scale * logit + offset) a probability."""
    z, y = np.asarray(logits, dtype=float), np.asarray(truth, dtype=float)

    def loss(point: Floats) -> float:
        shifted = np.exp(point[0]) * z + point[1]
        return float(np.mean(np.logaddexp(0, shifted) - y * shifted))

    log_scale, offset = pattern_search(loss, (0.0, 0.0))
    return float(np.exp(log_scale)), float(offset)


def fit_three(logits: ArrayLike, labels: ArrayLike) -> tuple[float, list[float]]:
    """Scale and offsets of three classes; label 3 means one of the last two."""
    z, y = np.asarray(logits, dtype=float), np.asarray(labels, dtype=int)

    def loss(point: Floats) -> float:
        shifted = np.exp(point[0]) * z + np.array([point[1], 0.0, point[2]])
        logs = shifted - np.logaddexp.reduce(shifted, axis=1, keepdims=True)
        logs = np.column_stack([logs, np.logaddexp(logs[:, 1], logs[:, 2])])
        return float(-logs[np.arange(len(y)), y].mean())

    log_scale, first, last = pattern_search(loss, (0.0, 0.0, 0.0))
    return float(np.exp(log_scale)), [float(first), 0.0, float(last)]


def balanced_cut(
    truth: ArrayLike,
    scores: ArrayLike,
    cost: float,
    *,
    slack: float = 0.0,
    flat: Literal["lowest", "highest"] = "highest",
) -> float:
    """`best_cut` as if both classes were equally frequent; `cost` is that of a false positive."""
    truth = np.asarray(truth, dtype=bool)
    share = truth.mean() / max(1e-9, 1 - truth.mean())
    return best_cut(truth, scores, cost * share, slack=slack, flat=flat)
