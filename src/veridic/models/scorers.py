"""Evaluator and critic over anything that says logits of pairs: the shipped judge, one of one's own, one of the hub."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from veridic.models.notation import in_notation_of
from veridic.ports.judgements import Entailment, Relevance, Strictness, Thresholds
from veridic.text.answers import nearest_sentence
from veridic.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from veridic.models.calibration import Calibration
    from veridic.models.cross_encoder import ExportedJudge
    from veridic.models.hub_scorer import HubScorer
    from veridic.models.windows import LongSide

Pairs = Sequence[tuple[str, str]]
Place = tuple[int, int]
LONG_SIDE: Mapping[str, LongSide] = {"relevance": "second", "usefulness": "second", "nli": "first"}
"""Which text of a pair may be longer than one pass: the passage, the premise."""
EPSILON = 1e-6
"""What nothing is divided by less than."""
STATED = 0.995
"""P(entailment) of a sentence that stands in its premise word for word."""


@dataclass(frozen=True)
class Scored:
    """What was said of one pair, window by window of its long text."""

    places: Sequence[Place]
    """The characters of each window."""
    rows: NDArray[np.float32]
    """The logits of each."""
    doubtful: Sequence[tuple[Place, ...]] = ()
    """Of each what it does not support of the hypothesis, the most doubtful first; empty where nobody says."""


Scorer: TypeAlias = "ExportedJudge | HubScorer"
"""A cross-encoder with one head or several."""


class _Scoring:
    """What evaluator and critic have in common."""

    _head = ""

    def __init__(self, scorer: Scorer) -> None:
        """Evaluator and critic may share a scorer."""
        self.scorer = scorer

    @property
    def fingerprint(self) -> str:
        """Names the weights; thresholds belong to one fingerprint."""
        return self.scorer.fingerprint

    @property
    def calibration(self) -> Calibration:
        """What turns its logits into probabilities and decisions."""
        return self.scorer.calibration

    @property
    def gates(self) -> bool:
        """Whether its calibration AUC is at least 0.65."""
        return self.calibration.gates(self._head)

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """The calibrated decision points."""
        return self.calibration.thresholds[strictness]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[NDArray[np.float32]]:
        """What the model says before calibration, a row for each window of each pair.

        A model without a head of that name is asked its own.
        """
        present = head if head in self.scorer.heads else self._head
        return [one.rows for one in self.scorer.logits(pairs, present, deadline=deadline)]


class TrainedEvaluator(_Scoring):
    """Does this passage help to answer this question?"""

    _head = "relevance"

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs in one batch; a long passage counts by its best window."""
        results: list[Relevance] = []
        for scored in self.scorer.logits(pairs, self._head, deadline=deadline):
            probabilities = self.calibration.relevance(scored.rows)
            best = int(probabilities.argmax())
            results.append(Relevance(float(probabilities[best]), scored.places[best]))
        return results

    def usefulness(self, pairs: Pairs, *, deadline: float) -> list[float]:
        """P(the text holds an answer) of (question, text) pairs in one batch; a long text counts by its best window."""
        rows = self.logits(pairs, "usefulness", deadline=deadline)
        return [float(self.calibration.usefulness(logits).max()) for logits in rows]


class TrainedCritic(_Scoring):
    """What does this evidence say of this sentence?"""

    _head = "nli"

    @property
    def hears(self) -> bool:
        """Whether it learned to hear the question that a statement answers."""
        return self.scorer.rank == "base"

    def hearing(self, question: str) -> TrainedCritic:
        """The same critic, which hears the question that statements answer, where its scorer can."""
        hearing: Callable[[str], Scorer] | None = getattr(self.scorer, "hearing", None)
        return TrainedCritic(hearing(question)) if hearing else self

    def judge(self, pairs: Pairs, *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs in one batch.

        A long premise counts by the window that entails most or, where none entails, by the one that contradicts most.
        One that is calibrated to do so reads the sentence nearest to the hypothesis alone, too: among others that speak
        of the like it confuses them. A sentence that stands in its premise is entailed. Numbers, dates and times of
        premises are read in the notation of the hypothesis.
        """
        pairs = _in_one_notation(pairs)
        if not self.calibration.nearest:
            return self._judged(pairs, deadline)
        said = self._judged([*pairs, *_nearest(pairs)], deadline)
        return [self._read_twice(*both) for both in zip(said, said[len(pairs) :], strict=False)]

    def tokens(self, pairs: Pairs) -> list[int]:
        """How many tokens judging each pair takes, all its readings together."""
        pairs = _in_one_notation(pairs)
        whole = self.scorer.tokens(pairs, self._head)
        again = self.scorer.tokens(_nearest(pairs), self._head) if self.calibration.nearest else [0] * len(pairs)
        return [one + other for one, other in zip(whole, again, strict=True)]

    def _judged(self, pairs: Pairs, deadline: float) -> list[Entailment]:
        scored = self.scorer.logits(pairs, self._head, deadline=deadline)
        return [
            self._verdict(one, stated_at(premise, hypothesis))
            for (premise, hypothesis), one in zip(pairs, scored, strict=True)
        ]

    def _read_twice(self, whole: Entailment, nearest: Entailment) -> Entailment:
        """What is said of the whole, with P(entailment) of both readings; what is left is shared as it was."""
        entailed = self.calibration.entailed(whole.entailment, nearest.entailment)
        left = (1 - entailed) / max(1 - whole.entailment, EPSILON)
        return replace(
            whole, entailment=entailed, neutral=whole.neutral * left, contradiction=whole.contradiction * left
        )

    def _verdict(self, scored: Scored, stated: Place | None) -> Entailment:
        if stated:
            return Entailment(STATED, (1 - STATED) / 2, (1 - STATED) / 2, stated, self.scorer.rank)
        rows = self.calibration.nli(scored.rows)
        best = int(rows[:, 0].argmax())
        if rows[best, 0] < 0.5:
            best = int(rows[:, 2].argmax())
        entailment, neutral, contradiction = map(float, rows[best])
        doubtful = scored.doubtful[best] if scored.doubtful else ()
        return Entailment(entailment, neutral, contradiction, scored.places[best], self.scorer.rank, doubtful)


def _in_one_notation(pairs: Pairs) -> Pairs:
    return [(in_notation_of(hypothesis, premise), hypothesis) for premise, hypothesis in pairs]


def _nearest(pairs: Pairs) -> list[tuple[str, str]]:
    """The pairs, in the place of each premise its sentence nearest to the hypothesis."""
    return [(nearest_sentence(hypothesis, premise), hypothesis) for premise, hypothesis in pairs]


def stated_at(premise: str, hypothesis: str) -> tuple[int, int] | None:
    """The characters of the premise that are the hypothesis, as whole sentences of one line; None when there are none.

    Words inside a longer sentence do not count: "it is safe" is not said by "nobody thinks it is safe".
    """
    words = hypothesis.strip().rstrip(".")
    if not words or words not in premise:
        return None
    start = 0
    for line in premise.split("\n"):
        spans = sentences(line) if words in line else []
        starts = {span.start for span in spans}
        ends = {end for span in spans for end in (span.end, span.start + len(span.text.rstrip(".")))}
        at = line.find(words)
        while at >= 0:
            if at in starts and at + len(words) in ends:
                return start + at, start + at + len(words)
            at = line.find(words, at + 1)
        start += len(line) + 1
    return None
