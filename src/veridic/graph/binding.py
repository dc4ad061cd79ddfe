"""Turn a node of ours into one LangGraph can call: context, resources, a voice, and a clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from threading import Lock
from typing import Any, cast

from langgraph.config import get_config
from langgraph.constants import CONFIG_KEY_CHECKPOINTER
from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Overwrite, interrupt

from veridic.context import Context
from veridic.errors import InvalidInput, VeridicError
from veridic.graph.observed import step
from veridic.graph.sealing import distrusted, of_this_run, sealed, told_apart, untouched
from veridic.ports.shapes import Failure, Waiting
from veridic.ports.usage import merge_usage
from veridic.runtime.ledger import Account, Ledger
from veridic.runtime.run import Resources, Run
from veridic.runtime.screens import Screen, Screening
from veridic.state import GraphState, StateUpdate
from veridic.tracing.counts import count

Node = Callable[[Any, Run], StateUpdate]
Opener = Callable[[], Resources]


@dataclass(frozen=True)
class Voice:
    """As what the nodes of a graph run: the system's name, and a run's choices with the system's defaults."""

    system: str
    schema: type[Context] = Context
    records_speak: bool = False
    """Whether what was learned is evidence by itself."""
    opens_documents: bool = True
    """Whether a document or subject may be opened as it is; else a summary is asked for like anything."""


def once(opened: Callable[[], Resources]) -> Opener:
    """The resources, opened when first asked for, whoever asks first."""
    lock, held = Lock(), list[Resources]()

    def first() -> Resources:
        with lock:
            if not held:
                held.append(opened())
            return held[0]

    return first


def context_of(runtime: Runtime[Context] | None, schema: type[Context] = Context) -> Context:
    """The run's choices; what was not chosen is as the schema has it.

    LangGraph passes None when none were given, and to a subgraph its parent's own context, whatever that is; a state
    is updated from outside without a runtime.
    """
    given = runtime.context if runtime else None
    if isinstance(given, schema):
        return given
    return schema(**(given.model_dump(exclude_unset=True) if isinstance(given, Context) else {}))


def bind(
    name: str, node: Node, resources: Opener, voice: Voice, *, state: type = GraphState
) -> Callable[[Any, Any], StateUpdate]:
    """A function of (state, runtime) that runs the node, announces the step, adds its seconds and its name to the path.

    It seals what the node writes, unless the state it got was changed by someone else.
    """

    def run(given: Any, runtime: Any) -> StateUpdate:  # noqa: ANN401 - annotated below, as LangGraph reads it
        runtime.stream_writer({"event": "step", "node": name})
        began = time.perf_counter()
        with step(name) as tell:
            opened = resources()
            handed = of_this_run(given) if state is GraphState else given
            with told_apart(handed, state, lambda: opened.seal_key):
                update = _updated(node, handed, runtime, opened, voice, ours=state is not GraphState)
            tell(update, text=opened.settings.trace_text)
        seconds = time.perf_counter() - began
        count(voice.system, name, update, seconds=seconds, lasted=time.time() - given.get("started", time.time()))
        return _timed(update, name, seconds)

    run.__name__ = name
    run.__doc__ = node.__doc__
    run.__annotations__ = {"given": state, "runtime": Runtime[Context], "return": StateUpdate}
    return run


def _updated(
    node: Node,
    given: Any,  # noqa: ANN401 - a state or a task
    runtime: Runtime[Context],
    opened: Resources,
    voice: Voice,
    *,
    ours: bool,
) -> StateUpdate:
    """What a node writes, sealed, with what it consumed; `ours` where no seals are looked at."""
    context = context_of(runtime, voice.schema)
    ours = ours or untouched(given, opened.seal_key)
    ledger, screen = Ledger(context.token_budget, context.call_budget, given.get("usage", {})), Screen()
    around = Run(
        context,
        opened,
        runtime.stream_writer,
        voice.system,
        ledger,
        screen,
        records_speak=voice.records_speak,
        opens_documents=voice.opens_documents,
        untouched=ours,
        ask=_ask(opened.settings.review),
    )
    try:
        update = node(given if ours else distrusted(given), around)
    except VeridicError as error:
        error.account = {**ledger.account(), **screen.found()}
        raise
    whole = _told(_charged(_screened(update, screen.found()), ledger.account()), ledger)
    return sealed(whole, given, opened.seal_key, ours=ours)


def _ask(review: str) -> Callable[[Waiting], object] | None:
    """LangGraph's interrupt, where the settings ask for it and there is a checkpointer to go on from."""
    if review != "interrupt" or not get_config()["configurable"].get(CONFIG_KEY_CHECKPOINTER):
        return None
    return interrupt


def bind_handler(
    handler: Callable[..., Any], resources: Opener, *, state: type = GraphState
) -> Callable[[Any, NodeError], Any]:
    """LangGraph's error handler, which seals what the handler writes as `bind` does for a node; that ran too.

    A state that cannot be gone on with ends the run: no other path mends it.
    """

    @wraps(handler)
    def run(given: Any, error: NodeError) -> Any:  # noqa: ANN401 - a `Command` of the handler's own type
        if isinstance(error.error, InvalidInput):
            raise error.error
        key = resources().seal_key
        handed = of_this_run(given) if state is GraphState else given
        with told_apart(handed, state, lambda: key):
            command = handler(handed, error)
            ours = state is not GraphState or untouched(handed, key)
            update = sealed(command.update, handed, key, ours=ours)
            return replace(command, update={**update, "path": [error.node]})

    return run


def _charged(update: StateUpdate, account: Account) -> StateUpdate:
    """Add what judging cost to what the node itself consumed."""
    if not account:
        return update
    return {**update, **account, "usage": merge_usage(update.get("usage", {}), account.get("usage", {}))}


def _screened(update: StateUpdate, found: Screening) -> StateUpdate:
    """Add what was taken out of the evidence that came in, and a detector that failed."""
    if "failures" in found:
        found = {**found, "failures": _added(update.get("failures", []), found["failures"])}
    return cast("StateUpdate", {**update, **found})


def _told(update: StateUpdate, ledger: Ledger) -> StateUpdate:
    """Add what was wrong with the chat model's replies, each thing once."""
    wrong = ledger.problems
    return {**update, "failures": _added(update.get("failures", []), wrong)} if wrong else update


def _added(failures: Any, more: list[Failure]) -> Any:  # noqa: ANN401 - a list, or LangGraph's way to begin it anew
    """The failures of an update with some more."""
    return Overwrite([*failures.value, *more]) if isinstance(failures, Overwrite) else [*failures, *more]


def _timed(update: StateUpdate, name: str, seconds: float) -> StateUpdate:
    """Add name and seconds; a node that resets timings and path begins them with its own."""
    own = {"timings": {name: round(seconds, 4)}, "path": [name]}
    if isinstance(update.get("timings"), Overwrite):
        return cast("StateUpdate", {**update, **{channel: Overwrite(value) for channel, value in own.items()}})
    return cast("StateUpdate", {**update, **own})
