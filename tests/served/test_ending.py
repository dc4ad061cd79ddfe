"""A server that is told to end: what is being answered goes on to its end."""

import os
import signal
from pathlib import Path

import httpx

from tests.fakes.openai import openai_server
from tests.served.hosts import EXAMPLES, running

STREAMED = {"accept": "text/event-stream"}
SENT = {"question": "Who founded the Halden Ridge Observatory?", "system": "standard_rag"}


def test_a_stream_goes_on_to_its_result(tmp_path: Path) -> None:
    told, after = False, list[str]()
    with openai_server() as model:
        model.pieces, model.pause = ["so it was. "] * 20, 0.1
        settings = {"model": "openai:tiny", "base_url": model.url, "api_key": "k", "begin_with": EXAMPLES}
        with (
            running("veridic", tmp_path / "kb.sqlite", **settings) as host,
            httpx.stream("POST", f"{host.url}/veridic/ask", json=SENT, headers=STREAMED, timeout=60) as answer,
        ):
            for line in answer.iter_lines():
                if model.requests and not told:
                    os.kill(host.pid, signal.SIGTERM)
                    told = True
                elif told:
                    after.append(line)
    assert "event: result" in after
