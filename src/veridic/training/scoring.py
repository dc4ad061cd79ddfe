"""Raw scores of many pairs by a judge, before calibration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxJudge
from veridic.training.pairs import Pair

Logits = NDArray[np.float32]
NEVER = float("inf")


class RawScorer:
    """Logits of the deciding window of each pair, remembered by pair."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """Neither calibration nor stored answers of the folder are read."""
        self.judge = OnnxJudge(folder, threads=threads, calibration=Calibration.identity(""), self_testing=False)
        self._known: dict[tuple[str, str, str], Logits] = {}

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """The largest relevance logit over windows, one a pair."""
        return np.array([self._of("relevance", pair) for pair in self._ready("relevance", pairs)], dtype=np.float32)

    def nli(self, pairs: Sequence[tuple[str, str]]) -> Logits:
        """The nli logits of the window that entails most, [n, 3]."""
        rows = [self._of("nli", pair) for pair in self._ready("nli", pairs)]
        return np.array(rows, dtype=np.float32).reshape(-1, 3)

    def of(self, pairs: Sequence[Pair]) -> Logits:
        """Logits of labelled pairs of one task."""
        texts = [(pair.first, pair.second) for pair in pairs]
        return self.relevance(texts) if pairs and pairs[0].task == "relevance" else self.nli(texts)

    def _of(self, head: str, pair: tuple[str, str]) -> Logits:
        return self._known[(head, *pair)]

    def _ready(self, head: str, pairs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        new = [pair for pair in dict.fromkeys(pairs) if (head, *pair) not in self._known]
        for pair, (_, rows) in zip(new, self.judge.logits(new, head, deadline=NEVER), strict=True):
            margin = rows if head == "relevance" else rows[:, 0] - np.logaddexp(rows[:, 1], rows[:, 2])
            self._known[(head, *pair)] = rows[int(margin.argmax())]
        return pairs
