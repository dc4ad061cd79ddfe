"""How sure each answer of a run was, as what it was told, and whether it was right: a few numbers a question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import sqrt
from pathlib import Path
from typing import Literal, NamedTuple

from veridic.ports.shapes import Outcome
from veridic_lab.bootstrap import Interval
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.scores import scored

As = Literal["verified", "flagged", "silent"]
TOLD_AS: dict[Outcome, As] = {
    "accepted": "verified",
    "corrected": "verified",
    "partial": "verified",
    "abstained": "silent",
    "unverified": "flagged",
}
NORMAL = 1.959964
"""Standard deviations that hold 95 % of a normal distribution."""


class Told(NamedTuple):
    """One question put to one system."""

    system: str
    probability: float | None
    """P(right) in [0, 1] as the system states it; None where it states none."""
    told_as: As
    right: bool
    """Answered as gold says; never where nothing was given, nor where there is no answer."""
    answerable: bool


def told_in(rows: Iterable[Row]) -> list[Told]:
    """The rows of a run, of the systems that state a probability at least once; the others have no curve."""
    found = [_told(row) for row in rows]
    stating = {one.system for one in found if one.probability is not None}
    return [one for one in found if one.system in stating]


def _told(row: Row) -> Told:
    score, told_as = scored(row), TOLD_AS[row["result"]["outcome"]]
    given = told_as != "silent"
    sure = None if score.confidence is None or not given else round(score.confidence, 3)
    return Told(row["system"], sure, told_as, given and score.right, score.question.answerable)


def keep(told: Sequence[Told], path: Path) -> None:
    """Write a line of JSON for each, in one list."""
    lines = ",\n".join(json.dumps(one) for one in told)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def kept_in(path: Path) -> list[Told]:
    """What `keep` wrote; nothing where there is no such file."""
    return [Told(*one) for one in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def surest_first(told: Iterable[Told]) -> list[Told]:
    """What was given, by its probability; what was given without one comes last."""
    given = [one for one in told if one.told_as != "silent"]
    return sorted(given, key=lambda one: -1.0 if one.probability is None else one.probability, reverse=True)


def risk_by_coverage(told: Sequence[Told]) -> list[tuple[float, float]]:
    """Of each number of surest answers: their share of all questions, and the share of these answers that is wrong."""
    points, wrong = [], 0
    for number, one in enumerate(surest_first(told), start=1):
        wrong += not one.right
        points.append((number / len(told), wrong / number))
    return points


def share(found: int, of: int) -> Interval:
    """`found` of `of`, at least 1, with Wilson's 95 % interval."""
    value, doubt = found / of, NORMAL**2 / of
    middle, reach = value + doubt / 2, sqrt(doubt * (value * (1 - value) + doubt / 4))
    return Interval(value, max(0.0, (middle - reach) / (1 + doubt)), min(1.0, (middle + reach) / (1 + doubt)))
