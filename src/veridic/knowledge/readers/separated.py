"""CSV and TSV: a record for each row."""

import csv
from collections.abc import Sequence

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.knowledge.readers.tables import names_columns
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits

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
    reader = csv.reader(_lines(text), delimiter=separator)
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
    lines = _lines(text)[:LOOKED_AT]

    def cut(separator: str) -> tuple[bool, int]:
        widths = [len(row) for row in csv.reader(lines, delimiter=separator) if row]
        return len(set(widths)) == 1 and widths[0] > 1, min(widths, default=0)

    return max(SEPARATORS, key=cut)


def _lines(text: str) -> Sequence[str]:
    return text.splitlines(keepends=True)
