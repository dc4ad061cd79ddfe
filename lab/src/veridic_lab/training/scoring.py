"""Raw scores of many pairs by any judge, before calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veridic.models.calibrating import Head, Labelled, deciding
from veridic.models.judges import open_judges
from veridic.settings import Settings
from veridic_lab.training.pairs import Pair

Logits = NDArray[np.float32]
NEVER = float("inf")


class Scorer(Protocol):
    """Evaluator or critic."""

    @property
    def fingerprint(self) -> str:
        """Names the weights."""

    def logits(self, pairs: Sequence[tuple[str, str]], head: str, *, deadline: float) -> Sequence[Logits]:
        """A row for each window of each pair, before calibration."""


class RawScorer:
    """Logits of the deciding window of each pair, remembered by pair."""

    def __init__(self, evaluator: Scorer, critic: Scorer) -> None:
        """Of one model, or of two."""
        self._scorers: Mapping[Head, Scorer] = {"relevance": evaluator, "usefulness": evaluator, "nli": critic}
        self._known: dict[tuple[str, str, str], Logits] = {}

    @classmethod
    def open(cls, settings: Settings) -> RawScorer:
        """The judges that the settings name."""
        return cls(*open_judges(settings, calibrated=False))

    def fingerprint(self, head: Head) -> str:
        """Names the weights behind a head."""
        return self._scorers[head].fingerprint

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """The largest relevance logit over windows, one a pair."""
        return self._single("relevance", pairs)

    def usefulness(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """The largest usefulness logit over windows, one a pair."""
        return self._single("usefulness", pairs)

    def nli(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """The nli logits of the window that entails most, [n, 3]."""
        rows = [self._of("nli", pair) for pair in self._ready("nli", pairs)]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)

    def labelled(self, head: Head, pairs: Sequence[Labelled]) -> Logits:
        """Logits of a head for labelled pairs."""
        texts = [(pair.first, pair.second) for pair in pairs]
        return self.nli(texts) if head == "nli" else self._single(head, texts)

    def of(self, pairs: Sequence[Pair]) -> Logits:
        """Logits of labelled pairs of one task."""
        texts = [(pair.first, pair.second) for pair in pairs]
        return self._single(pairs[0].task, texts) if pairs and pairs[0].asks else self.nli(texts)

    def _single(self, head: Head, pairs: Sequence[tuple[str, str]]) -> Logits:
        return np.array([self._of(head, pair) for pair in self._ready(head, pairs)], dtype=np.float32)

    def _of(self, head: Head, pair: tuple[str, str]) -> Logits:
        return self._known[(head, *pair)]

    def _ready(self, head: Head, pairs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        new = [pair for pair in dict.fromkeys(pairs) if (head, *pair) not in self._known]
        for pair, rows in zip(new, self._scorers[head].logits(new, head, deadline=NEVER), strict=True):
            self._known[(head, *pair)] = deciding(np.asarray(rows), head)
        return pairs
