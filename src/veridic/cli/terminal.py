"""Rich's console, with the words that are printed made fit for a terminal."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from veridic.text.outgoing import for_terminal


class Terminal(Console):
    """Of what is printed only Rich's own styles and movements act."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - Rich's own
        """`options` are those of Rich."""
        super().__init__(**{"emoji": False, "highlight": False, **options})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """See Rich; every text in it is made fit."""
        for one in super().render(renderable, options):
            yield one if one.control else Segment(for_terminal(one.text), one.style)


def width() -> int | None:
    """Cells of a line of standard output where that is a terminal; None where it is a file or a pipe."""
    console = Terminal()
    return console.width if console.is_terminal else None
