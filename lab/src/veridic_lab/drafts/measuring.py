"""How well a judge tells faithful drafts from nearly faithful ones, and which words it marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from veridic.models.fitting import auc as ranked

LONG = 40
"""Words from which a draft is long."""


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


@dataclass(frozen=True)
class Marked:
    """A statement with what is wrong in it and what a judge marked, in characters."""

    text: str
    wrong: tuple[int, int] | None
    marks: Sequence[tuple[int, int]]


def marked(found: Sequence[Marked]) -> dict[str, float]:
    """Precision, recall and F1 of the marked words over all statements, and the share of words that were marked."""
    told = [
        (_meets(place, one.marks), _meets(place, [one.wrong] if one.wrong else []))
        for one in found
        for place in _words(one.text)
    ]
    marks, wrong = (np.array(column) for column in zip(*told, strict=True))
    precision, recall = (marks & wrong).sum() / max(1, marks.sum()), (marks & wrong).sum() / max(1, wrong.sum())
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    figures = {"precision": precision, "recall": recall, "f1": f1, "marked": marks.mean()}
    return {name: round(float(value), 3) for name, value in figures.items()}


def _words(text: str) -> Iterator[tuple[int, int]]:
    end = 0
    for word in text.split():
        start = text.index(word, end)
        end = start + len(word)
        yield start, end


def _meets(place: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(place[0] < end and start < place[1] for start, end in others)


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


def by_length(found: Sequence[Scored]) -> dict[str, float]:
    """The paired accuracy of short drafts and of long ones."""
    parts = {"short": [one for one in found if one.words < LONG], "long": [one for one in found if one.words >= LONG]}
    return {name: round(paired(own), 4) for name, own in parts.items() if {one.true for one in own} == {True, False}}


def by_error(found: Sequence[Scored]) -> dict[str, float]:
    """The AUC of all true drafts against the false ones of each kind of error."""
    true = np.array([one.support for one in found if one.true])
    kinds = sorted({one.error for one in found if one.error})
    return {kind: round(auc(true, np.array([one.support for one in found if one.error == kind])), 3) for kind in kinds}
