"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; what would end a cell is told otherwise."""
    return "\n".join([_row(head), f"|{'---|' * len(head)}", *map(_row, rows)])


def paragraph(text: str) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(text.partition("\n\n")[0].split())


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
