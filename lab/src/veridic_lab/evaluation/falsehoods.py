"""Facts altered by construction: an answer gives way to a false one of the same kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from veridic.text.facts import numbers
from veridic_lab.evaluation.answers import holds_alias
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.training.made import seeded
from veridic_lab.training.pairs import fraction_of
from veridic_lab.training.rules import wrong_date, wrong_number

Fact = Literal["date", "number", "entity"]

LONGEST = 5
"""Words of an answer that is altered; longer ones are rarely a single fact."""

_DATE = re.compile(
    r"\b(?:1[0-9]{3}|20[0-9]{2}|January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_ENTITY = re.compile(r"(?:[A-Z][\w.'’&-]*)(?: (?:[A-Z][\w.'’&-]*|of|the|de|la|von|van|and|for|in|du))*")
_ARTICLE_FIRST = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_ARTICLE_LAST = re.compile(r"\b(?:the|an?) $", re.IGNORECASE)


def fact_of(answer: str) -> Fact | None:
    """What kind of fact a short answer is; None for what is none, and could not be altered alone."""
    if len(answer.split()) > LONGEST:
        return None
    if _DATE.search(answer):
        return "date"
    if numbers(answer):
        return "number"
    return "entity" if _ENTITY.fullmatch(answer) else None


def falsified(question: GoldQuestion, text: str, others: Sequence[GoldQuestion]) -> tuple[str, str] | None:
    """A false answer, and the text with it wherever the accepted one stood.

    Numbers and dates are changed by the rules that the critic's training uses; a name gives way to another
    question's. The falsehood stood neither in the text nor in the question. None where the answer
    is no single fact, stands nowhere in the text, or stands there in two wordings.
    """
    own = next((one for one in sorted(question.answers, key=len, reverse=True) if _standing(one, text)), None)
    if own is None:
        return None
    here = f"{question.text} {text} {' '.join(question.answers)}"
    false = next((one for one in _false(own, question, others) if one and not holds_alias(here, [one])), None)
    changed = _replaced(text, own, false) if false else text
    return (false, changed) if false and not holds_alias(changed, question.answers) else None


def _false(own: str, question: GoldQuestion, others: Sequence[GoldQuestion]) -> Iterator[str | None]:
    """False answers of the same kind, the most alike first."""
    rng = seeded(int(fraction_of(f"falsehood:{question.id}") * 2**32))
    match fact_of(own):
        case "date":
            yield wrong_date(own, rng, ())
        case "number":
            yield wrong_number(own, rng, ())
        case "entity":
            near = sorted(others, key=lambda other: _distance(own, question, other))
            yield from (
                other.answers[0]
                for other in near
                if other.group != question.group and fact_of(other.answers[0]) == "entity"
            )


def _standing(answer: str, text: str) -> list[re.Match[str]]:
    """Where an answer stands as a run of whole words and numbers."""
    return list(re.finditer(rf"(?<!\w)(?<!\d[.,]){re.escape(answer)}(?!\w)(?![.,]\d)", text, re.IGNORECASE))


def _replaced(text: str, own: str, false: str) -> str:
    for match in reversed(_standing(own, text)):
        text = put_in(text, match.start(), match.end(), false)
    return text


def put_in(text: str, start: int, end: int, new: str) -> str:
    """The text with another answer between two offsets; no article is doubled."""
    if _ARTICLE_LAST.search(text[:start]):
        new = _ARTICLE_FIRST.sub("", new)
    return text[:start] + new + text[end:]


def _distance(own: str, question: GoldQuestion, other: GoldQuestion) -> tuple[bool, int, float]:
    """How unlike the other question is; equals are told apart by lot."""
    return (
        _asked_with(question) != _asked_with(other),
        abs(len(own.split()) - len(other.answers[0].split())),
        fraction_of(f"falsehood:{question.id}\0{other.id}"),
    )


def _asked_with(question: GoldQuestion) -> str:
    found = re.search(r"\b(?:who|when|where|which|what|how)\b", question.text, re.IGNORECASE)
    return found.group().lower() if found else ""
