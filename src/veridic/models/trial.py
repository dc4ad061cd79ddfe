"""The trial: how well any judge tells what is true from what nearly is, on labelled pairs that ship.

It is held once, and what it found is kept. Figures are of the half that reports; the other one is to calibrate by.
"""

import hashlib
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, cast

import numpy as np
from pydantic import TypeAdapter, ValidationError

from veridic.models.calibration import MIN_AUC
from veridic.models.onnx_encoder import SHIPPED
from veridic.ports.judgements import GradeWeights
from veridic.ports.judging import Critic, RetrievalEvaluator
from veridic.ports.shapes import TrialFigure
from veridic.runtime.kept import Kept
from veridic.runtime.ledger import Ledger, charged

FILE = SHIPPED / "trial.jsonl"
SECONDS = 3600.0
"""A judge may take so long for passages, and so long again for statements."""
DEVIATIONS = 1.96
"""Standard deviations on either side of an interval of 95 %."""


@dataclass(frozen=True)
class TrialPair:
    """A question with a passage, or a premise with a statement."""

    kind: Literal["passage", "statement"]
    first: str
    second: str
    label: bool
    """Whether the passage answers, or the premise supports."""
    half: Literal["fit", "report"]


@dataclass(frozen=True)
class NamedJudge:
    """A judge by its name; a model of the hub is either an evaluator or a critic."""

    name: str
    evaluator: RetrievalEvaluator | None
    critic: Critic | None
    place: str | None = None
    """Of a chat model where it is, since of one name there may be two; None of any other judge."""


@dataclass(frozen=True)
class Figure:
    """How well pairs of one kind were told apart."""

    auc: float
    low: float
    """Where the interval of the AUC begins (95 %, DeLong 1988)."""
    high: float
    accuracy: float
    """Balanced, at the judge's own threshold of normal strictness."""
    right: list[int]
    """1 for each pair that was on its side of the threshold, 0 for the others."""


@dataclass(frozen=True)
class Found:
    """What a trial found of a judge."""

    judge: str
    passages: Figure | None
    statements: Figure | None
    calls: int
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether it ranks well enough to decide anything."""
        return all(one.auc >= MIN_AUC for one in (self.passages, self.statements) if one)

    @property
    def figure(self) -> TrialFigure | None:
        """What a result tells of it."""
        if self.statements is None:
            return None
        told = asdict(self.statements)
        return cast("TrialFigure", {"judge": self.judge, "pairs": len(told.pop("right")), **told})


FOUND = TypeAdapter(Found)


class Trial:
    """Measures judges on pairs, and keeps what was found by the judge's fingerprints and the digest of the pairs."""

    def __init__(self, folder: Path | None, pairs: Sequence[TrialPair] | None = None) -> None:
        """`folder` keeps what is found; the pairs are the shipped ones unless given."""
        self._kept = Kept(folder)
        self._pairs = [one for one in (shipped_pairs() if pairs is None else pairs) if one.half == "report"]

    def known(self, judge: NamedJudge) -> Found | None:
        """What was found before; None where the trial was not held, or with other pairs, weights or thresholds."""
        with suppress(ValidationError):
            return replace(FOUND.validate_python(self._kept.read(self._key(judge))), judge=judge.name)
        return None

    def found(self, judge: NamedJudge) -> Found:
        """What was found before, else now. Raises what judging raises."""
        return self.known(judge) or self.hold(judge)

    def hold(self, judge: NamedJudge) -> Found:
        """Measure a judge, and keep what is found. Raises what judging raises."""
        ledger, began = Ledger(), perf_counter()
        passages = self._of_passages(judge.evaluator, ledger) if judge.evaluator else None
        statements = self._of_statements(judge.critic, ledger) if judge.critic else None
        seconds = round(perf_counter() - began, 2)
        found = Found(judge.name, passages, statements, ledger.usage.get("calls", 0), seconds)
        self._kept.keep(self._key(judge), asdict(found))
        return found

    def weights(self, found: Found) -> GradeWeights:
        """The weights of evidence of a judge's word on statements, by how often it was right here."""
        told = found.statements.right if found.statements else []
        truth = [one.label for one in self._pairs if one.kind == "statement"]
        right = [sum(one for one, true in zip(told, truth, strict=True) if true is side) for side in (True, False)]
        positive, negative = truth.count(True), truth.count(False)
        return GradeWeights.found((right[0], positive), (negative - right[1], negative))

    def _of_passages(self, evaluator: RetrievalEvaluator, ledger: Ledger) -> Figure:
        pairs = [one for one in self._pairs if one.kind == "passage"]
        said = charged(evaluator, ledger).score(_texts(pairs), deadline=time.time() + SECONDS)
        point = evaluator.thresholds("normal").upper
        return figure([one.label for one in pairs], [one.probability for one in said], point)

    def _of_statements(self, critic: Critic, ledger: Ledger) -> Figure:
        pairs = [one for one in self._pairs if one.kind == "statement"]
        said = charged(critic, ledger).judge(_texts(pairs), deadline=time.time() + SECONDS)
        point = critic.thresholds("normal").support
        return figure([one.label for one in pairs], [one.entailment for one in said], point)

    def _key(self, judge: NamedJudge) -> str:
        told = [(one.fingerprint, one.thresholds("normal")) for one in (judge.evaluator, judge.critic) if one]
        return hashlib.sha256(repr((told, judge.place, self._pairs)).encode()).hexdigest()[:32]


def figure(truth: Sequence[bool], scores: Sequence[float], threshold: float) -> Figure:
    """How well scores tell pairs apart; both labels are among them."""
    told, positive = np.asarray(scores, dtype=float), np.asarray(truth, dtype=bool)
    difference = told[positive][:, None] - told[~positive][None, :]
    above = (difference > 0) + 0.5 * (difference == 0)
    auc = above.mean()
    spread = DEVIATIONS * np.sqrt(_variance(above.mean(axis=1)) + _variance(above.mean(axis=0)))
    right = (told >= threshold) == positive
    balanced = (right[positive].mean() + right[~positive].mean()) / 2
    low, high = max(0.0, auc - spread), min(1.0, auc + spread)
    auc, low, high, balanced = (round(float(one), 4) for one in (auc, low, high, balanced))
    return Figure(auc, low, high, balanced, right.astype(int).tolist())


def ahead(one: Found, other: Found) -> tuple[float, float]:
    """By how large a share of the statements the first is right more often, and by how much at least (95 %).

    Nothing where one of them judges no statements.
    """
    if one.statements is None or other.statements is None:
        return 0.0, 0.0
    difference = np.subtract(one.statements.right, other.statements.right)
    mean, spread = difference.mean(), DEVIATIONS * np.sqrt(_variance(difference))
    return round(float(mean), 4), round(float(mean - spread), 4)


def _variance(values: Any) -> float:  # noqa: ANN401 - an array of numbers
    """The variance of their mean."""
    return float(np.var(values, ddof=1)) / len(values)


def _texts(pairs: Sequence[TrialPair]) -> list[tuple[str, str]]:
    return [(one.first, one.second) for one in pairs]


@cache
def shipped_pairs() -> tuple[TrialPair, ...]:
    """The pairs that ship."""
    return tuple(_pair(json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines())


def _pair(row: dict[str, Any]) -> TrialPair:
    if "passage" in row:
        return TrialPair("passage", row["question"], row["passage"], bool(row["label"]), row["half"])
    return TrialPair("statement", row["premise"], row["statement"], bool(row["label"]), row["half"])
