"""The judges that ship: one encoder whose heads are behind the evaluator and the critic."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veridic.errors import DeadlineExceeded, JudgeError, JudgeFailed, ModelError
from veridic.models.calibration import Calibration
from veridic.models.embedder import OnnxEmbedder
from veridic.models.nearness import cosines
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, check_time, in_time
from veridic.models.recent import Recent
from veridic.models.verbatim import stated_at
from veridic.models.windows import LongSide, PairWindows, Window
from veridic.ports.judgements import Entailment, Relevance, Strictness, Thresholds
from veridic.ports.shapes import SourceKind, SourceMeasure

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pairs = Sequence[tuple[str, str]]
Place = tuple[int, int]

LONG_SIDE: Mapping[str, LongSide] = {"relevance": "second", "usefulness": "second", "nli": "first"}
"""Which text of a pair may be longer than one pass: the passage, the premise."""
ASKING = ("relevance", "usefulness")
"""Heads whose first text is a question."""
REMEMBERED = 2048
"""Pairs whose logits are kept: most of what a further attempt finds was judged in the one before."""
STATED = 0.995
"""P(entailment) of a sentence that stands in its premise word for word."""
SELF_TEST_TOLERANCE = 0.05
"""Mean difference of stored and computed probabilities that other processors may cause."""


def judge_fingerprint(encoder: OnnxEncoder, embedder: OnnxEmbedder) -> str:
    """Names the weights, and together with them the embedder's where the judge hears how near a text is.

    The weight of nearness stands in the judge's file; judges whose card does not tell of it are named by their files.
    """
    if not encoder.card.get("nearness"):
        return encoder.fingerprint
    return hashlib.sha256(f"{encoder.fingerprint}{embedder.fingerprint}".encode()).hexdigest()[:16]


class OnnxJudge:
    """Session, windows and calibration shared by evaluator and critic."""

    def __init__(
        self,
        folder: Path = SHIPPED / "judge",
        *,
        threads: int = 0,
        calibration: Calibration | Path | None = None,
        self_testing: bool = True,
        embedder: OnnxEmbedder | None = None,
    ) -> None:
        """Card and calibration are read now, weights when first used; `threads` 0 means all.

        `embedder` is the shipped one, where it is open already: a judge whose file says so adds to its
        logits how near a text is to its question. `calibration` is another file than the folder's own,
        or one already read. Raises `CalibrationMismatch` when it is for other weights. The first score
        checks the stored answers unless `self_testing` is false.
        """
        self._encoder = OnnxEncoder(folder, threads=threads)
        self._embedder = embedder or OnnxEmbedder(threads=threads)
        if not isinstance(calibration, Calibration):
            calibration = Calibration.read(calibration or folder / "calibration.json", self.fingerprint)
        self.calibration = calibration
        self._tested = not self_testing
        self._recent = Recent[tuple[str, str, str], tuple[list[Place], "NDArray[np.float32]"]](REMEMBERED)
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """Names all that a score depends on; thresholds belong to one fingerprint."""
        return judge_fingerprint(self._encoder, self._embedder)

    @property
    def heads(self) -> Sequence[str]:
        """What it judges; judges from before there was usefulness do not say."""
        return tuple(self._encoder.card.get("heads", ("relevance", "nli")))

    def self_test(self) -> float:
        """The mean difference from the stored probabilities. Raises `JudgeFailed` beyond tolerance."""
        stored = json.loads((self._encoder.folder / "selftest.json").read_text(encoding="utf-8"))
        worst = max(
            float(np.abs(self.raw_probabilities(head, rows) - [row["expected"] for row in rows]).mean())
            for head, rows in stored.items()
        )
        if worst > SELF_TEST_TOLERANCE:
            raise JudgeFailed(
                f"The judge differs from its stored answers by {worst:.3f} on average on this processor.",
                "Run `veridic doctor`; answers stay unverified until it agrees.",
            )
        return worst

    def raw_probabilities(self, head: str, rows: Sequence[Mapping[str, Any]]) -> NDArray[np.float64]:
        """Probabilities before calibration of rows with `first` and `second`, which fit one pass."""
        windows = self._windows([(row["first"], row["second"]) for row in rows], LONG_SIDE[head])
        logits = self._run([group[0] for group in windows], head, float("inf"))
        return Calibration.identity(self.fingerprint).of(head, logits)

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[tuple[list[Place], NDArray[np.float32]]]:
        """For each pair the places of its windows in its long text, and their logits.

        Raises `JudgeFailed` or `DeadlineExceeded`.
        """
        if not pairs:
            return []
        check_time(deadline)
        keys = [(head, *pair) for pair in pairs]
        return self._recent.of(
            keys, lambda new: self._judged([(first, second) for _, first, second in new], head, deadline)
        )

    def _judged(self, pairs: Pairs, head: str, deadline: float) -> list[tuple[list[Place], NDArray[np.float32]]]:
        try:
            self._ensure_tested()
            return [one for batch in in_time(pairs, deadline) for one in self._batch(batch, head, deadline)]
        except (DeadlineExceeded, JudgeError, ModelError):
            raise
        except Exception as error:
            raise JudgeFailed(f"The judge raised {type(error).__name__}: {error}.", "Run `veridic doctor`.") from error

    def _batch(self, pairs: Pairs, head: str, deadline: float) -> list[tuple[list[Place], NDArray[np.float32]]]:
        windows = self._windows(pairs, LONG_SIDE[head])
        rows = self._run([window for group in windows for window in group], head, deadline)
        if head in ASKING and (weight := self._nearness()):
            rows += weight * cosines(self._embedder, _texts(pairs, windows))
        ends = np.cumsum([len(group) for group in windows])
        return [
            ([window.span for window in group], rows[end - len(group) : end])
            for group, end in zip(windows, ends, strict=True)
        ]

    def _ensure_tested(self) -> None:
        with self._lock:
            if not self._tested:
                self.self_test()
                self._tested = True

    def _nearness(self) -> float:
        """What a cosine of 1 adds to its logits; nothing where the judge was exported before there was any."""
        return float(self._encoder.metadata().get("nearness", 0.0))

    def _windows(self, pairs: Pairs, long_side: LongSide) -> list[list[Window]]:
        tokenizer, _ = self._encoder.load()
        return PairWindows(tokenizer, long_side).of(pairs)

    def _run(self, windows: list[Window], head: str, deadline: float) -> NDArray[np.float32]:
        (rows,) = self._encoder.run([window.tokens for window in windows], [head], deadline=deadline)
        return rows


def _texts(pairs: Pairs, windows: Sequence[Sequence[Window]]) -> Pairs:
    """Each question with what each window saw of its text."""
    return [
        (question, text[slice(*window.span)])
        for (question, text), group in zip(pairs, windows, strict=True)
        for window in group
    ]


class _Adapter:
    """What evaluator and critic have in common."""

    _head = ""

    def __init__(self, judge: OnnxJudge) -> None:
        self._judge = judge

    @property
    def fingerprint(self) -> str:
        """Names the weights; thresholds belong to one fingerprint."""
        return self._judge.fingerprint

    @property
    def calibration(self) -> Calibration:
        """What turns its logits into probabilities and decisions."""
        return self._judge.calibration

    @property
    def gates(self) -> bool:
        """Whether its calibration AUC is at least 0.65."""
        return self._judge.calibration.gates(self._head)

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """The calibrated decision points."""
        return self._judge.calibration.thresholds[strictness]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[NDArray[np.float32]]:
        """What the model says before calibration, a row for each window of each pair."""
        return [rows for _, rows in self._judge.logits(pairs, self._present(head), deadline=deadline)]

    def _present(self, head: str) -> str:
        """The head, or its own where the model has none of that name."""
        return head if head in self._judge.heads else self._head


class OnnxEvaluator(_Adapter):
    """Does this passage help to answer this question?"""

    _head = "relevance"

    @property
    def by_source(self) -> Mapping[SourceKind, SourceMeasure]:
        """What its probabilities are worth on each kind of source, where that was measured."""
        return self.calibration.by_source

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs in one batch; a long passage counts by its best window."""
        results: list[Relevance] = []
        for places, logits in self._judge.logits(pairs, self._head, deadline=deadline):
            probabilities = self._judge.calibration.relevance(logits)
            best = int(probabilities.argmax())
            results.append(Relevance(float(probabilities[best]), places[best]))
        return results

    def usefulness(self, pairs: Pairs, *, deadline: float) -> list[float]:
        """P(the text holds an answer) of (question, text) pairs in one batch; a long text counts by its best window."""
        rows = self.logits(pairs, "usefulness", deadline=deadline)
        return [float(self._judge.calibration.usefulness(logits).max()) for logits in rows]


class OnnxCritic(_Adapter):
    """What does this evidence say of this sentence?"""

    _head = "nli"

    def judge(self, pairs: Pairs, *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs in one batch.

        A long premise counts by the window that entails most or, where none entails, by the
        one that contradicts most. A sentence that stands in its premise is entailed.
        """
        scored = self._judge.logits(pairs, self._head, deadline=deadline)
        return [
            self._verdict(places, logits, stated_at(premise, hypothesis))
            for (premise, hypothesis), (places, logits) in zip(pairs, scored, strict=True)
        ]

    def _verdict(self, places: Sequence[Place], logits: NDArray[np.float32], stated: Place | None) -> Entailment:
        if stated:
            return Entailment(STATED, (1 - STATED) / 2, (1 - STATED) / 2, stated)
        rows = self._judge.calibration.nli(logits)
        best = int(rows[:, 0].argmax())
        if rows[best, 0] < 0.5:
            best = int(rows[:, 2].argmax())
        entailment, neutral, contradiction = map(float, rows[best])
        return Entailment(entailment, neutral, contradiction, places[best])
