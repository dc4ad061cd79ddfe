"""What another document answers instead: only what is of the same kind, and not both true, is a disagreement."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridic.evidence.forms import Form, form_of
from veridic.evidence.reading import Answer, Considered, Place, said_around, same_answer
from veridic.text.dates import YEAR
from veridic.text.facts import digits, in_digits, words

RIVAL = 2.0
"""Margin from which another document's answer is one; fitted with the next on half of the questions, see
docs/decisions.md."""
RIVAL_RELEVANCE = 0.3
"""How relevant the text must be in which it is read."""
RIVAL_USEFULNESS = 0.5
"""P(the sentence around it answers the question), at least."""
RIVAL_DECISION = 0.85
"""The margin of a yes or no: a probability of 0.7."""

_OPEN = re.compile(r"\W*(?:[Ww]ho (?:is|was|are|were) (?:[A-Z]\w*\W+)+$|[Ww]hat (?:do|does|did)\b)")
"""Who somebody is, and what somebody does, documents answer in other words that are all true."""
_COMPARABLE: frozenset[Form] = frozenset(("duration", "number"))
_MORE = re.compile(r"\b(?:more than|over|at least|above|no fewer than)\b", re.IGNORECASE)
_LESS = re.compile(r"\b(?:less than|fewer than|under|at most|below|up to|no more than)\b", re.IGNORECASE)
_ROUND = re.compile(
    r"\b(?:about|around|nearly|almost|roughly|some|approximately|hundreds|thousands|dozens)\b", re.IGNORECASE
)
_MULTIPLES = frozenset((100, 1000, 1_000_000))
NEAR = 0.1
"""Share by which a number may differ from a round one that says about as much."""


def rivals_of(
    question: str, answer: Answer, found: Sequence[Considered], *, decided: bool = False
) -> list[tuple[str, Place]]:
    """What relevant documents that do not give this answer answer instead, and where; the clearest first.

    One that speaks of another year than the question is none, nor are other words for who somebody is or what is done.
    Every document says yes and no with some probability: where it is `decided` it gives what is likeliest in it.
    """
    if form_of(answer.text) == "words" and _OPEN.match(question) and not decided:
        return []
    alike = [one.answer for one in found if same_answer(one.answer.text, answer.text)]
    own = {place.document for one in (answer, *alike) for place in one.places if place.first or not decided}
    least = RIVAL_DECISION if decided else RIVAL
    others = [
        (one.answer.text, place)
        for one in found
        if one.answer not in alike and differs(answer.text, one.answer.text)
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
    """Whether two answers cannot both be right: of the same form, and neither number within what the other says."""
    forms = {form_of(one), form_of(other)}
    if len(forms) > 1 and not forms <= _COMPARABLE:
        return False
    return not (_allows(one, other) or _allows(other, one))


def _allows(bound: str, exact: str) -> bool:
    """Whether one answer says more than, at most or about a number that the other one gives: over 400 allows 412."""
    limit, number = _value(bound), _value(exact)
    if limit is None or number is None:
        return False
    if _MORE.search(bound):
        return number >= limit
    if _LESS.search(bound):
        return number <= limit
    return bool(_ROUND.search(bound)) and abs(number - limit) <= NEAR * limit


def _value(text: str) -> float | None:
    """The one number that a text says, in digits or in words (four hundred); None where it says none or several."""
    if found := digits(text):
        return float(*found) if len(found) == 1 else None
    said = [int(in_digits(word)) for word in words(text) if in_digits(word) != word]
    total = 0
    for number in said:
        total = max(total, 1) * number if number in _MULTIPLES else total + number
    return float(total) if said else None
