"""Of what form an answer is (an amount of money, a time of day, words), and which forms answer which question.

A small reader takes what stands near: "$70" for how long something takes, "Fridays" for what it costs.
"""

from __future__ import annotations

import re
from typing import Literal

from veridic.text.dates import MONTHS, WEEKDAYS
from veridic.text.facts import in_digits

Form = Literal["money", "time of day", "share", "date", "day of the week", "duration", "number", "words"]

_DAY = rf"(?:{'|'.join(WEEKDAYS)})s?"
_MONTH = rf"(?:{'|'.join(MONTHS)})(?= ?\d|\W*$)"
_FORMS: tuple[tuple[Form, re.Pattern[str]], ...] = (
    ("money", re.compile(r"[$£€¥]\s?\d|\d\s?(?:euros?|pounds?|dollars?|crowns?|francs?|cents?|[$£€¥])|\d [A-Z]{3}\b")),
    ("time of day", re.compile(r"\b\d{1,2}[.:]\d\d\b|\b\d{1,2} ?[ap]\.?m\b")),
    ("share", re.compile(r"\d\s?(?:%|percent|per cent)")),
    ("date", re.compile(rf"\b(?:1\d|20)\d\d\b|\b{_MONTH}", re.IGNORECASE)),
    ("day of the week", re.compile(rf"\b{_DAY}\b", re.IGNORECASE)),
    ("duration", re.compile(r"\b(?:second|minute|hour|day|night|week|month|year)s?\b", re.IGNORECASE)),
    ("number", re.compile(r"\d")),
)
"""The first that fits is the form."""
_TIMED = r"(?:seconds|minutes|hours|days|nights|weeks|weekends|months|years|times)\b"
_COST = r"(?:cost|price|pay|paid|fee|rent|charge|owe|fine|deposit|salary|wage|worth|earn|spend|spent)"
_BEGUN: tuple[tuple[str, frozenset[Form]], ...] = (
    (r"(?:for |after |until )?how long\b", frozenset(("money", "share", "day of the week"))),
    (r"how many\b(?!.*(?:percent|per cent|%))", frozenset(("money", "share"))),
    (r"how many\b(?! (?:days|weekdays))", frozenset(("day of the week",))),
    (rf"how many (?!(?:\w+ )?{_TIMED})\w", frozenset(("duration", "time of day"))),
    (rf"how much\b.*\b{_COST}", frozenset(("day of the week", "duration"))),
    (rf"what\b.*\b{_COST}s?\W*$", frozenset(("day of the week", "duration"))),
    (rf"(?:what|which) (?:is|was|are|were) the (?:\w+ )?{_COST}", frozenset(("day of the week", "duration"))),
    (r"(?:(?:since|until|by|from) )?when\b", frozenset(("money", "share"))),
    (r"(?:at |on |in )?(?:what|which) (?:time|day|date|year|month)\b", frozenset(("money", "share"))),
    (
        r"(?:(?:to|by|for|with|from) )?(?:who|whom|whose|where)\b",
        frozenset(("money", "share", "time of day", "duration", "number")),
    ),
)
_UNFIT = [(re.compile(rf"\W*{begun}", re.IGNORECASE), forms) for begun, forms in _BEGUN]
"""Which forms answer none of the questions that begin so."""


def form_of(answer: str) -> Form:
    """Of what form an answer is: what it holds first of all."""
    spelt = " ".join(map(in_digits, answer.split()))
    return next((name for name, form in _FORMS if form.search(spelt)), "words")


def may_answer(question: str, answer: str) -> bool:
    """Whether an answer is of a form that the question may be answered by; a name with a number in it is words."""
    form = form_of(answer)
    if form in ("number", "time of day", "duration") and _has_name(answer):
        return True
    return not any(begins.match(question) and form in forms for begins, forms in _UNFIT)


def _has_name(answer: str) -> bool:
    """Whether a word with a capital letter stands in it: Room 12, Dr Hour."""
    return any(word[:1].isupper() for word in answer.split())
