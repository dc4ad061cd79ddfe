"""What another document answers instead: only what is of the same kind, and not both true, is a disagreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from veridic.evidence.reading import Answer, Considered, Place, said_around, same_answer
from veridic.text.dates import YEAR
from veridic.text.facts import names, numbers

RIVAL = 2.0
"""Margin from which another document's answer is one; fitted with the next on half of the questions, see
docs/decisions.md."""
RIVAL_RELEVANCE = 0.3
"""How relevant the text must be in which it is read."""
RIVAL_USEFULNESS = 0.5
"""P(the sentence around it answers the question), at least."""
RIVAL_DECISION = 0.85
"""The margin of a yes or no: a probability of 0.7."""


def rivals_of(
    question: str, answer: Answer, found: Sequence[Considered], *, decided: bool = False
) -> list[tuple[str, Place]]:
    """What relevant documents that do not give this answer answer instead, and where; the clearest first.

    One that speaks of another year than the question is none. Every document says yes and no with some probability:
    where it is `decided` it gives what is likeliest in it.
    """
    alike = [one.answer for one in found if same_answer(one.answer.text, answer.text)]
    own = {place.document for one in (answer, *alike) for place in one.places if place.first or not decided}
    least = RIVAL_DECISION if decided else RIVAL
    others = [
        (one.answer.text, place)
        for one in found
        if one.answer not in alike and (decided or differs(answer.text, one.answer.text))
        for place in one.answer.places
        if place.margin >= least and place.source.relevance >= RIVAL_RELEVANCE and place.document not in own
        if not _is_of_another_year(question, said_around(place))
    ]
    return sorted(others, key=lambda other: -other[1].margin)


def _is_of_another_year(question: str, said: str) -> bool:
    """Whether a text names years and none of the question's: minutes of 2024 where the question is after 2025."""
    asked, told = set(YEAR.findall(question)), set(YEAR.findall(said))
    return bool(asked and told) and not asked & told


def differs(one: str, other: str) -> bool:
    """Whether two answers of one question are of one kind, so that not both are right: numbers, or names without any.

    What is said in other words may well be true besides.
    """
    return _kind(one) == _kind(other) != "words"


def _kind(answer: str) -> Literal["number", "name", "words"]:
    if numbers(answer):
        return "number"
    return "name" if names(f"so {answer}") else "words"
