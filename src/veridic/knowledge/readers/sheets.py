"""Workbooks (xlsx) and separated values (csv, tsv): a record for each row, under a heading for each sheet."""

import csv
import io
from collections.abc import Iterator
from datetime import datetime, time
from typing import TYPE_CHECKING

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.archive import check
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.knowledge.readers.tables import names_columns, opening
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

SEPARATORS = ",;\t|"

LOOKED_AT = 20
"""Rows by which the separator is told."""


def read_csv(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse comma-separated values, or what semicolons, tabs or bars separate. Raises `DocumentUnreadable`."""
    text = decode(content)
    return _read(text, _separator(text), limits)


def read_tsv(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse tab-separated values. Raises `DocumentUnreadable`."""
    return _read(decode(content), "\t", limits)


def _read(text: str, separator: str, limits: FileLimits) -> ParsedDocument:
    composer = Composer(limits)
    csv.field_size_limit(limits.characters)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator)
    found: list[list[str]] = []
    try:
        for row in reader:
            cells = composer.cells(row)
            if any(cells):
                found.append(cells)
    except csv.Error as error:
        raise DocumentUnreadable(
            f"Line {reader.line_num} cannot be read ({error}).", "Save it as CSV in the program that wrote it."
        ) from error
    headers = int(names_columns(found[0])) if found else 0
    composer.table(found, lambda at: Place("row", at + 1, at + 1), headers)
    return composer.finish("")


def _separator(text: str) -> str:
    """What cuts the first rows into the same number of cells, and into the most."""
    lines = text.splitlines(keepends=True)[:LOOKED_AT]

    def cut(separator: str) -> tuple[bool, int]:
        widths = [len(row) for row in csv.reader(lines, delimiter=separator) if row]
        return len(set(widths)) == 1 and widths[0] > 1, min(widths, default=0)

    return max(SEPARATORS, key=cut)


def read_xlsx(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a workbook: values as they were last calculated, hidden sheets left out.

    Raises `DocumentUnreadable`, and whatever openpyxl raises on a corrupt one.
    """
    import openpyxl

    check(content, limits, "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    composer = Composer(limits)
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            continue
        sheet.reset_dimensions()  # what the sheet says of its size may be anything
        cells = [(at, composer.cells([_told(value) for value in row])) for at, row in _numbered(sheet)]
        composer.heading(1, clean(sheet.title), Place("row", 1, 1))
        _sheet(composer, [(at, row) for at, row in cells if any(row)])
    return composer.finish(clean(book.properties.title or ""))


def _numbered(sheet: "ReadOnlyWorksheet") -> Iterator[tuple[int, tuple[object, ...]]]:
    return enumerate(sheet.iter_rows(values_only=True), start=1)


def _sheet(composer: Composer, found: list[tuple[int, list[str]]]) -> None:
    """Add a sheet; rows of one cell above the table are text."""
    first = opening([cells for _, cells in found])
    for number, cells in found[:first]:
        composer.block(" ".join(filter(None, cells)), Place("row", number, number))
    numbers, rows = [number for number, _ in found[first:]], [cells for _, cells in found[first:]]
    headers = int(names_columns(rows[0])) if rows else 0
    composer.table(rows, lambda at: Place("row", numbers[at], numbers[at]), headers)


def _told(value: object) -> str:
    """A cell's value as people write it; a date without a time of day is a day."""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return "" if value is None else str(value)
