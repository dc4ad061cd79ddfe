"""Plain text for terminals and pipes: one line each, in columns."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size

from veridic.text.outgoing import for_a_line


def aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of as many cells as lines, each column as wide as its widest cell; the last is not filled up."""
    table = [[for_a_line(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    filled = ((*map(set_cell_size, row[:-1], widths), row[-1]) for row in table)
    return ["  ".join(row).rstrip() for row in filled]


def fitted(rows: Iterable[Sequence[str]], width: int | None) -> list[str]:
    """`aligned`, each line shortened to so many terminal cells where a width is given."""
    return [line if width is None else shortened(line, width) for line in aligned(rows)]


def shortened(text: str, width: int) -> str:
    """Text of at most this many terminal cells."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def counted(count: int, what: str) -> str:
    """A count with its noun: `1 document`, `2,000 documents`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
