"""Numbers, dates and times of two texts in one notation: small judges take 1250000 and 1,250,000 for different amounts.

They also take -18 for 18, and 1,250 for 1,250,000: what differs in nothing but its sign or its scale is said to differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from dateutil.parser import ParserError, parse

_DATE = re.compile(
    r"(?<![\w./-])(?:\d{4}-\d\d?-\d\d?|\d\d?([./-])\d\d?\1\d{4}"
    r"|\d\d?(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]{2,8}\.?,? \d{4}|[A-Z][a-z]{2,8}\.? \d\d?(?:st|nd|rd|th)?,? \d{4})(?!\w)"
)
_TIME = re.compile(r"(?<![\w.,:])(\d\d?)(?:[:.](\d\d))?(?: ?([ap])\.?m\b\.?|(?<=:\d\d)(?![\w:]))", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<minus>(?:minus |(?<![^\s(])[-−–]))?(?P<currency>[$£€¥] ?)?"
    r"(?P<digits>\d{1,3}(?:(?P<comma>[, \u00a0\u202f])\d{3})(?:(?P=comma)\d{3})*(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)"
    r"(?: ?(?P<scale>thousand|million|billion|mn|bn)\b|(?P<short>[kKmMbB])\b)?"
)
_SEPARATORS = str.maketrans("", "", ", \u00a0\u202f")
_SCALES = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9}
_FIRSTS = datetime(1900, 1, 1), datetime(1901, 2, 2)
"""What a text that is read as a date leaves out is taken from these in turn: only whole dates come out the same."""


@dataclass(frozen=True)
class Value:
    """A number, a date or a time, and the characters of a text that say it."""

    start: int
    end: int
    of: str
    """What it is worth, whatever its notation: `-18`, `2027-12-31`, `19:30`."""

    @property
    def figures(self) -> str:
        """Of a number what is left without sign, point and zeros at its ends; empty of a date or time."""
        return "" if ":" in self.of or "-" in self.of[1:] else self.of.lstrip("-").replace(".", "").strip("0")


def values(text: str) -> list[Value]:
    """The numbers, dates and times of a text that are written in digits, in order. 03/04/2025 may be two: none."""
    found = [*_dates(text)]
    for more in (_times(text), _numbers(text)):
        found += [one for one in more if all(one.end <= other.start or other.end <= one.start for other in found)]
    return sorted((one for one in found if one.of), key=lambda one: one.start)


def in_notation_of(statement: str, premise: str) -> str:
    """A premise whose numbers, dates and times are written as the statement writes them, where they are the same.

    Of a number that the statement has with another sign or scale the premise says besides that it is not that one.
    """
    said = values(statement)
    if not said:
        return premise
    written = {one.of: statement[one.start : one.end] for one in said}
    looks = {one.figures: one.of for one in said if one.figures}
    own = values(premise)
    held = {one.of for one in own}
    for one in reversed(own):
        plain = premise[one.start : one.end]
        like = looks.get(one.figures)
        if one.of in written:
            plain = written[one.of]
        elif like and like not in held:
            plain = f"{plain}, not {written[like]},"
        premise = premise[: one.start] + plain + premise[one.end :]
    return premise


def _dates(text: str) -> Iterator[Value]:
    for match in _DATE.finditer(text):
        days = {_day(match.group().replace(" of ", " "), first) for first in (True, False)}
        yield Value(match.start(), match.end(), days.pop() if len(days) == 1 else "")


def _day(written: str, day_first: bool) -> str:
    """A date as YYYY-MM-DD; empty where it is none."""
    year_first = written[:4].isdigit()
    try:
        read = [parse(written, dayfirst=day_first and not year_first, default=one) for one in _FIRSTS]
    except (ParserError, OverflowError):
        return ""
    return read[0].date().isoformat() if read[0] == read[1] else ""


def _times(text: str) -> Iterator[Value]:
    for match in _TIME.finditer(text):
        hour, minute, half = match.groups()
        at = int(hour) % 12 + 12 * (half in "pP") if half else int(hour)
        if at <= 24 and int(minute or 0) < 60:
            yield Value(match.start(), match.end(), f"{at:02}:{minute or '00'}")


def _numbers(text: str) -> Iterator[Value]:
    for match in _NUMBER.finditer(text):
        short = (match["short"] or "") if match["currency"] else ""
        scale = match["scale"] or short
        amount = Decimal(match["digits"].translate(_SEPARATORS)).scaleb(_SCALES.get(scale.lower(), 0))
        worth = f"{(-amount if match['minus'] else amount).normalize():f}"
        start = match.start("digits") if match["currency"] and not match["minus"] else match.start()
        yield Value(start, match.end("digits") if match["short"] and not short else match.end(), worth)
