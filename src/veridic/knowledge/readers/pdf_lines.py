"""The lines of a PDF's page with their places, by PDFium: raised characters told, columns one after the other."""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
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
    at = 0
    while at < len(rows):
        length, gutter = _columns_from(rows, at)
        if length:
            both = [line for row in rows[at : at + length] for line in row]
            yield from (line for line in both if line.right <= gutter)
            yield from (line for line in both if line.right > gutter)
        else:
            length = 1
            yield from rows[at]
        at += length


def _columns_from(rows: Sequence[Sequence[Line]], first: int) -> tuple[int, float]:
    """How many rows from this one on are two columns of prose, and where the second begins; 0 where they are none."""
    left, right, count = 0.0, float("inf"), 0
    for row in islice(rows, first, None):
        if len(row) > 1:
            gap = (row[0].right, row[1].left)
        else:
            gap = (row[0].right, right) if row[0].right < right else (left, row[0].left)
        if len(row) > 2 or max(left, gap[0]) >= min(right, gap[1]) or (count == 0 and len(row) == 1):
            break
        left, right, count = max(left, gap[0]), min(right, gap[1]), count + 1
    beside = [row for row in rows[first : first + count] if len(row) > 1]
    prose = len(beside) >= FEWEST_LINES and all(_is_prose([row[side] for row in beside]) for side in (0, 1))
    return (count if prose else 0), right


def _is_prose(lines: Sequence[Line]) -> bool:
    words = sum(len(line.text.split()) for line in lines)
    wrapped = sum(line.text[:1].islower() for line in lines)
    return words >= FEWEST_WORDS * len(lines) and wrapped >= WRAPPED * (len(lines) - 1)
