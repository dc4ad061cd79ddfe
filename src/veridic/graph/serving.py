"""A graph as a LangGraph server asks for it: a function of the run, so that its choices are seen as they were sent."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from langgraph_sdk.runtime import ServerRuntime

from veridic.context import Context, unknown_choice

G = TypeVar("G")
"""A compiled graph."""

OF_THE_SERVER = frozenset("assistant_id checkpoint_id checkpoint_ns graph_id run_id thread_id".split())
"""Names beside a run's choices, where a client sends them as `configurable`; so are those that begin with `__`."""


def served(graph: G) -> Callable[[ServerRuntime[Context]], G]:
    """The graph, given for every run whose choices there are; the function raises `InvalidSetting` for another.

    The server itself leaves out what the graph does not know, in silence, before it runs it.
    """

    def given(runtime: ServerRuntime[Context]) -> G:
        execution = runtime.execution_runtime
        if execution is not None:
            _check(execution.context)
        return graph

    return given


def _check(sent: object) -> None:
    """Look at a run's choices as they were sent, their names alone."""
    for name in sent if isinstance(sent, Mapping) else ():
        if name not in Context.model_fields and name not in OF_THE_SERVER and not name.startswith("__"):
            raise unknown_choice(name, Context.model_fields)
