"""Graphs run to their end, and Rich's console, with the words that are printed made fit for a terminal."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from veridic.exporting.outgoing import for_terminal

if TYPE_CHECKING:
    from veridic.state import Event, GraphState

MODES: list[Any] = ["custom", "values"]
"""Of LangGraph's stream: the events of a run, and its states."""


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


def ended(
    stream: Generator[tuple[str, Any]],
    told: "Callable[[Event], None]" = lambda _: None,
    seen: "Callable[[GraphState], None]" = lambda _: None,
    ending: str = "result",
) -> Any:  # noqa: ANN401 - what stands in the channel that ends it
    """What a stream of a graph ends with; its events are `told`, its states `seen`, as they come.

    An interrupt stops the run before its next step, and is raised.
    """
    found = None
    with closing(stream):
        for mode, item in stream:
            if mode == "values":
                found = item.get(ending, found)
                seen(item)
            else:
                told(item)
    if found is None:
        raise RuntimeError(f"the graph ended without a {ending}")
    return found
