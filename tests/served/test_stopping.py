"""A client that goes away: its run ends, down to the reply that a model is still writing."""

from collections.abc import Iterator

import httpx
import pytest

from tests.fakes.endpoint import Endpoint
from tests.fakes.openai import openai_server
from tests.served.hosts import EXAMPLES, Host, running

LONG = 30
QUESTION = "Who founded the Halden Ridge Observatory?"
BUDGET = {"time_budget": 600.0, "answer_tokens": 2048}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with openai_server() as there:
        there.pieces, there.pause = ["on and on "] * 2000, 0.05
        yield there


@pytest.fixture(scope="module", params=["veridic", "langgraph"])
def host(
    request: pytest.FixtureRequest, endpoint: Endpoint, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Host]:
    model = {"model": "openai:tiny", "base_url": endpoint.url, "api_key": "k"}
    with running(
        request.param, tmp_path_factory.mktemp("stopping") / "kb.sqlite", begin_with=EXAMPLES, **model
    ) as there:
        yield there


def left_while_it_writes(host: Host, endpoint: Endpoint, path: str, sent: dict[str, object]) -> bool:
    """Whether the model's server is hung up on once the client has gone, its reply unfinished."""
    endpoint.left.clear()
    asked = len(endpoint.requests)
    headers = {"accept": "text/event-stream"}
    with (
        httpx.Client(base_url=host.url, timeout=LONG) as client,
        client.stream("POST", path, json=sent, headers=headers) as answer,
    ):
        for _ in answer.iter_lines():
            if len(endpoint.requests) > asked:
                break
    return endpoint.left.wait(LONG)


def test_a_stream_that_is_left_stops_the_model(host: Host, endpoint: Endpoint) -> None:
    sent = {"question": QUESTION, "system": "standard_rag", "context": BUDGET}
    assert left_while_it_writes(host, endpoint, "/veridic/ask", sent)


def test_a_run_of_langgraphs_own_that_is_left_stops_too(host: Host, endpoint: Endpoint) -> None:
    if host.name == "veridic":
        pytest.skip("veridic serve has LangGraph's routes not")
    run = {
        "assistant_id": "standard_rag",
        "input": {"question": QUESTION},
        "context": BUDGET,
        "stream_mode": ["custom"],
    }
    assert left_while_it_writes(host, endpoint, "/runs/stream", {**run, "on_disconnect": "cancel"})
