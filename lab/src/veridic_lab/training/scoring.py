"""What the judges say of many labelled pairs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridic.models.by_settings import open_judges
from veridic.models.calibrating import Labelled, logits_of
from veridic.models.scorers import TrainedCritic, TrainedEvaluator
from veridic.settings import Settings
from veridic_lab.training.pairs import Pair


class Judges:
    """The calibrated evaluator and critic that the settings name."""

    def __init__(self, settings: Settings) -> None:
        """Raises `CalibrationMismatch` where the calibration is another judge's."""
        self._evaluator, self._critic = open_judges(settings)

    def behind(self, pair: Pair) -> TrainedEvaluator | TrainedCritic:
        """The judge that pairs of this task are for."""
        return self._evaluator if pair.asks else self._critic

    def logits(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Before calibration, of pairs of one task: one a pair, of nli three."""
        told = [Labelled(pair.first, pair.second, pair.label, asks=pair.asks) for pair in pairs]
        return logits_of(self.behind(pairs[0]), told, pairs[0].task)

    def probabilities(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Of relevance, or of entailment, of pairs of one task."""
        found = self.behind(pairs[0]).calibration.of(pairs[0].task, self.logits(pairs))
        return found if pairs[0].asks else found[:, 0]


def sample(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """At most so many pairs, drawn with a fixed seed."""
    order = np.random.default_rng(3).permutation(len(pairs))[:count]
    return [pairs[i] for i in order]
