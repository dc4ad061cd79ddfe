"""A question that can be stopped: it runs beside the terminal, and stopping it does not stop the program."""

from collections.abc import Callable
from contextlib import closing
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

    from veridic.context import Context
    from veridic.graph.builder import Graph
    from veridic.ports.shapes import Result
    from veridic.state import Event

Told = tuple[str, object]
"""What kind of news it is, and the news: a mode of LangGraph's stream, `failed` or `ended`."""


class Asking:
    """One question on its way through the graph."""

    def __init__(self, graph: "Graph", messages: "list[AnyMessage]", context: "Context") -> None:
        """Begin with a conversation that ends with the question."""
        self._news: SimpleQueue[Told] = SimpleQueue()
        self._stop = Flag()
        self._thread = Thread(target=self._work, args=(graph, messages, context), daemon=True)
        self._thread.start()

    def result(self, shown: "Callable[[Event], None]") -> "Result":
        """Wait for the result, showing what happens meanwhile. Raises what the graph raises.

        An interrupt stops the run before its next step, and is raised.
        """
        result: Result | None = None
        try:
            while (told := self._news.get())[0] != "ended":
                kind, item = told
                if kind == "failed":
                    raise cast("Exception", item)
                if kind == "values":
                    result = cast("dict[str, Result]", item).get("result", result)
                else:
                    shown(cast("Event", item))
        except KeyboardInterrupt:
            self._stop.set()
            raise
        if result is None:
            raise RuntimeError("the graph ended without a result")
        return result

    @property
    def at_work(self) -> bool:
        """Whether a step is still running, as it may for a while after the run was stopped."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Until that step has ended."""
        self._thread.join()

    def _work(self, graph: "Graph", messages: "list[AnyMessage]", context: "Context") -> None:
        stream = graph.stream({"messages": messages}, context=context, stream_mode=["custom", "values"])
        try:
            with closing(stream):  # type: ignore[type-var] # it is a generator
                for told in stream:
                    if self._stop.is_set():
                        return
                    self._news.put(cast("Told", told))
        except Exception as error:  # noqa: BLE001 - raised where the result is waited for
            self._news.put(("failed", error))
        else:
            self._news.put(("ended", None))
