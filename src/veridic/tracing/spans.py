"""Spans of OpenTelemetry's API alone.

Without an SDK in the process, or with one that is switched off, a span is nothing and costs next to nothing. Attributes
have the names of OpenTelemetry's conventions for generative AI where there is one, else ours, `veridic.*`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.util.types import AttributeValue

Attributes = Mapping[str, AttributeValue]

TRACER = trace.get_tracer("veridic")
"""Looks for the process's tracer provider at the first span, so that one set up after this import counts."""


@contextmanager
def span(
    name: str, attributes: Attributes, *, kind: SpanKind = SpanKind.INTERNAL, passing: tuple[type[Exception], ...] = ()
) -> Iterator[Span]:
    """A span around a block, current within it, and in threads that copy its context.

    What the block raises passes through and is told by its class, never by its message; `passing` are no failures.
    """
    opened = TRACER.start_span(name, kind=kind, attributes=attributes)
    if not opened.get_span_context().is_valid:  # nothing traces
        yield opened
        return
    with trace.use_span(opened, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield opened
        except passing:
            raise
        except Exception as error:
            failed(opened, error)
            raise


def tell(opened: Span, attributes: Callable[[], Attributes]) -> None:
    """Set attributes, made only where the span is recorded; such as cannot be made are missing: no run ends of it."""
    if opened.is_recording():
        with suppress(Exception):
            opened.set_attributes(attributes())


def failed(opened: Span, error: BaseException) -> None:
    """Tell that what a span is around failed."""
    opened.set_attribute("error.type", type(error).__name__)
    opened.set_status(StatusCode.ERROR)
