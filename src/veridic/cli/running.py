"""Graphs run to their end."""

from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veridic.state import Event, GraphState

MODES: list[Any] = ["custom", "values"]
"""Of LangGraph's stream: the events of a run, and its states."""


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
