"""Spans sent where the standard variables of OpenTelemetry, `OTEL_…`, say."""

import os
from collections.abc import Mapping

NAME = "veridic"
"""The service's, unless the environment gives another."""
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def export_spans() -> None:
    """Export the spans of this process by OTLP over HTTP, if the environment asks for it; what is left goes at exit.

    A tracer provider that is there already, as `opentelemetry-instrument` makes one, stays the one. Without the extra
    one line on standard error says so.
    """
    if not _asked_for(os.environ):
        return
    try:
        _set_up()
    except ModuleNotFoundError:
        from veridic.cli.saying import say

        say("veridic: OTEL_… asks for spans and the SDK is not installed. Run `pip install 'veridic[otel]'`.", err=True)


def _asked_for(environment: Mapping[str, str]) -> bool:
    exporter = environment.get("OTEL_TRACES_EXPORTER", "")
    disabled = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    named = exporter == "otlp" or (not exporter and any(environment.get(name) for name in ENDPOINTS))
    return named and not disabled


def _set_up() -> None:
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return
    resource = Resource.create({"service.name": NAME, **OTELResourceDetector().detect().attributes})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
