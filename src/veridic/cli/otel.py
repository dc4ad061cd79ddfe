"""Spans sent where the standard variables of OpenTelemetry, `OTEL_…`, say."""

import os

from veridic.cli.saying import warn

NAME = "veridic"
"""The service's, unless the environment gives another."""
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
OTLP = "otlp"
NOWHERE = "none"
"""The exporter that OpenTelemetry calls so; nothing is said of it."""


def export_spans() -> None:
    """Export the spans of this process by OTLP over HTTP, if the environment asks for it; what is left goes at exit.

    A tracer provider that is there already, as `opentelemetry-instrument` makes one, stays the one. One line on
    standard error says where another exporter is named, which is not taken, and where the extra is not installed.
    """
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return
    named = [one.strip().lower() for one in os.environ.get("OTEL_TRACES_EXPORTER", "").split(",") if one.strip()]
    if others := ",".join(one for one in named if one not in (OTLP, NOWHERE)):
        warn(f"OTEL_TRACES_EXPORTER={others!a} is not taken: spans are exported by otlp, or not at all with none.")
    if OTLP in named or (not named and any(os.environ.get(name) for name in ENDPOINTS)):
        try:
            _set_up()
        except ModuleNotFoundError:
            warn("OTEL_… asks for spans and the SDK is not installed. Run `pip install 'veridic[otel]'`.")


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
