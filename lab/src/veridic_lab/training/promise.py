"""From which probability what is told keeps a promise: its precision, by the lower bound of its interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from veridic.models.calibration import NEVER
from veridic.models.fitting import auc
from veridic.ports.judgements import Strictness
from veridic_lab.bootstrap import Floats, ratio, resamples

PROMISED: Mapping[Strictness, float] = {"loose": 0.9, "normal": 0.95, "strict": 0.98}
"""Precision of what is verified, by the lower bound of its interval."""
FEWEST = 100
"""What is verified of a kind, without which nothing is promised of it."""
EVEN = 0.5
"""No promise is kept under this probability: what is verified is likelier right than not."""
STEP = 0.005
"""From one point that is tried to the next."""
DRAWN = 400
"""Draws of documents for an interval."""
ONE_SIDED = 5
"""Per cent of the draws that may lie under the lower bound."""


@dataclass(frozen=True)
class Sure:
    """What was told: how probable it is, whether it is right, its document, and what it counts; one number each."""

    sure: Floats
    right: NDArray[np.bool_]
    own: NDArray[np.str_]
    counts: Floats

    def promising(self, least: float, *, fewest: int = FEWEST, lowest: float = EVEN) -> float:
        """The lowest P above which precision is at least so high by its lower bound; `NEVER` where there is none.

        So it is where fewer than `fewest` lie above it. No point is under `lowest`.
        """
        for point in np.arange(lowest, 1.0, STEP):
            if (self.sure >= point).sum() < fewest:
                break
            if self._lower(point) >= least:
                return round(float(point), 4)
        return NEVER

    def figures(self, point: float) -> dict[str, float]:
        """The AUC, and of what lies above a point its number, precision and the share of true and false ones there."""
        above = self.sure >= point
        return {
            "auc": round(auc(self.right, self.sure), 4) if len(set(self.right)) > 1 else 0.0,
            "n": int(above.sum()),
            "precision": round(float(np.nan_to_num(self._precision(point, np.ones((1, len(above)))))[0]), 4),
            "least": round(self._lower(point), 4),
            "true verified": _share(above[self.right]),
            "false verified": _share(above[~self.right]),
        }

    @cached_property
    def _drawn(self) -> Floats:
        return resamples([*self.own], number=DRAWN)

    def _lower(self, point: float) -> float:
        """The lower bound of precision above a point, documents drawn anew."""
        found = self._precision(point, self._drawn)
        known = found[~np.isnan(found)]
        return float(np.percentile(known, ONE_SIDED)) if len(known) else 0.0

    def _precision(self, point: float, weights: Floats) -> Floats:
        counted = self.counts * (self.sure >= point)
        return ratio(counted * self.right, counted)(weights)


def _share(of: NDArray[np.bool_]) -> float:
    return round(float(of.mean()), 4) if len(of) else 0.0
