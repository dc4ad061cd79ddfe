"""The real server: `langgraph dev` on a free port, asked through the SDK."""

from collections.abc import Iterator
from typing import Any

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import BadRequestError

from tests.served.hosts import EXAMPLES, ROOT, running
from veridic.graph.systems import SYSTEMS

QUESTION = "Who founded the Halden Ridge Observatory?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SyncLangGraphClient, list[str]]]:
    """A client of a server over the shipped examples, and the server's log so far."""
    kb = tmp_path_factory.mktemp("served") / "kb.sqlite"
    with running("langgraph", kb, begin_with=EXAMPLES) as host, get_sync_client(url=host.url) as client:
        yield client, host.log


Server = tuple[SyncLangGraphClient, list[str]]


def test_a_question_is_answered_from_the_shipped_examples(server: Server) -> None:
    client, _ = server
    state = client.runs.wait(None, "veridic", input={"question": QUESTION})
    assert isinstance(state, dict)
    assert "Ingrid Solvang" in state["answer"]
    assert state["result"]["sources"]["allowed"] == []


def test_the_run_streams_its_steps(server: Server) -> None:
    client, _ = server
    parts = client.runs.stream(None, "veridic", input={"question": QUESTION}, stream_mode=["custom", "values"])
    seen = [(part.event, part.data) for part in parts]
    steps = [data["node"] for event, data in seen if event == "custom" and data["event"] == "step"]
    assert steps[:3] == ["analyze", "retrieve", "evaluate"]
    assert steps[-1] == "log"


def test_the_second_question_on_a_thread_is_a_new_run(server: Server) -> None:
    client, _ = server
    thread = client.threads.create()["thread_id"]
    first = client.runs.wait(thread, "veridic", input={"question": QUESTION})
    second = client.runs.wait(
        thread,
        "veridic",
        input={"messages": [{"role": "user", "content": "What does an adult ticket cost?"}]},
        context={"max_retries": 0},
    )
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert "12 euros" in second["answer"]
    assert second["result"]["run_id"] != first["result"]["run_id"]
    assert [message["type"] for message in second["messages"]] == ["human", "ai", "human", "ai"]


def test_a_run_may_be_asked_of_some_documents_and_of_no_others(server: Server) -> None:
    client, _ = server
    answers = {}
    for place in ("examples/history.md", "examples/visitor-guide.md", "src"):
        state = client.runs.wait(None, "veridic", input={"question": QUESTION}, context={"scope": [str(ROOT / place)]})
        assert isinstance(state, dict)
        assert {one["url"] for one in state["result"]["documents"]} <= {str(ROOT / place)}
        answers[place] = state["answer"]
    assert "Ingrid Solvang" in answers["examples/history.md"]
    assert "Ingrid Solvang" not in answers["examples/visitor-guide.md"]
    assert "src" in answers["src"]


def test_a_client_that_edits_a_thread_gets_nothing_verified(server: Server) -> None:
    client, _ = server
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "veridic", input={"question": QUESTION}, interrupt_before=["finish"])
    waiting = client.threads.get_state(thread)
    forged = [{**one, "text": "It was founded by the pirate Anne Bonny."} for one in waiting["values"]["candidates"]]
    client.threads.update_state(thread, {"candidates": forged}, as_node="critique")
    state = client.runs.wait(thread, "veridic", input=None)
    assert isinstance(state, dict)
    assert "pirate" in state["answer"]
    assert state["outcome"] == state["result"]["outcome"] == "unverified"
    assert "changed from outside" in state["result"]["reason"]


@pytest.mark.parametrize("how", ["context", "config"])
def test_a_choice_that_no_run_has_is_refused_by_its_name(server: Server, how: str) -> None:
    client, _ = server
    sent: dict[str, Any] = {"max_retrys": 1}
    given: dict[str, Any] = {"context": sent} if how == "context" else {"config": {"configurable": sent}}
    with pytest.raises(
        Exception, match=r"InvalidSetting: A run has no choice 'max_retrys'\. Did you mean max_retries\?"
    ):
        client.runs.wait(None, "veridic", input={"question": QUESTION}, **given)


def test_a_wrong_question_is_told_to_the_client(server: Server) -> None:
    client, _ = server
    with pytest.raises(Exception, match="InvalidQuestion: The question is empty"):
        client.runs.wait(None, "veridic", input={"question": " "})


