"""Small changes that make a question ask for something else; None where a sentence has nothing to change."""

from __future__ import annotations

import re

from veridic_lab.training.tables import table
from veridic_lab.training.wording import Rng, pick, put

_YEAR = re.compile(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b")
_MONTHS = "January February March April May June July August September October November December".split()
_OPPOSITE = {a: b for pair in table(__package__, "opposites") for a, b in (pair, pair[::-1])}
_OPPOSITE_WORD = re.compile(r"\b(" + "|".join(sorted(_OPPOSITE, key=len, reverse=True)) + r")\b")


def wrong_date(sentence: str, rng: Rng) -> str | None:
    """A year or a month becomes another."""
    found = [*_YEAR.finditer(sentence), *re.finditer(r"\b(" + "|".join(_MONTHS) + r")\b(?= \d|, \d)", sentence)]
    if not found:
        return None
    match = pick(rng, found)
    if match.group() in _MONTHS:
        return put(sentence, match, pick(rng, [m for m in _MONTHS if m != match.group()]))
    step = int(pick(rng, (1, 2, 3, 5, 8, 10, 20, 30))) * int(pick(rng, (-1, 1)))
    return put(sentence, match, str(int(match.group()) + step))


def opposite_word(sentence: str, rng: Rng) -> str | None:
    """A word becomes its opposite, or a unit another."""
    found = list(_OPPOSITE_WORD.finditer(sentence))
    if not found:
        return None
    match = pick(rng, found)
    return put(sentence, match, _OPPOSITE[match.group()])
