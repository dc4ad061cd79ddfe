"""How well a judge tells faithful drafts from nearly faithful ones, and which words it marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from veridic.models.fitting import auc as ranked


@dataclass(frozen=True)
class Scored:
    """A draft with what a judge says of it."""

    question: str
    """Tells the drafts of one question from others: the document's key, and the question."""
    error: str
    words: int
    support: float
    """Of its statements the least, 0 to 1."""

    @property
    def true(self) -> bool:
        """Whether it is faithful."""
        return not self.error


def measured(found: Sequence[Scored]) -> dict[str, float]:
    """AUC, paired accuracy of true against false drafts of one question, and the best balanced accuracy."""
    true = np.array([one.support for one in found if one.true])
    false = np.array([one.support for one in found if not one.true])
    points = np.unique(np.concatenate([true, false]))
    balanced = max(((true >= at).mean() + (false < at).mean()) / 2 for at in points)
    return {"auc": round(auc(true, false), 4), "paired": round(paired(found), 4), "balanced": round(balanced, 4)}


def auc(true: np.ndarray, false: np.ndarray) -> float:
    """P(a true draft scores above a false one); ties count half."""
    return ranked([1] * len(true) + [0] * len(false), np.concatenate([true, false]))


def paired(found: Sequence[Scored]) -> float:
    """P(a true draft scores above a false one of its question); ties count half."""
    by_question: dict[str, list[Scored]] = defaultdict(list)
    for one in found:
        by_question[one.question].append(one)
    wins = [
        float(true.support > false.support) + 0.5 * (true.support == false.support)
        for own in by_question.values()
        for true in own
        if true.true
        for false in own
        if not false.true
    ]
    return float(np.mean(wins))


def by_error(found: Sequence[Scored]) -> dict[str, float]:
    """The AUC of all true drafts against the false ones of each kind of error."""
    true = np.array([one.support for one in found if one.true])
    kinds = sorted({one.error for one in found if one.error})
    return {kind: round(auc(true, np.array([one.support for one in found if one.error == kind])), 3) for kind in kinds}
