"""Tables as stored text: whole, or in parts that each begin with the row that names the columns."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

MAX_WHOLE_CHARACTERS = 4000
"""A table or code block above this is cut."""

PART_CHARACTERS = 1200
"""A part of a table holds at most this many, or one row; about what the embedder reads of one text."""


def row_of(cells: Sequence[str]) -> str:
    """A row as stored text has it."""
    return "| " + " | ".join(" ".join(cell.split()) for cell in cells) + " |"


def parts(header: Sequence[str], rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Which rows stand together below the header lines: spans of `rows`, one of all where the table stays whole."""
    above = sum(len(line) + 1 for line in header)
    if above + sum(len(row) + 1 for row in rows) <= MAX_WHOLE_CHARACTERS:
        yield 0, len(rows)
        return
    start, size = 0, above
    for at, row in enumerate(rows):
        if at > start and size + len(row) + 1 > PART_CHARACTERS:
            yield start, at
            start, size = at, above
        size += len(row) + 1
    if start < len(rows):
        yield start, len(rows)


def stays_whole(header: str, row: str) -> bool:
    """Whether a row fits one chunk together with its header."""
    return len(header) + 1 + len(row) <= MAX_WHOLE_CHARACTERS


def told(header: Sequence[str], cells: Sequence[str]) -> Iterator[str]:
    """A row that is too long for a table, a paragraph for each cell: the row's name, the column's, the cell."""
    name = cells[0] if len(cells[0]) <= PART_CHARACTERS // 4 else ""
    for column, cell in zip_longest(header, cells, fillvalue=""):
        if cell.strip() and cell is not name:
            said = ", ".join(part for part in (name, column) if part)
            yield f"{said}: {cell}" if said else cell
