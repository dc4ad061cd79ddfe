"""A graph as data: which nodes there are and what follows each; and how it is compiled."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import get_runtime
from langgraph.types import RetryPolicy

from veridic.context import Context
from veridic.graph.binding import Node, Opener, Voice, bind, bind_handler, context_of
from veridic.graph.observed import observed
from veridic.graph.sealing import told_apart
from veridic.state import GraphState, InputState, OutputState

Graph = CompiledStateGraph[GraphState, Context, InputState, OutputState]
Route = Callable[[GraphState, Context], Any]
"""The name of the next node, or tasks for it."""


@dataclass(frozen=True)
class Step:
    """A node with what is done when it fails."""

    node: Node
    state: type = GraphState
    again: RetryPolicy | None = None
    on_failure: Callable[..., Any] | None = None
    """LangGraph's error handler: of (state, error), it names the failure and says where to go on."""


@dataclass(frozen=True)
class Branch:
    """A choice between nodes."""

    route: Route
    to: tuple[str, ...]


@dataclass(frozen=True)
class Wiring:
    """What follows each node, from `START`; the nodes are those that something follows."""

    follows: Mapping[str, str | Branch]
    own: Mapping[str, Step] = field(default_factory=dict)
    """Steps of this graph alone, by the node's name; they come before the common ones of that name."""
    takes: type = InputState
    """What a caller may send."""
    gives: type = OutputState
    """What a caller gets."""


def compiled(wiring: Wiring, steps: Mapping[str, Step], voice: Voice, resources: Opener, **options: Any) -> Graph:  # noqa: ANN401 - LangGraph's own
    """The graph, its nodes bound to the resources; `options` go to LangGraph's `compile`."""
    graph = StateGraph(GraphState, voice.schema, input_schema=wiring.takes, output_schema=wiring.gives)
    for name in wiring.follows:
        if not name.startswith("__"):
            _add(graph, name, {**steps, **wiring.own}[name], voice, resources)
    for name, then in wiring.follows.items():
        if isinstance(then, Branch):
            graph.add_conditional_edges(name, _routed(then.route, voice, resources), list(then.to))
        else:
            graph.add_edge(name, then)
    return cast("Graph", observed(graph.compile(**options)))


def _add(graph: StateGraph[Any, Any, Any, Any], name: str, step: Step, voice: Voice, resources: Opener) -> None:
    bound: Any = bind(name, step.node, resources, voice, state=step.state)
    handler: Any = step.on_failure and bind_handler(step.on_failure, resources, state=step.state)
    graph.add_node(name, bound, retry_policy=step.again, error_handler=handler)


def _routed(route: Route, voice: Voice, resources: Opener) -> Callable[..., Any]:
    """The route as LangGraph calls it.

    The runtime is asked for, not taken as a parameter: with one, `update_state` as the node before it fails.
    """

    def run(state: GraphState) -> Any:  # noqa: ANN401 - names or tasks
        with told_apart(state, GraphState, lambda: resources().seal_key):
            return route(state, context_of(get_runtime(), voice.schema))

    run.__name__ = getattr(route, "__name__", "route")
    return run
