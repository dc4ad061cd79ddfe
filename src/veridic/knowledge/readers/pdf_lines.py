"""The lines of a PDF's page with their places, by PDFium: raised characters told, columns one after the other."""

import ctypes
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from veridic.knowledge.readers.raised import raised

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

RAISED, SMALLER = 0.15, 0.9
"""Shares of its line's size: so much higher, and at most so large, stands what is raised."""
SPACE = 0.12
"""Of the size of the text lies between two words, at least."""
GUTTER = 1.0
"""Sizes of the text that lie between two columns, at least."""
FEWEST_LINES = 3
"""Lines beside each other that may be columns."""
FEWEST_WORDS = 3
"""Words of a line in a column of prose, on the average; cells of a table have fewer."""
WRAPPED = 0.5
"""Share of the lines of prose that go on in the middle of a sentence."""
_HYPHENS = ("\x02", "\ufffe")
"""What PDFium gives for a hyphen at the end of a line."""


class Character(NamedTuple):
    """A character where it stands; `top` counts down from the top of the page."""

    text: str
    left: float
    right: float
    top: float
    """Of its baseline."""
    size: float


@dataclass(frozen=True)
class Line:
    """What stands in a line."""

    text: str
    left: float
    right: float
    top: float
    size: float
    apart: bool = False
    """Whether it belongs to no paragraph."""
    column: int = 0
    """The number of the column on its page, or of the stretch between columns, in which it stands."""


def lines_of(page: "PdfPage") -> list[Line]:
    """The lines of a page as they are read, in parts where wide gaps are in them."""
    return list(_in_columns(list(_lines(page))))


def in_rows(lines: Iterable[Line]) -> list[Line]:
    """Lines that follow each other on one height as one."""
    rows = [list(row) for _, row in groupby(lines, key=lambda line: (line.top, line.apart))]
    return [
        replace(row[0], text=" ".join(line.text for line in row), size=max(line.size for line in row)) for row in rows
    ]


def _characters(page: "PdfPage") -> Iterator[Character]:
    """The characters of a page as it is shown, which may be turned."""
    import pypdfium2.raw as pdfium

    text, turned = page.get_textpage(), page.get_rotation()
    width, height = page.get_size()
    x, y = ctypes.c_double(), ctypes.c_double()
    for at in range(text.count_chars()):
        code = chr(pdfium.FPDFText_GetUnicode(text, at))
        left, low, right, high = text.get_charbox(at, loose=True)
        pdfium.FPDFText_GetCharOrigin(text, at, x, y)
        if turned == 90:
            yield Character(code, low, high, x.value, right - left)
        elif turned == 180:
            yield Character(code, width - right, width - left, y.value, high - low)
        elif turned == 270:
            yield Character(code, width - high, width - low, height - x.value, right - left)
        else:
            yield Character(code, left, right, height - y.value, high - low)
    text.close()


def _lines(page: "PdfPage") -> Iterator[Line]:
    """Lines where PDFium ends them, but not at what is raised; what is far beside is a line of its own, see columns."""
    line: list[Character] = []
    ended = False
    for character in _characters(page):
        if character.text in "\r\n\0":
            ended = True
            continue
        if ended and line and not _goes_on(line, character):
            yield from _told(line)
            line = []
        elif ended and line and character.left - line[-1].right > SPACE * character.size:
            line.append(line[-1]._replace(text=" "))
        ended = False
        line.append(character)
        if character.text in _HYPHENS:
            yield from _told(line)
            line = []
    yield from _told(line)


def _goes_on(line: Sequence[Character], character: Character) -> bool:
    """Whether a character stands in a line that seemed to end."""
    size = max(one.size for one in line)
    level = median(one.top for one in line if one.size > SMALLER * size)
    beside = line[-1].right - size < character.left < line[-1].right + 2 * size
    if all(_is_raised(one, character.top, character.size) for one in line):
        return beside
    return beside and (abs(character.top - level) < RAISED * size or _is_raised(character, level, size))


def _is_raised(character: Character, level: float, size: float) -> bool:
    return RAISED * size < level - character.top < size and 0 < character.size < SMALLER * size


def _told(line: list[Character]) -> Iterator[Line]:
    """A line, in parts where wide gaps are in it."""
    written = [one for one in line if not one.text.isspace()]
    if not written:
        return
    size = max(one.size for one in written)
    level = median(one.top for one in written if one.size > SMALLER * size)
    part: list[Character] = []
    right = written[0].left
    for one in line:
        if not one.text.isspace():
            if part and one.left - right > GUTTER * size:
                yield Line(_text(part, level, size), part[0].left, right, level, size)
                part = []
            right = one.right
        if part or not one.text.isspace():
            part.append(one)
    yield Line(_text(part, level, size), part[0].left, right, level, size)


def _text(line: Sequence[Character], level: float, size: float) -> str:
    text = ""
    for is_raised, group in groupby(line, key=lambda one: _is_raised(one, level, size) and not one.text.isspace()):
        told = "".join(one.text for one in group)
        text = f"{text.rstrip()}{raised(text.rstrip(), told)}" if is_raised else text + told
    return " ".join(text.translate(dict.fromkeys(map(ord, _HYPHENS), "-")).split())


def _in_columns(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines that stand beside each other as they are read: from left to right, or in turn where they are prose."""
    rows = [list(row) for _, row in groupby(lines, key=lambda line: line.top)]
    at, number = 0, 0
    while at < len(rows):
        length, columns = _columns_from(rows, at)
        for column in columns:
            number += 1
            yield from (replace(line, column=number) for line in column)
        if columns:
            number += 1
        else:
            yield from (replace(line, column=number) for line in rows[at])
        at += length


def _columns_from(rows: Sequence[Sequence[Line]], first: int) -> tuple[int, list[list[Line]]]:
    """How many rows from this one on are columns of prose, and these columns; 1 and none where they are none."""
    gaps = [(one.right, two.left) for one, two in pairwise(rows[first])]
    taken: list[Line] = []
    count = 0
    for row in islice(rows, first, None):
        narrower = [_narrowed(gap, row) for gap in gaps]
        if any(left >= right for left, right in narrower):
            break
        gaps, count = narrower, count + 1
        taken += row
    begins = [right for _, right in gaps]
    columns = [[line for line in taken if bisect(begins, line.left) == at] for at in range(len(gaps) + 1)]
    if gaps and all(len(column) >= FEWEST_LINES and _is_prose(column) for column in columns):
        return count, columns
    return 1, []


def _narrowed(gap: tuple[float, float], row: Iterable[Line]) -> tuple[float, float]:
    """What a row leaves free of the gap between two columns; nothing where a line stands in both."""
    left, right = gap
    middle = (left + right) / 2
    for line in row:
        if line.left < middle:
            left = max(left, line.right)
        else:
            right = min(right, line.left)
    return left, right


def _is_prose(lines: Sequence[Line]) -> bool:
    words = sum(len(line.text.split()) for line in lines)
    wrapped = sum(line.text[:1].islower() for line in lines)
    return words >= FEWEST_WORDS * len(lines) and wrapped >= WRAPPED * (len(lines) - 1)
