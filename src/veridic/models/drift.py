"""Whether the judges still meet what they were calibrated on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from veridic.models.calibration import Calibration
from veridic.ports.shapes import Result

QUANTILES = 41
LATELY = 500
"""Logged runs that are worth looking at."""
FEWEST = 30
LARGEST = 0.25
"""A distance of the two distributions above which the thresholds are in doubt."""


@dataclass(frozen=True)
class Drift:
    """How far the logged scores are from the fitted ones."""

    runs: int
    distance: float
    """The largest difference of the two distribution functions (Kolmogorov-Smirnov), 0 to 1."""

    @property
    def known(self) -> bool:
        """Whether there are enough runs to say anything."""
        return self.runs >= FEWEST

    @property
    def drifted(self) -> bool:
        """Whether the distance is too large, also for so few runs (1 in 100 by chance)."""
        return self.known and self.distance > self.usual

    @property
    def usual(self) -> float:
        """The largest distance that says nothing, of so many runs."""
        return max(LARGEST, 1.63 / math.sqrt(self.runs))


def quantiles(scores: ArrayLike) -> list[float]:
    """What a calibration keeps of the scores it was fitted on."""
    points = np.quantile(np.asarray(scores, dtype=float), np.linspace(0, 1, QUANTILES))
    return [round(float(point), 4) for point in points]


def drift(calibration: Calibration, results: Iterable[Result]) -> Drift:
    """Compare the best passage of each logged run of this scorer with the calibration's questions."""
    ours = [r for r in results if r["judges"]["fingerprints"].get("evaluator") == calibration.fingerprint]
    best = [score for result in ours if (score := _best(result)) is not None]
    fitted = calibration.quantiles.get("question", [])
    return Drift(len(best), distance(fitted, best) if fitted and best else 0.0)


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    """The Kolmogorov-Smirnov distance of two samples."""
    points = np.sort(np.concatenate([one, other]))
    share = [np.searchsorted(np.sort(sample), points, side="right") / len(sample) for sample in (one, other)]
    return float(np.abs(share[0] - share[1]).max())


def _best(result: Result) -> float | None:
    """The best of what the knowledge base held, kept or dropped; outside passages were not calibrated on."""
    graded = [*result["documents"], *result.get("rejected", ())]
    scores = [p["score"] for p in graded if p["source"] == "corpus" and p["score"] is not None]
    return max(scores, default=None)
