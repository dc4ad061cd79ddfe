"""What a metric is: a number over many questions, which of them count, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from veridic_lab.bootstrap import Statistic, quantile, ratio
from veridic_lab.evaluation.scores import Score

CLEAR = 10
"""Questions that must count for a difference to be clear: resampling fewer shows too little of what can happen."""

Better = Literal["more", "less", "neither"]
Part = Callable[[Score], float]
Counts = Callable[[Score], bool]


@dataclass(frozen=True)
class Metric:
    """A number over many questions."""

    better: Better
    meaning: str
    of: Callable[[Sequence[Score]], Statistic]
    counts: Counts
    """Whether a question counts for it."""


def every(_: Score) -> bool:
    """All questions count."""
    return True


def answered(score: Score) -> bool:
    """Answers count, silences do not."""
    return score.answered


def mean(better: Better, part: Part, meaning: str, over: Counts = every) -> Metric:
    """The mean of `part` over the questions that count."""

    def of(scores: Sequence[Score]) -> Statistic:
        wholes = np.array([over(score) for score in scores], dtype=float)
        parts = np.array([float(part(score)) if over(score) else 0.0 for score in scores])
        return ratio(parts, wholes)

    return Metric(better, meaning, of, over)


def at(share: float, part: Callable[[Score], float | None], meaning: str) -> Metric:
    """A quantile of a time; questions without one do not count."""

    def of(scores: Sequence[Score]) -> Statistic:
        found = [part(score) for score in scores]
        return quantile([np.nan if one is None else one for one in found], share)

    return Metric("less", meaning, of, lambda score: part(score) is not None)


def verdict(better: Better, difference: float, low: float, high: float, number: int) -> str:
    """A difference in words: a metric where less is better gets worse when it rises.

    It is clear when the interval leaves out 0 and at least `CLEAR` questions count on either side.
    """
    if difference == 0 or better == "neither":
        return "same" if difference == 0 else "differs"
    improved = (difference > 0) == (better == "more")
    clear = (low > 0 or high < 0) and number >= CLEAR
    return ("better" if improved else "worse") + ("" if clear else ", not clearly")
