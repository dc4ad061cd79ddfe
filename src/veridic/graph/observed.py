"""A compiled graph whose runs are spans, `invoke_agent NAME`, with a span `step NODE` for each of their steps."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, cast

from langgraph.errors import GraphBubbleUp
from langgraph.graph.state import CompiledStateGraph
from opentelemetry import context, trace
from opentelemetry.context import Context as SpanContext
from opentelemetry.trace import Span

from veridic.runtime.stopping import Stop, listening
from veridic.state import StateUpdate
from veridic.tracing import spans
from veridic.tracing.runs import of_result, of_update

RUN = context.create_key("veridic-run")
"""Under it the context of a step holds its run's span, whatever other spans stand between the two."""
END = object()


class ObservedGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph. The span of a run is current while the graph works, and not while its caller does.

    It nests in what is current where the run begins; steps nest in it, in other threads too. A run that is left, or
    cancelled, is told to its threads.
    """

    def stream(self, *args: Any, **options: Any) -> Iterator[Any]:  # noqa: ANN401 - LangGraph's
        """See LangGraph, here and below."""
        with _run(self.name) as around, closing(cast("Any", super().stream(*args, **options))) as parts:
            while True:
                with _current(around):
                    part = next(parts, END)
                if part is END:
                    return
                yield part

    async def astream(self, *args: Any, **options: Any) -> AsyncIterator[Any]:  # noqa: ANN401, D102
        with _run(self.name) as around:
            async with aclosing(cast("Any", super().astream(*args, **options))) as parts:
                while True:
                    with _current(around):
                        part = await anext(parts, END)
                    if part is END:
                        return
                    yield part


def observed(graph: CompiledStateGraph[Any, Any, Any, Any]) -> ObservedGraph:
    """The graph with spans, made as LangGraph's own `copy` makes one."""
    return ObservedGraph(**{name: value for name, value in vars(graph).items() if name != "__orig_class__"})


class Tell(Protocol):
    """Puts what a step wrote on its span and its run's; with `text` what it says too."""

    def __call__(self, update: StateUpdate, *, text: bool) -> None:
        """See above."""
        ...


@contextmanager
def step(name: str) -> Iterator[Tell]:
    """The span of a step; one that waits for a person has not failed."""
    with spans.span(f"step {name}", {"veridic.step": name}, passing=(GraphBubbleUp,)) as opened:
        yield partial(_tell, opened)


def _tell(opened: Span, update: StateUpdate, *, text: bool) -> None:
    spans.tell(opened, lambda: of_update(update))
    run = context.get_value(RUN)
    if isinstance(run, Span):
        spans.tell(run, lambda: of_result(update, text=text))


@dataclass(frozen=True)
class _Around:
    """What is current while a run works."""

    stop: Stop
    spans: SpanContext | None
    """The run's span; None where nothing traces."""


@contextmanager
def _run(name: str) -> Iterator[_Around]:
    """A run, whose span ends with the block; its threads are told then that nobody waits for it."""
    stop = Stop()
    try:
        with _span(name) as opened:
            yield _Around(stop, opened)
    finally:
        stop.pull()


@contextmanager
def _span(name: str) -> Iterator[SpanContext | None]:
    opened = spans.TRACER.start_span(
        f"invoke_agent {name}", attributes={"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
    )
    if not opened.get_span_context().is_valid:
        yield None
        return
    try:
        yield context.set_value(RUN, opened, trace.set_span_in_context(opened))
    except (GeneratorExit, GraphBubbleUp):
        opened.set_attribute("veridic.left", True)
        raise
    except BaseException as error:
        spans.failed(opened, error)
        raise
    finally:
        opened.end()


@contextmanager
def _current(around: _Around) -> Iterator[None]:
    with listening(around.stop):
        if around.spans is None:
            yield
            return
        token = context.attach(around.spans)
        try:
            yield
        finally:
            context.detach(token)
