"""Questions that compare two things: what is asked of each, and which value wins.

"Which bridge is longer, the Alder or the Forth?" asks how long each is and takes the larger. By the form of the
comparison, not by what is compared; the questions made are for a reader, and need not be fine English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from veridic.text.dates import MONTHS, YEAR
from veridic.text.kinds import options_of

_SMALLER = frozenset(
    "smaller shorter lower lighter slower nearer closer cheaper narrower thinner shallower weaker colder less fewer "
    "earlier first older".split()
)
"""Comparatives whose answer has the smaller value; who is older was born earlier."""
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), asks)
    for pattern, asks in (
        (r"\b(?P<how>older|younger)\b", "When was {one} born?"),
        (r"\b(?:is|was|are|were) (?P<verb>\w+) (?P<how>first|earlier|later|last)\b", "When was {one} {verb}?"),
        (r"\b(?P<verb>\w+(?: (?:out|up|off|in|on))?) (?P<how>first|earlier|later|last)\b", "When did {one} {verb}?"),
        (r"\b(?:costs? (?P<how>more|less)|is (?:more expensive|(?P<cheap>cheaper)))\b", "How much does {one} cost?"),
        (r"\b(?P<verb>\w+) (?P<how>more|fewer|less) (?P<noun>\w[^,?]*)", "How many {noun} {verb} {one}?"),
        (r"\b(?P<verb>weighs?|lasts?|takes?|measures?) (?P<how>more|less|longer|shorter)\b", "How much {verb} {one}?"),
        (r"\b(?:is|was|are|were) (?:the )?(?P<how>[a-z]+er)\b", "How {base} is {one}?"),
    )
)  # fmt: skip
_LOST_E = re.compile(r"(?:rg|[vcz]|[aeiou]s|[iu]d|[aiu]t|[ai]f|in|[pt]l)$")
_MONTHS = {name: number for number, name in enumerate(MONTHS, start=1)}
_DATE = re.compile(
    rf"(?:(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?)?({'|'.join(_MONTHS)})(?: (\d{{1,2}}))?,? (\d{{4}})", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?P<sign>[£$€])?\s?(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>thousand|million|billion)?\s?"
    r"(?P<unit>[a-zA-Z°%]+)?"
)
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}


@dataclass(frozen=True)
class Comparison:
    """What is asked of each of two things; the smaller or the larger value answers."""

    options: tuple[str, str]
    questions: tuple[str, str]
    smaller: bool


@dataclass(frozen=True)
class Value:
    """A number and what it counts; dates count days."""

    number: float
    unit: str


def comparison(question: str) -> Comparison | None:
    """The comparison that a question asks for; None where it names no two things, or compares in no known form."""
    options = options_of(question)
    if len(options) != 2:
        return None
    left, right = options
    stem = question.replace(f"{left} or {right}", "").replace(f"{left}, or {right}", "").rstrip(" ?,:")
    for form, asks in _FORMS:
        if found := form.search(stem):
            named = {name: text or "" for name, text in found.groupdict().items()}
            named["base"] = _base(named.get("how", ""))
            how = (named.get("how") or named.get("cheap") or "more").lower()
            first, second = (asks.format(**{**named, "one": one}) for one in options)
            return Comparison((left, right), (first, second), how in _SMALLER)
    return None


def _base(comparative: str) -> str:
    """What a comparative in -er is made of: large of larger, big of bigger, heavy of heavier."""
    stem = comparative.lower().removesuffix("er")
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return f"{stem}e" if _LOST_E.search(stem) else stem


def value_in(text: str) -> Value | None:
    """The first date, else the first number with its unit; None where there is neither."""
    if found := _DATE.search(text):
        day = int(found.group(1) or found.group(3) or 1)
        return _day(int(found.group(4)), _MONTHS[found.group(2).lower()], day)
    if not (number := _NUMBER.search(text)):
        return None
    amount = float(number["number"].replace(",", "")) * _SCALES.get((number["scale"] or "").lower(), 1)
    if not number["unit"] and not number["sign"] and YEAR.fullmatch(number["number"]):
        return _day(int(amount), 1, 1)
    return Value(amount, number["sign"] or (number["unit"] or "").lower().rstrip("s"))


def winner(asked: Comparison, first: str, second: str) -> str | None:
    """The option whose value wins; None where a value is missing, they are the same, or count different things."""
    left, right = value_in(first), value_in(second)
    if left is None or right is None or left.unit != right.unit or left.number == right.number:
        return None
    return asked.options[0] if (left.number < right.number) == asked.smaller else asked.options[1]


def _day(year: int, month: int, day: int) -> Value | None:
    try:
        return Value(float(date(year, month, day).toordinal()), "day")
    except ValueError:
        return None
