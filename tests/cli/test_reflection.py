"""A model trained as Self-RAG behind the command line and the server: its reflection tokens reach nobody."""

from pathlib import Path

import httpx
import pytest

from tests.cli.conftest import Veridic
from tests.fakes.endpoint import Endpoint
from tests.fakes.openai import openai_server
from tests.served.hosts import EXAMPLES, running

QUESTION = "Tell me how the Halden Ridge Observatory was founded."
SAID = [
    *("[Ret", "rieval]<para", "graph>Old.</paragraph>[Rel", "evant]It was founded "),
    *("in 1911.[Fully sup", "ported][Uti", "lity:5]</s>"),
]
MARKS = ("Retrieval", "paragraph>", "Relevant", "supported]", "Utility", "</s>")


def trained(server: Endpoint) -> dict[str, str]:
    server.pieces, server.models = SAID, ["selfrag-7b"]
    return {"model": "openai:selfrag-7b", "base_url": server.url, "api_key": "k"}


@pytest.mark.parametrize("system", ["self_rag", "standard_rag", "veridic"])
def test_on_the_terminal(ready: Veridic, monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    with openai_server() as server:
        for name, value in trained(server).items():
            monkeypatch.setenv(f"VERIDIC_{name.upper()}", value)
        for how in ("--json", "-v"):
            shown = ready("ask", how, "--system", system, QUESTION)
            assert server.requests
            assert [mark for mark in MARKS if mark in shown.out + shown.err] == []
            assert "It was founded in 1911." in shown.out + shown.err


def test_in_a_servers_stream_of_events(tmp_path: Path) -> None:
    with openai_server() as server:
        settings = {**trained(server), "begin_with": EXAMPLES}
        with running("veridic", tmp_path / "kb.sqlite", **settings) as host:
            sent = {"question": QUESTION, "system": "standard_rag"}
            headers = {"accept": "text/event-stream"}
            streamed = httpx.post(f"{host.url}/veridic/ask", json=sent, headers=headers, timeout=60).text
    assert "event: token" in streamed
    assert [mark for mark in MARKS if mark in streamed] == []
    assert "1911." in streamed
