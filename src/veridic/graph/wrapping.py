"""What stands around each node, route and error handler of a graph. LangGraph's runtime is met here and nowhere else.

A node of ours is a function of (state, run). From the outside in there are around it: the announcement of the step, its
span and its seconds; the state without the last question's answer, its seals looked at; the run's choices, resources,
account. What the node returns is sealed and handed on with what the step consumed.
"""

import operator
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from langgraph.config import get_config
from langgraph.constants import CONFIG_KEY_CHECKPOINTER
from langgraph.errors import NodeError
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Overwrite, interrupt

from veridic.context import Context
from veridic.errors import InvalidInput, VeridicError
from veridic.graph.observed import step, tell
from veridic.graph.sealing import distrusted, of_this_run, sealed, told_apart, untouched
from veridic.ports.shapes import merge_usage
from veridic.runtime.ledger import Ledger
from veridic.runtime.run import Resources, Run
from veridic.state import GraphState

if TYPE_CHECKING:
    from veridic.graph.systems.system import System
    from veridic.resources import Opener

Node = Callable[[Any, Run], GraphState]


def context_of(runtime: Runtime[Context] | None, schema: type[Context] = Context) -> Context:
    """The run's choices; what was not chosen is as the schema has it.

    LangGraph passes None when none were given, and to a subgraph its parent's own context, whatever that is; a state
    is updated from outside without a runtime.
    """
    given = runtime.context if runtime else None
    if isinstance(given, schema):
        return given
    return schema(**(given.model_dump(exclude_unset=True) if isinstance(given, Context) else {}))


@dataclass(frozen=True)
class Around:
    """Wraps the nodes, routes and error handlers of one system's graph."""

    system: "System"
    resources: "Opener"
    """Called when a node first runs."""

    @property
    def schema(self) -> type[Context]:
        """The run's choices, with the system's own defaults."""
        return self.system.schema

    def node(self, node: Node, state: type = GraphState) -> Any:  # noqa: ANN401 - one of LangGraph's many kinds of node
        """The node as LangGraph calls it; `state` is what it is given: the channels, or a task of a `Send`."""

        def run(given: Any, runtime: Any) -> GraphState:  # noqa: ANN401 - annotated below, as LangGraph reads it
            return self._step(node, state, given, runtime)

        run.__name__ = node.__name__
        run.__doc__ = node.__doc__
        run.__annotations__ = {"given": state, "runtime": Runtime[Context], "return": GraphState}
        return run

    def route(self, route: Callable[[GraphState, Context], Any]) -> Callable[[GraphState], Any]:
        """The route as LangGraph calls it.

        The runtime is asked for, not taken as a parameter: with one, `update_state` as the node before it fails.
        """

        def run(state: GraphState) -> Any:  # noqa: ANN401 - names or tasks
            with told_apart(state, GraphState, self.resources):
                return route(state, context_of(get_runtime(), self.system.schema))

        run.__name__ = route.__name__
        return run

    def handler(self, handler: Callable[..., Any], state: type = GraphState) -> Any:  # noqa: ANN401 - LangGraph's own type
        """LangGraph's error handler, which seals what the handler writes as `node` does; the failed node ran too.

        A state that cannot be gone on with ends the run: no other path mends it.
        """

        @wraps(handler)
        def run(given: Any, error: NodeError) -> Any:  # noqa: ANN401 - a `Command` of the handler's own type
            """What the handler commands, sealed. Raises `InvalidInput` as it is."""
            if isinstance(error.error, InvalidInput):
                raise error.error
            resources = self.resources()
            handed = of_this_run(given) if state is GraphState else given
            with told_apart(handed, state, self.resources):
                command = handler(handed, error)
                ours = state is not GraphState or untouched(handed, resources.seal_key)
                update = sealed(command.update, handed, resources.seal_key, ours=ours)
                return replace(command, update={**update, "path": [error.node]})

        return run

    def _step(self, node: Node, state: type, given: Any, runtime: Any) -> GraphState:  # noqa: ANN401 - as above
        """What the node returns, with all that stands around it; not in `run`, which LangGraph reads in bytecode."""
        name, began = str(get_config()["metadata"]["langgraph_node"]), time.perf_counter()
        runtime.stream_writer({"event": "step", "node": name})
        with step(name) as opened:
            resources = self.resources()
            handed = of_this_run(given) if state is GraphState else given
            with told_apart(handed, state, self.resources):
                ours = state is not GraphState or untouched(handed, resources.seal_key)
                update = _updated(node, handed, self._run(handed, runtime, resources, ours=ours))
                update = sealed(update, handed, resources.seal_key, ours=ours)
            tell(opened, update)
        update = _with_more(update, "timings", {name: round(time.perf_counter() - began, 4)}, operator.or_)
        return _with_more(update, "path", [name], operator.add)

    def _run(self, given: Any, runtime: Runtime[Context], resources: Resources, *, ours: bool) -> Run:  # noqa: ANN401 - a state or a task
        """What the node is given beside the state, with an account of its own.

        It may ask a person where the settings say so and there is a checkpointer to go on from.
        """
        context = context_of(runtime, self.system.schema)
        configurable = get_config()["configurable"]
        waits = resources.settings.review == "interrupt" and configurable.get(CONFIG_KEY_CHECKPOINTER)
        given_id, around = configurable.get("run_id"), configurable.get("checkpoint_ns", "").rpartition("|")[0]
        return Run(
            context,
            resources,
            runtime.stream_writer,
            self.system.name,
            Ledger(context.token_budget, context.call_budget, given.get("usage", {})),
            method=self.system.method,
            records_speak=self.system.learns_unchecked,
            opens_documents=self.system.opens_documents,
            untouched=ours,
            begun=f"{given_id} {around}" if given_id else "",
            ask=interrupt if waits else None,
        )


def _updated(node: Node, given: Any, run: Run) -> GraphState:  # noqa: ANN401 - a state or a task
    """What a node writes, with what stands on the account of the step."""
    try:
        update = node(given if run.untouched else distrusted(given), run)
    except VeridicError as error:
        error.account = run.ledger.account()
        raise
    for channel, told in run.ledger.account().items():
        update = _with_more(update, channel, told, merge_usage if channel == "usage" else operator.add)
    return update


def _with_more(update: GraphState, channel: str, told: Any, merge: Callable[[Any, Any], Any]) -> GraphState:  # noqa: ANN401 - of the channel
    """An update with more in a merged channel; where it begins that anew, it begins with this."""
    written = update.get(channel)
    if isinstance(written, Overwrite):
        told = Overwrite(merge(written.value, told))
    elif written:
        told = merge(written, told)
    return cast("GraphState", {**update, channel: told})
