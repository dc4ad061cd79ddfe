"""Tables of a PDF whose cells are divided by drawn lines, and where they stand on their page.

Where nothing is drawn between columns their bounds would be guessed; such a table is read line by line, as text.
"""

import io
import logging
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pdfplumber.page import Page

Rows = list[list[str]]

FEWEST_LINES = 4
"""Lines and rectangles that a page draws where a table of two rows and two columns is ruled."""
LEAST_FILLED = 0.5
"""Share of the cells of a table that have text; a form, or what only frames a page, has less."""
SHARE = 0.3
"""Of the time a file may take, what may go into looking for tables."""

_DRAWN = re.compile(rb"(?<=\s)(?:re|l)(?=\s)")


def is_ruled(drawn: bytes) -> bool:
    """Whether what a page draws has lines enough for a table."""
    return len(_DRAWN.findall(drawn)) >= FEWEST_LINES


Placed = list[tuple[float, float, Rows]]
"""Tables from top to bottom, each behind its upper and lower end."""


def with_tables(content: bytes, pages: Sequence[int], *, seconds: float) -> dict[int, Placed]:
    """The tables of these pages, counted from 0.

    Ends after so many seconds with the pages it came to. Of a page that pdfplumber cannot draw nothing is found: its
    text is there without.
    """
    import pdfplumber

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    until = time.monotonic() + seconds
    found: dict[int, Placed] = {}
    with _drawn_or_not(), pdfplumber.open(io.BytesIO(content)) as file:
        for number in pages:
            if time.monotonic() > until:
                return found
            found[number] = []
            with _drawn_or_not():
                page = file.pages[number]
                found[number] = list(_tables(page))
                page.close()
    return {number: [] for number in pages} | found


NOT_REACHED = "Tables on {} of its pages are read line by line: allow more time with VERIDIC_FILE_SECONDS."


@contextmanager
def _drawn_or_not() -> Iterator[None]:
    """What cannot be drawn has no tables; whatever pdfplumber raises, but for want of memory, says so."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001
        logging.getLogger(__name__).debug("No tables are looked for: %r", error)


def _tables(page: "Page") -> Iterator[tuple[float, float, Rows]]:
    """The tables from top to bottom, none inside another."""
    below = 0.0
    for table in sorted(page.find_tables(), key=lambda one: (one.bbox[1], -one.bbox[3])):
        rows = [[" ".join((cell or "").split()) for cell in row] for row in table.extract()]
        rows = _without_empty_columns([row for row in rows if any(row)])
        if table.bbox[1] >= below and _is_table(rows):
            below = table.bbox[3]
            yield table.bbox[1], table.bbox[3], rows


def _is_table(rows: Rows) -> bool:
    cells = [cell for row in rows for cell in row]
    shaped = len(rows) > 1 and len(rows[0]) > 1
    return shaped and sum(map(bool, cells)) >= LEAST_FILLED * len(cells)


def _without_empty_columns(rows: Rows) -> Rows:
    filled = [any(column) for column in zip(*rows, strict=True)]
    return [[cell for cell, kept in zip(row, filled, strict=True) if kept] for row in rows]