@pytest.mark.parametrize(
    "message",
    [{"type": "tool", "content": "x"}, {"role": "nobody", "content": "x"}, {"role": "user", "content": {"a": 1}}, 5],
)
def test_messages_that_are_none_are_told_to_the_client(server: Server, message: Any) -> None:
    client, _ = server
    with pytest.raises(Exception, match="InvalidInput: The messages cannot be read"):
        client.runs.wait(None, "veridic", input={"messages": [message]})


def test_a_state_of_another_shape_is_a_bad_request_and_the_run_goes_on(server: Server) -> None:
    client, _ = server
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "veridic", input={"question": QUESTION}, interrupt_before=["finish"])
    for values in ({"candidates": 5}, {"findings": [5]}, {"messages": [{"type": "tool", "content": "x"}]}):
        with pytest.raises(BadRequestError):
            client.threads.update_state(thread, values, as_node="critique")
    state = client.runs.wait(thread, "veridic", input=None)
    assert isinstance(state, dict)
    assert state["outcome"] == "accepted"


def test_a_source_that_is_not_allowed_is_named(server: Server) -> None:
    client, _ = server
    state = client.runs.wait(None, "veridic", input={"question": QUESTION}, context={"sources": ["web"]})
    assert isinstance(state, dict)
    [gone] = state["result"]["sources"]["unavailable"]
    assert gone["source"] == "web"
    assert "not allow" in gone["reason"]


def test_studio_can_draw_the_graph_and_the_form(server: Server) -> None:
    client, _ = server
    assistant = client.assistants.search(graph_id="veridic")[0]["assistant_id"]
    nodes = {node["id"] for node in client.assistants.get_graph(assistant)["nodes"]}
    assert {"analyze", "evaluate", "search", "refine", "critique", "validate", "write_back"} <= nodes
    schema = client.assistants.get_schemas(assistant)["context_schema"]
    assert schema is not None
    retries = schema["properties"]["max_retries"]
    assert (retries["minimum"], retries["maximum"], retries["default"]) == (0, 5, 2)
    assert all("description" in field for field in schema["properties"].values())


@pytest.mark.parametrize(
    "name", [name for name, system in SYSTEMS.items() if name != "veridic" and not system.chat_grades]
)
def test_every_system_is_a_graph_of_its_own(server: Server, name: str) -> None:
    client, _ = server
    state = client.runs.wait(None, name, input={"question": QUESTION})
    assert isinstance(state, dict)
    assert (state["result"]["system"], "Ingrid Solvang" in state["answer"]) == (name, True)


def test_a_text_is_checked_by_a_graph_of_its_own(server: Server) -> None:
    client, _ = server
    state = client.runs.wait(None, "check", input={"text": "An adult ticket costs 12 euros. It rained in Oslo."})
    assert isinstance(state, dict)
    assert [claim["verdict"] for claim in state["report"]["claims"]] == ["supported", "not_found"]
    with pytest.raises(Exception, match="The text is empty"):
        client.runs.wait(None, "check", input={"text": " "})


def test_nothing_blocked_the_loop(server: Server) -> None:
    _, log = server
    assert log
    assert not any("BlockingError" in line or "Blocking call" in line for line in log)


def test_a_chat_front_end_is_answered_with_numbered_citations_and_may_change_what_it_asked(server: Server) -> None:
    """The calls of Agent Chat UI: a thread, messages streamed as values, and a changed message from its checkpoint."""
    client, _ = server
    thread = client.threads.create()["thread_id"]
    told = spoken(client, thread, "Who founded the Halden Ridge Observatory?")
    assert "Ingrid Solvang" in told
    assert ". [1]" in told.partition("\n[1] ")[0]
    assert "\n[1] A short history of the observatory · line 5" in told
    first = client.threads.get_history(thread)[-1]["checkpoint"]
    assert "12 euros" in spoken(client, thread, "What does an adult ticket cost?", checkpoint=first)


def spoken(client: SyncLangGraphClient, thread: str, text: str, **how: Any) -> str:
    """What the last message says, once a message was streamed into a thread."""
    message = {"id": text, "type": "human", "content": [{"type": "text", "text": text}]}
    stream = client.runs.stream(thread, "veridic", input={"messages": [message]}, stream_mode=["values"], **how)
    last: Any = [part.data for part in stream if part.event == "values"][-1]
    told: str = last["messages"][-1]["content"]
    return told
