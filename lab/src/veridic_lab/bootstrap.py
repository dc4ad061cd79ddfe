"""Intervals by resampling whole groups of questions, the same resamples for every system.

Questions about one passage succeed and fail together, so groups are drawn, not questions
(Field and Welsh 2007); scipy's bootstrap draws rows only, hence ours. A resample is a weight
for each question; a statistic takes a matrix of weights and gives one value a row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From weights of shape (resamples, questions) to values of shape (resamples,); NaN where undefined."""

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A value with its 95 % percentile interval, which always holds it."""

    value: float
    low: float
    high: float


def interval(statistic: Statistic, weights: Floats) -> Interval | None:
    """The statistic of the questions as they are, with its interval; None where it is undefined."""
    value = float(statistic(np.ones((1, weights.shape[1])))[0]) if weights.shape[1] else float("nan")
    if np.isnan(value):
        return None
    return around(value, statistic(weights))


def around(value: float, values: Floats) -> Interval:
    """The percentile interval of resampled values, widened where it must be to hold the value."""
    known = values[~np.isnan(values)]
    edges = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(known) else (value, value)
    return Interval(value, min(value, float(edges[0])), max(value, float(edges[1])))


def ratio(parts: ArrayLike, wholes: ArrayLike) -> Statistic:
    """Sum of parts over sum of wholes."""
    above, below = np.asarray(parts, dtype=float), np.asarray(wholes, dtype=float)

    def statistic(weights: Floats) -> Floats:
        total = weights @ below
        return np.where(total > 0, weights @ above / np.where(total > 0, total, 1.0), np.nan)

    return statistic


def quantile(values: ArrayLike, share: float) -> Statistic:
    """The smallest value that `share` of the weight does not exceed; NaN values do not count."""
    given = np.asarray(values, dtype=float)
    known = ~np.isnan(given)
    order = np.argsort(given[known], kind="stable")
    ranked = given[known][order]

    def statistic(weights: Floats) -> Floats:
        heaped = np.cumsum(weights[:, known][:, order], axis=1)
        if not heaped.shape[1]:
            return np.full(len(weights), np.nan)
        places = (heaped < share * heaped[:, -1:]).sum(axis=1)
        return np.where(heaped[:, -1] > 0, ranked[np.minimum(places, len(ranked) - 1)], np.nan)

    return statistic


def calibration_error(truth: ArrayLike, confidences: ArrayLike, bins: int = 10) -> Statistic:
    """ECE over equally filled bins; NaN confidences do not count."""
    right, sure = np.asarray(truth, dtype=float), np.asarray(confidences, dtype=float)
    known = np.flatnonzero(~np.isnan(sure))
    order = known[np.argsort(sure[known], kind="stable")]
    parts = [part for part in np.array_split(order, bins) if len(part)]

    def statistic(weights: Floats) -> Floats:
        total = weights[:, known].sum(axis=1)
        gaps = sum((np.abs(weights[:, p] @ (right[p] - sure[p])) for p in parts), np.zeros(len(weights)))
        return np.where(total > 0, gaps / np.where(total > 0, total, 1.0), np.nan)

    return statistic
