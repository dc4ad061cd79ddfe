"""The server as its own process, asked over standard streams by the protocol's own client."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.server.conftest import COMMAND

QUESTION = "Who founded the Halden Ridge Observatory?"


async def asked_of(client: Client) -> Any:
    """What each tool gives for the shipped examples."""
    names = [tool.name for tool in (await client.list_tools()).tools]
    answer = await client.call_tool("ask", {"question": QUESTION})
    found = await client.call_tool("search", {"query": QUESTION, "limit": 1})
    return names, answer.structured_content, found.structured_content


def holds(told: Any) -> None:
    names, answer, found = told
    assert set(names) == {"ask", "check", "search", "list"}
    assert (answer["outcome"], "Ingrid Solvang" in answer["short_answer"]) == ("accepted", True)
    assert [Path(source["url"]).name for source in answer["sources"]] == ["history.md"]
    assert "Ingrid Solvang" in found["passages"][0]["text"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_standard_streams_nothing_but_the_protocol_is_printed(
    mode: str, environment: dict[str, str], tmp_path: Path
) -> None:
    strange = list[Exception]()

    async def hear(message: Any) -> None:
        if isinstance(message, Exception):
            strange.append(message)

    async def run(log: Any) -> Any:
        server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment)
        async with Client(stdio_client(server, errlog=log), mode=mode, message_handler=hear) as client:
            return await asked_of(client)

    with (tmp_path / "log").open("w+") as log:
        holds(anyio.run(run, log))
        log.seek(0)
        assert "No setting is called 'VERIDIC_NO_SUCH_THING'" in log.read()
    assert strange == []


def test_without_the_package_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp'] = None; sys.argv = ['veridic', 'mcp']; from veridic.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, "pip install 'veridic[mcp]'" in done.stderr) == (1, True)
