"""Workbooks (xlsx) and separated values (csv, tsv): a record for each row, under a heading for each sheet."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import groupby, pairwise
from typing import TYPE_CHECKING
from zipfile import ZipFile

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.archive import check
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.knowledge.readers.tables import PAIR, heads_numbers, named_at, opening, stacked
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

_BRACKETS = re.compile(r"\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]")
"""A currency with its language, a colour or a condition."""
_ESCAPED = re.compile(r"\\(.)|[_*].")
"""A character as it is, or the width of one, or one that fills the cell."""
_QUOTED = re.compile(r'"[^"]*"')
_DIGITS = re.compile(r"([#0]+(?:,[#0]+)*)(\.[0#]*)?(,*)")
_OTHER = frozenset("/?E@")
"""Of formats of another kind: fractions, powers of ten, texts."""
_MERGED = re.compile(rb'<mergeCell ref="(\w+:\w+)"')
"""The cells that are one."""
_UNCALCULATED = re.compile(rb"(?:</f>|<f\b[^>]*/>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
"""The end of a cell with a formula and no value."""

HEADLESS = "No row names the columns of a table: put one above it"
"""What is said of values that are told without the names of their columns."""

SEPARATORS = ",;\t|"

LOOKED_AT = 20
"""Rows by which the separator is told."""


def read_separated(content: bytes, limits: FileLimits, separator: str = "") -> ParsedDocument:
    """Parse values with this between them, else commas, semicolons, tabs or bars. Raises `DocumentUnreadable`."""
    composer = Composer(limits)
    text, said = decode(content)
    csv.field_size_limit(limits.characters)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator or _separator(text))
    try:
        found = [(at, composer.cells(row)) for at, row in enumerate(reader, start=1)]
    except csv.Error as error:
        raise DocumentUnreadable(
            f"Line {reader.line_num} cannot be read ({error}).", "Save it as CSV in the program that wrote it."
        ) from error
    headless = _sheet(composer, [(at, row) for at, row in found if any(row)])
    return composer.finish(unread=". ".join(filter(None, (said, HEADLESS if headless else ""))))


def _separator(text: str) -> str:
    """What cuts the most of the first rows, one after another, into the same number of cells, and into the most."""
    lines = text.splitlines(keepends=True)[:LOOKED_AT]

    def cut(separator: str) -> tuple[int, int]:
        widths = groupby(len(row) for row in csv.reader(lines, delimiter=separator) if row)
        return max(((len(list(rows)), width) for width, rows in widths if width > 1), default=(0, 0))

    return max(SEPARATORS, key=cut)


def read_xlsx(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a workbook: values as they were last calculated; hidden sheets are left out.

    Raises `DocumentUnreadable`, and whatever openpyxl raises on a corrupt one.
    """
    import openpyxl

    check(content, limits, "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    composer = Composer(limits)
    headless, hidden = False, []
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            hidden.append(clean(sheet.title))
            continue
        sheet.reset_dimensions()  # what the sheet says of its size may be anything
        rows = ([_told(cell) for cell in row] for row in sheet.iter_rows())
        cells = list(enumerate(map(composer.cells, rows), start=1))
        _spread(sheet, [row for _, row in cells])
        composer.heading(1, clean(sheet.title), Place("row", 1, 1))
        headless |= _sheet(composer, [(at, row) for at, row in cells if any(row)])
    left_out = f"Hidden sheets are left out: {', '.join(hidden)}" if hidden else ""
    said = (HEADLESS if headless else "", left_out, _uncalculated(content))
    return composer.finish(clean(book.properties.title or ""), unread=". ".join(filter(None, said)))


def _spread(sheet: "ReadOnlyWorksheet", rows: list[list[str]]) -> None:
    """Say what a cell that reaches down over several rows says in each of them."""
    from openpyxl.utils import range_boundaries

    with sheet._get_source() as source:
        ranges = [range_boundaries(found.decode()) for found in _MERGED.findall(source.read())]
    for left, top, _, bottom in ranges:
        told = "".join(rows[top - 1][left - 1 : left]) if top <= len(rows) else ""
        for row in filter(any, rows[top:bottom]):
            row[left - 1 : left] = [told]


def _uncalculated(content: bytes) -> str:
    """What is said of formulas that no program has calculated, which have no value."""
    with ZipFile(io.BytesIO(content)) as book:
        sheets = (book.read(name) for name in book.namelist() if name.startswith("xl/worksheets/"))
        count = sum(len(_UNCALCULATED.findall(sheet)) for sheet in sheets)
    return f"{count:,} of its formulas have no value: open it in its own program and save it again" if count else ""


Numbered = list[tuple[int, list[str]]]
"""Rows that are not empty, with their numbers."""


def _sheet(composer: Composer, found: Numbered) -> bool:
    """Add the tables of a sheet; whether rows of one have no names of columns."""
    headless = [_table(composer, own) for own in _tables(found)]
    return any(headless)


def _tables(found: Numbered) -> Iterator[Numbered]:
    """The tables of a sheet. Below an empty row another one begins where names stand over numbers, or text alone."""
    own: Numbered = []
    for _, block in groupby(enumerate(found), lambda row: row[1][0] - row[0]):
        below = _narrowed([row for _, row in block])
        cells = [row for _, row in below]
        is_other = heads_numbers(cells) or opening(cells) == len(cells)
        if is_other and opening([row for _, row in own]) < len(own):
            yield own
            own = []
        own += below
    if own:
        yield own


def _narrowed(rows: Numbered) -> Numbered:
    """The rows without the columns behind the last one that any of them fills."""
    width = max(at for _, row in rows for at, cell in enumerate(row, start=1) if cell)
    return [(number, row[:width]) for number, row in rows]


def _table(composer: Composer, found: Numbered) -> bool:
    """Add a table, what stands above the names of its columns as text; whether its rows have no such names."""
    rows = [cells for _, cells in found]
    for at, pair in enumerate(pairwise(rows[:LOOKED_AT])):
        if names := stacked(*pair):
            rows[at : at + 2], found[at : at + 2] = [names], [found[at + 1]]
            break
    first = named_at(rows)
    above = opening(rows) if first is None else first
    for number, cells in found[:above]:
        composer.block(" ".join(filter(None, cells)), Place("row", number, number))
    composer.table(
        rows[above:], lambda at: Place("row", found[above + at][0], found[above + at][0]), int(first is not None)
    )
    return first is None and any(sum(map(bool, row)) > PAIR for row in rows[above:])


def _told(cell: "ReadOnlyCell | EmptyCell") -> str:
    """A cell's value as it is shown; a date without a time of day is a day."""
    value = cell.value
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else f"{value.date()} {_clock(value.time())}"
    if isinstance(value, time):
        return _clock(value)
    if isinstance(value, timedelta):
        hours, minutes = divmod(round(value.total_seconds() / 60), 60)
        return f"{hours}:{minutes:02}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return as_shown(value, cell.number_format)
    return "" if value is None else str(value)


def _clock(at: time) -> str:
    return at.isoformat("seconds" if at.second else "minutes")


def as_shown(value: float, code: str) -> str:
    """A number as a cell of this format shows it: `0 %`, `#,##0.00 "EUR"`; one of another kind as it is."""
    positive, *others = code.split(";")
    used = _ESCAPED.sub(r"\1", _BRACKETS.sub(r"\1", others[0] if value < 0 and others else positive))
    bare = _QUOTED.sub(lambda quoted: "\0" * len(quoted.group()), used)
    parts = _DIGITS.search(bare)
    if code == "General" or parts is None or _OTHER & set(bare):
        return f"{value:.15g}"
    whole, decimals, thousands = parts.groups(default="")
    before, after = (part.replace('"', "") for part in (used[: parts.start()], used[parts.end() :]))
    percent = "%" in before + after
    size = abs(value) * (100 if percent else 1) / 1000 ** len(thousands)
    number = f"{size:{',' if ',' in whole else ''}.{max(0, len(decimals) - 1)}f}"
    number = number.rstrip("0").rstrip(".") if "#" in decimals else number.zfill(whole.count("0"))
    return f"{'-' if value < 0 and not others else ''}{before}{number}{after}".strip()
