"""The spans of a run, `invoke_agent NAME`, and of its steps, `step NODE`; and who hears that a run was left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from opentelemetry import context, trace
from opentelemetry.trace import Span

from veridic.runtime.stopping import Stop, listening
from veridic.tracing import spans
from veridic.tracing.attributes import of_result, of_update

if TYPE_CHECKING:
    from uuid import UUID

    from veridic.state import GraphState

RUN = context.create_key("veridic-run")
"""Under it the context of a step holds its run's span, whatever other spans stand between the two."""


class _Running(NamedTuple):
    """A run that goes on."""

    span: Span
    stop: Stop


class RunObserver(BaseCallbackHandler):
    """LangChain's callbacks of one graph: a span for each run, and a stop that its threads hear.

    A run's span nests in what is current where the run begins. A run that is left, or cancelled, ends with an error,
    which is told to its threads.
    """

    run_inline = True  # on the loop's own thread, so that what is current there is seen

    def __init__(self, name: str) -> None:
        """For the graph of this name."""
        self._name = name
        self._runs: dict[UUID, _Running] = {}
        self._within: dict[UUID, UUID] = {}
        """Of each chain that runs within a run of the graph the run; LangGraph calls every node a chain."""

    def run_around(self, chain: UUID | None) -> _Running | None:
        """The run that a chain runs within."""
        return self._runs.get(self._within[chain]) if chain in self._within else None

    def on_chain_start(
        self,
        serialized: Any,  # noqa: ANN401, ARG002 - LangChain's own
        inputs: Any,  # noqa: ANN401, ARG002
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **_more: Any,  # noqa: ANN401
    ) -> None:
        """A run begins, or a chain within one."""
        if parent_run_id in self._within:
            self._within[run_id] = self._within[parent_run_id]
            return
        attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": self._name}
        span = spans.TRACER.start_span(f"invoke_agent {self._name}", attributes=attributes)
        self._within[run_id] = run_id
        self._runs[run_id] = _Running(span, Stop())

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_more: Any) -> None:  # noqa: ANN401, ARG002 - as above
        """The run is over, or a chain within it."""
        self._over(run_id)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_more: Any) -> None:  # noqa: ANN401 - as above
        """The run failed, was left, or waits for a person; or a chain within it did."""
        self._over(run_id, error)

    def _over(self, chain: UUID, error: BaseException | None = None) -> None:
        self._within.pop(chain, None)
        running = self._runs.pop(chain, None)
        if running is None:
            return
        if isinstance(error, GeneratorExit | GraphBubbleUp):
            running.span.set_attribute("veridic.left", True)
        elif error is not None:
            spans.failed(running.span, error)
        running.span.end()
        running.stop.pull()


@contextmanager
def current_run() -> Iterator[None]:
    """Make the run's span current for what a node does, and have its thread hear when nobody waits any more."""
    running = _running()
    if running is None:
        yield
        return
    with listening(running.stop):
        if not running.span.get_span_context().is_valid:  # nothing traces
            yield
            return
        token = context.attach(context.set_value(RUN, running.span, trace.set_span_in_context(running.span)))
        try:
            yield
        finally:
            context.detach(token)


def _running() -> _Running | None:
    """The run that the node of this thread belongs to, by the callbacks it was given; of several the innermost."""
    manager: Any = get_config().get("callbacks")
    observers = [one for one in getattr(manager, "handlers", ()) if isinstance(one, RunObserver)]
    return next((found for one in reversed(observers) if (found := one.run_around(manager.parent_run_id))), None)


def tell(opened: Span, update: GraphState, *, text: bool) -> None:
    """Put what a step wrote on its span and its run's; with `text` what it says too."""
    spans.tell(opened, lambda: of_update(update))
    run = context.get_value(RUN)
    if isinstance(run, Span):
        spans.tell(run, lambda: of_result(update, text=text))
