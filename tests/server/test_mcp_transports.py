"""The server as its own process: over standard streams and over HTTP, asked by the protocol's own client."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient

from tests.server.conftest import COMMAND
from veridic.errors import InvalidSetting
from veridic.server.mcp.protocol import http_app, server_over
from veridic.server.mcp.tools import Desk
from veridic.settings import Settings

KEY = "a key of the test's own"
QUESTION = "Who founded the Halden Ridge Observatory?"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPTS = {"accept": "application/json, text/event-stream"}


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


@pytest.fixture(scope="module")
def address(environment: dict[str, str]) -> Iterator[str]:
    """Where a server listens that has a key."""
    with subprocess.Popen(
        [*COMMAND, "--http", "--port", "0"],
        env={**environment, "VERIDIC_MCP_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = next(line for line in process.stderr if line.startswith("Serving"))
        yield said.split()[-1]
        process.terminate()
        printed, _ = process.communicate(timeout=30)
        assert printed == ""


def test_over_http_a_client_with_the_key_is_answered(address: str) -> None:
    async def run() -> Any:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {KEY}"}, timeout=60) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await asked_of(client)

    holds(anyio.run(run))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer another"}, 401),
        ({"authorization": f"Bearer {KEY}"}, 200),
        ({"authorization": f"Bearer {KEY}", "host": "evil.example"}, 421),
        ({"authorization": f"Bearer {KEY}", "origin": "https://evil.example"}, 403),
        ({"authorization": f"Bearer {KEY}", "origin": "http://localhost:3000"}, 200),
    ],
)
def test_who_has_no_key_or_comes_by_another_name_is_refused(address: str, headers: dict[str, str], status: int) -> None:
    assert httpx.post(address, json=INITIALIZE, headers={**ACCEPTS, **headers}).status_code == status


def app(host: str, key: str | None = None, *names: str) -> Any:
    return http_app(server_over(Desk(Settings.load(model="extractive"))), host=host, key=key, names=names)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "agent.example"])  # noqa: S104 - to be refused
def test_beyond_this_machine_a_key_is_needed(host: str) -> None:
    with pytest.raises(InvalidSetting, match="Set VERIDIC_MCP_KEY"):
        app(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_on_this_machine_none_is(host: str) -> None:
    with TestClient(app(host), base_url="http://localhost:8765") as client:
        assert client.post("/mcp", json=INITIALIZE, headers=ACCEPTS).status_code == 200


def test_where_it_listens_everywhere_it_is_told_its_names() -> None:
    everywhere = "0.0.0.0"  # noqa: S104 - behind a key
    with pytest.raises(InvalidSetting, match="--allow-host"):
        app(everywhere, KEY)
    called = {**ACCEPTS, "authorization": f"Bearer {KEY}"}
    with TestClient(app(everywhere, KEY, "agents.example"), base_url="http://agents.example") as client:
        assert client.post("/mcp", json=INITIALIZE, headers=called).status_code == 200
        assert client.post("/mcp", json=INITIALIZE, headers={**called, "host": "other"}).status_code == 421


def test_a_port_that_is_taken_is_one_line(address: str, environment: dict[str, str]) -> None:
    port = address.rsplit(":", 1)[1].partition("/")[0]
    done = subprocess.run([*COMMAND, "--http", "--port", port], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2,
        f"veridic: 127.0.0.1:{port} cannot be listened at: Address already in use. Choose another --port.",
    )


def test_without_the_package_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp'] = None; sys.argv = ['veridic', 'mcp']; from veridic.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, "pip install 'veridic[mcp]'" in done.stderr) == (1, True)
