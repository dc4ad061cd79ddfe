"""The program with a tracer provider, as OpenTelemetry's own starter sets one up: what arrives at a collector."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from mcp import Client, StdioServerParameters
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTION = "Who founded the Halden Ridge Observatory?"
NEVER = 60.0
"""Seconds after which a test that hangs gives up; none waits for them."""
PROGRAM = """
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from veridic.cli import main

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
main()
"""


class Collector(ThreadingHTTPServer):
    """Keeps what is exported to it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.requests: list[ExportTraceServiceRequest] = []
        self.heard = threading.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def wait_for(self, name: str) -> None:
        """Until a span of this name has come."""
        with self.heard:
            assert self.heard.wait_for(lambda: any(span.name == name for span in self.spans()), NEVER)

    def spans(self) -> list[Span]:
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class Receiver(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        assert self.path == "/v1/traces"
        with self.server.heard:
            self.server.requests.append(ExportTraceServiceRequest.FromString(body))
            self.server.heard.notify_all()
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def environment(collector: Collector, path: Path, **more: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("VERIDIC_", "OTEL_"))}
    named = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_EXPORTER_OTLP_COMPRESSION": "none"}
    return {**own, **named, "VERIDIC_KB": str(path / "kb.sqlite"), "VERIDIC_MODEL": "extractive", **more}


@pytest.mark.usefixtures("verifying_judges")
def test_a_question_arrives_as_one_trace_without_its_words(collector: Collector, tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "ask", "--docs", str(EXAMPLES), QUESTION]
    done = subprocess.run(command, env=environment(collector, tmp_path), capture_output=True, text=True)
    assert (done.returncode, "Ingrid Solvang" in done.stdout) == (0, True), done.stderr
    spans = collector.spans()
    [run] = [span for span in spans if not span.parent_span_id]
    assert run.name == "invoke_agent veridic"
    assert {span.trace_id for span in spans} == {run.trace_id}
    assert {"step retrieve", "retrieval documents", "judge evaluator", "judge reader", "step log"} <= {
        span.name for span in spans
    }
    told = {one.key: one.value.string_value for one in run.attributes}
    assert told["veridic.outcome"] == "accepted"
    assert "Solvang" not in str(collector.requests)
    assert "founded" not in str(collector.requests)


AGENTS = {"OTEL_SERVICE_NAME": "agents", "OTEL_BSP_SCHEDULE_DELAY": "100"}


def test_a_call_of_an_agent_is_the_parent_of_its_run(collector: Collector, tmp_path: Path) -> None:
    named = environment(collector, tmp_path, VERIDIC_BEGIN_WITH=str(EXAMPLES), **AGENTS)

    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-c", PROGRAM, "mcp"], env=named)
        async with Client(server) as client:
            await client.call_tool("ask", {"question": QUESTION})
            await to_thread.run_sync(collector.wait_for, "tools/call ask")  # a client ends a server that is slow to go

    anyio.run(run)
    by_id = {span.span_id: span for span in collector.spans()}
    [asked] = [span for span in by_id.values() if span.name == "invoke_agent veridic"]
    assert by_id[asked.parent_span_id].name == "tools/call ask"
    assert 'string_value: "agents"' in str(collector.requests[0].resource_spans[0].resource)
