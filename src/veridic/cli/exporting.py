"""Spans sent where the standard variables of OpenTelemetry, `OTEL_…`, say."""

import os
from collections.abc import Mapping

NAME = "veridic"
"""The service's, unless the environment gives another."""
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


OTLP = "otlp"
NOWHERE = "none"
"""The exporter that OpenTelemetry calls so; nothing is said of it."""


def export_spans() -> None:
    """Export the spans of this process by OTLP over HTTP, if the environment asks for it; what is left goes at exit.

    Of another exporter that it names, one line on standard error says that it is not taken.

    A tracer provider that is there already, as `opentelemetry-instrument` makes one, stays the one. Without the extra
    one line on standard error says so.
    """
    if other := _not_taken(os.environ):
        _warn(f"OTEL_TRACES_EXPORTER={other!a} is not taken: spans are exported by otlp, or not at all with none.")
    if not _asked_for(os.environ):
        return
    try:
        _set_up()
    except ModuleNotFoundError:
        _warn("OTEL_… asks for spans and the SDK is not installed. Run `pip install 'veridic[otel]'`.")


def _warn(told: str) -> None:
    from veridic.cli.saying import say

    say(f"veridic: {told}", err=True)


def _asked_for(environment: Mapping[str, str]) -> bool:
    exporters = _exporters(environment)
    named = OTLP in exporters or (not exporters and any(environment.get(name) for name in ENDPOINTS))
    return named and not _is_disabled(environment)


def _not_taken(environment: Mapping[str, str]) -> str:
    """The exporters that are named beside ours; empty where there is none, or all is switched off."""
    others = [name for name in _exporters(environment) if name not in (OTLP, NOWHERE)]
    return "" if _is_disabled(environment) else ",".join(others)


def _exporters(environment: Mapping[str, str]) -> list[str]:
    """By name, as the standard variable has them: separated by commas."""
    names = environment.get("OTEL_TRACES_EXPORTER", "").split(",")
    return [name.strip().lower() for name in names if name.strip()]


def _is_disabled(environment: Mapping[str, str]) -> bool:
    return environment.get("OTEL_SDK_DISABLED", "").lower() == "true"


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
