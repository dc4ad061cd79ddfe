"""The spans of a run, `invoke_agent NAME`, and of its steps, `step NODE`; and who hears that a run was left."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from opentelemetry import context, trace
from opentelemetry.trace import Span

from veridic.runtime.deadline import Stop, current, listening
from veridic.state import GraphState
from veridic.tracing import spans

RUN = context.create_key("veridic-run")
"""Under it the context of a step holds its run's span, whatever other spans stand between the two."""


class _Running(NamedTuple):
    """A run that goes on."""

    chain: UUID
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
        self.running: dict[UUID, _Running] = {}
        """By each chain, as LangGraph calls graph and node, the run that it runs within."""

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
        running = self.running.get(parent_run_id) if parent_run_id else None
        if running is None:
            attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": self._name}
            span = spans.TRACER.start_span(f"invoke_agent {self._name}", attributes=attributes)
            running = _Running(run_id, span, Stop())
        self.running[run_id] = running

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_more: Any) -> None:  # noqa: ANN401, ARG002 - as above
        """The run is over, or a chain within it."""
        self._over(run_id)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_more: Any) -> None:  # noqa: ANN401 - as above
        """The run failed, was left, or waits for a person; or a chain within it did."""
        self._over(run_id, error)

    def _over(self, chain: UUID, error: BaseException | None = None) -> None:
        running = self.running.pop(chain, None)
        if running is None or running.chain != chain:
            return
        if isinstance(error, GeneratorExit | GraphBubbleUp):
            running.span.set_attribute("veridic.left", True)
        elif error is not None:
            spans.failed(running.span, error)
        running.span.end()
        running.stop.pull()


@contextmanager
def step(name: str) -> Iterator[Span]:
    """The span of a step, within its run's; what is begun in it hears when nobody waits for the run any more.

    The run is known by the callbacks that the node was given; of several the innermost.
    """
    manager: Any = get_config().get("callbacks")
    observers = [one for one in getattr(manager, "handlers", ()) if isinstance(one, RunObserver)]
    around = [run for one in observers if (run := one.running.get(manager.parent_run_id))]
    span, stop = (around[-1].span, around[-1].stop) if around else (trace.INVALID_SPAN, current())
    token = None
    if span.get_span_context().is_valid:  # else nothing traces
        token = context.attach(context.set_value(RUN, span, trace.set_span_in_context(span)))
    try:
        # one that waits for a person has not failed
        with listening(stop), spans.span(f"step {name}", {"veridic.step": name}, passing=(GraphBubbleUp,)) as opened:
            yield opened
    finally:
        if token is not None:
            context.detach(token)


def tell(opened: Span, update: GraphState) -> None:
    """Put what a step wrote on its span and its run's."""
    spans.tell(opened, lambda: spans.of_update(update))
    run = context.get_value(RUN)
    if isinstance(run, Span):
        spans.tell(run, lambda: spans.of_result(update))
