"""What a run told OpenTelemetry, kept in memory; the process's own tracer provider is left alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Tracer

from veridic.tracing import spans


@dataclass(frozen=True)
class Told:
    """The spans that ended."""

    tracer: Tracer
    exporter: InMemorySpanExporter

    def all(self) -> list[ReadableSpan]:
        return list(self.exporter.get_finished_spans())

    def named(self, name: str) -> list[dict[str, Any]]:
        """The attributes of each span of this name."""
        return [dict(one.attributes or {}) for one in self.all() if one.name == name]

    def lines(self) -> set[tuple[str, ...]]:
        """Of each span its name after those of the spans it stands in."""
        known = {one.context.span_id: one for one in self.all() if one.context}

        def line(one: ReadableSpan) -> tuple[str, ...]:
            above = known.get(one.parent.span_id) if one.parent else None
            return (*(line(above) if above else ()), one.name)

        return {line(one) for one in known.values()}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(spans, "TRACER", provider.get_tracer("veridic"))
    yield Told(spans.TRACER, exporter)
    provider.shutdown()
