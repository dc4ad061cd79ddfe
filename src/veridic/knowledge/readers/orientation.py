"""Which way a table runs: most are of one thing in each row, comparisons of one in each column."""

import re
from calendar import month_abbr, month_name
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest

from veridic.knowledge.readers.records import LONGEST_NAME
from veridic.knowledge.readers.units import with_unit

LOOKED_AT = 50
"""Rows by which it is told."""

ALIKE = 0.5
"""Share of the pairs of values in a row, from which on rows hold values of one kind."""

APART = 2
"""How many times more often two values of a row are of one kind than two of a column."""

_WORDS = "words"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SEVERAL = re.compile(r"#(?:\s*[,;/–-]\s*#)+")
_PREFIX = re.compile(r"\b[kmgtpcd](?=(?:b|hz|g|l|m|pa|wh?)\b)")
"""What makes a multiple of a unit, lower-cased: a GB and a TB are of one kind."""
_MONTH = re.compile(rf"\b(?:{'|'.join(name.lower() for name in (*month_name, *month_abbr) if name)})\b")


def describes_columns(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Whether a table, whose first column names its rows, has its things in columns and their properties in rows.

    Then values of a row are of one kind (8 GB, 32 GB), those of a column are not (8 GB, 310 g). Words tell nothing of
    it, nor do numbers of one kind alone.
    """
    things = columns[1:]
    if len(things) < 2 or len(set(things)) < len(things) or not all(0 < len(name) <= LONGEST_NAME for name in things):
        return False
    kinds = [
        [_kind(cell, row[0], column) for cell, column in zip_longest(row[1:], things, fillvalue="")]
        for row in islice(rows, LOOKED_AT)
    ]
    numbers = {kind for line in kinds for kind in line} - {"", _WORDS}
    across, down = _alike(kinds), _alike(zip_longest(*kinds, fillvalue=""))
    return len(numbers) > 1 and across >= ALIKE and across >= APART * down


def turned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """The same table with its columns as rows: what names them now, and the rows."""
    first, *things = map(list, zip_longest(columns, *rows, fillvalue=""))
    return first, things


def _alike(lines: Iterable[Sequence[str]]) -> float:
    """Of the pairs of values in a line, one of them a number at least, the share that is of one kind."""
    same = every = 0
    for line in lines:
        found = Counter(filter(None, line))
        words = found.pop(_WORDS, 0)
        numbers = found.total()
        same += sum(number * (number - 1) for number in found.values())
        every += numbers * (numbers - 1 + 2 * words)
    return same / every if every else 0.0


def _kind(cell: str, row: str, column: str) -> str:
    """What a value looks like but for its number, with the unit that its row or column tells: `# b`."""
    if not any(map(str.isdecimal, cell)):
        return cell and _WORDS
    told = {with_unit(name, cell)[1] for name in (row, column)} - {cell}
    shape = _MONTH.sub("month", min(told, default=cell).lower())
    return _SEVERAL.sub("#", _PREFIX.sub("", _NUMBER.sub("#", shape)))
