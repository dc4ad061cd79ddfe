"""Graphs run to their end; a question that can be stopped runs beside the terminal, without stopping the program."""

from collections.abc import Callable, Iterator
from contextlib import closing
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, Any

from veridic.context import Context

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

    from veridic.graph.builder import Graph
    from veridic.ports.shapes import Result
    from veridic.state import Event, GraphState

News = tuple[str, Any]
"""What kind of news it is, and the news: a mode of LangGraph's stream, `failed` or `ended`."""


MODES: list[Any] = ["custom", "values"]
"""Of LangGraph's stream: the events of a run, and its states."""


def ended(
    news: Iterator[News],
    told: "Callable[[Event], None]" = lambda _: None,
    seen: "Callable[[GraphState], None]" = lambda _: None,
    ending: str = "result",
) -> Any:  # noqa: ANN401 - what stands in the channel that ends it
    """What a stream of a graph ends with; its events are `told`, its states `seen`, as they come."""
    found = None
    for kind, item in news:
        if kind == "failed":
            raise item
        if kind == "values":
            found = item.get(ending, found)
            seen(item)
        else:
            told(item)
    if found is None:
        raise RuntimeError(f"the graph ended without a {ending}")
    return found


class Asking:
    """One question on its way through the graph."""

    def __init__(self, graph: "Graph", messages: "list[AnyMessage]", context: Context) -> None:
        """Begin with a conversation that ends with the question."""
        self._news: SimpleQueue[News] = SimpleQueue()
        self._stop = Flag()
        self._thread = Thread(target=self._work, args=(graph, messages, context), daemon=True)
        self._thread.start()

    def result(self, told: "Callable[[Event], None]") -> "Result":
        """Wait for the result, telling what happens meanwhile. Raises what the graph raises.

        An interrupt stops the run before its next step, and is raised.
        """
        try:
            result: Result = ended(iter(self._news.get, ("ended", None)), told)
        except KeyboardInterrupt:
            self._stop.set()
            raise
        return result

    @property
    def at_work(self) -> bool:
        """Whether a step is still running, as it may for a while after the run was stopped."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Until that step has ended."""
        self._thread.join()

    def _work(self, graph: "Graph", messages: "list[AnyMessage]", context: Context) -> None:
        stream: Any = graph.stream({"messages": messages}, context=context, stream_mode=MODES)
        try:
            with closing(stream):
                for news in stream:
                    if self._stop.is_set():
                        return
                    self._news.put(news)
        except Exception as error:  # noqa: BLE001 - raised where the result is waited for
            self._news.put(("failed", error))
        else:
            self._news.put(("ended", None))
