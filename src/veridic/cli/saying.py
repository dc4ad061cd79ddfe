"""Plain words, columns and JSON on their way to the terminal; nothing they hold acts there."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import typer

from veridic.exporting.outgoing import for_a_line, for_json, for_terminal
from veridic.ports.shapes import Promise


def say(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print a text, on standard error with `err`."""
    typer.echo(for_terminal(text) + end, err=err, nl=False)


def warn(text: str) -> None:
    """Say on standard error, in one line, what is amiss."""
    typer.echo(for_a_line(f"veridic: {text}"), err=True)


def say_json(content: object) -> None:
    """Print a JSON document."""
    typer.echo(for_json(content))


def aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of as many cells as lines, each column as wide as its widest cell; the last is not filled up."""
    from rich.cells import cell_len, set_cell_size

    table = [[for_a_line(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    filled = ((*map(set_cell_size, row[:-1], widths), row[-1]) for row in table)
    return ["  ".join(row).rstrip() for row in filled]


def say_rows(rows: Iterable[Sequence[str]], width: int | None = None) -> None:
    """Print rows in columns, each line shortened to so many terminal cells where a width is given."""
    say("\n".join(line if width is None else shortened(line, width) for line in aligned(rows)))


def shortened(text: str, width: int) -> str:
    """Text of at most this many terminal cells."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def when(written: str) -> str:
    """A time in this machine's zone."""
    return datetime.fromisoformat(written).astimezone().strftime("%Y-%m-%d %H:%M")


def promised(promises: Iterable[Promise]) -> str:
    """From which probability what is verified, and how often that was right."""
    told = (
        f"{one['kind']} from {one['verified_from']:.2f}, right {one['precision']:.3f} of {one['verified']}, "
        f"at least {one['least']:.3f} ({one['date']})"
        if one["verified_from"]
        else f"no {one['kind']}"
        for one in promises
    )
    return "; ".join(told) or "nothing was measured for these judges"
