"""Of what form an answer is: an amount of money, a time of day, words."""

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


def form_of(answer: str) -> Form:
    """Of what form an answer is: what it holds first of all."""
    spelt = " ".join(map(in_digits, answer.split()))
    return next((name for name, form in _FORMS if form.search(spelt)), "words")
