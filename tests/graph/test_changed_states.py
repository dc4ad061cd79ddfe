"""States of threads of any shape: the run ends as one that was changed, or in an error of ours that says so."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.fakes.chat import ScriptedChat
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import InvalidInput, InvalidQuestion
from veridic.graph.builder import Graph

QUESTION = "When was the Alder Bridge opened?"
THREAD = {"configurable": {"thread_id": "t"}}
CHANGED = "changed from outside and cannot be gone on with"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", chat=ScriptedChat(always="The Alder Bridge was opened in 1932."))


def stopped(world: World, before: str) -> Graph:
    """The graph with a run on the thread that waits before a node."""
    graph = world.graph(checkpointer=InMemorySaver(), interrupt_before=[before])
    graph.invoke({"question": QUESTION}, THREAD, context=Context())
    return graph


def ended(graph: Graph) -> Any:
    """The end of the run that waits."""
    return graph.invoke(None, THREAD, context=Context())


def told(graph: Graph) -> str:
    """The outcome of the run that waits, or that it could not go on."""
    try:
        return str(ended(graph)["outcome"])
    except InvalidInput as error:
        return CHANGED if CHANGED in str(error) else str(error)


@pytest.mark.parametrize(
    ("before", "as_node", "edit"),
    [
        ("retrieve", "analyze", {"deadline": "x"}),
        ("finish", "generate", {"candidates": [{}]}),
        ("finish", "extract_claims", {"look_ups": [5]}),
        ("finish", "extract_claims", {"look_ups": [{}]}),
        ("write_back", "finish", {"result": 5}),
        ("write_back", "finish", {"result": {}}),
        ("evaluate", "retrieve", {"documents": {"__overwrite__": [5]}}),
        ("evaluate", "search", {"failures": {"__overwrite__": [5]}}),
        ("refine", "evaluate", {"documents": [{}]}),
    ],
    ids=str,
)
def test_a_run_over_a_state_of_another_shape_says_so(world: World, before: str, as_node: str, edit: Any) -> None:
    graph = stopped(world, before)
    graph.update_state(THREAD, edit, as_node=as_node)
    with pytest.raises(InvalidInput, match=CHANGED):
        ended(graph)


def test_a_state_that_no_route_can_read_is_refused_and_the_run_goes_on(world: World) -> None:
    graph = stopped(world, "finish")
    for edit in ({"candidates": 5}, {"findings": [5]}, {"timings": 5}):
        with pytest.raises(InvalidInput):
            graph.update_state(THREAD, edit, as_node="critique")
    assert ended(graph)["outcome"] == "accepted"


@pytest.mark.parametrize("seals", [5, {"documents": 5}, {"documents": [[]]}])
def test_seals_of_another_shape_are_none(world: World, seals: Any) -> None:
    graph = stopped(world, "finish")
    graph.update_state(THREAD, {"seals": {"__overwrite__": seals}}, as_node="critique")
    assert told(graph) in ("unverified", CHANGED)


def test_a_run_that_is_sent_on_past_a_node_says_so(world: World) -> None:
    graph = stopped(world, "retrieve")
    graph.update_state(THREAD, {}, as_node="finish")
    with pytest.raises(InvalidInput, match=CHANGED):
        ended(graph)


@pytest.mark.parametrize("result", [{}, {"run_id": ""}, 5])
def test_a_run_that_is_begun_at_its_end_says_so(world: World, result: Any) -> None:
    begun = Command(goto="write_back", update={"question": QUESTION, "result": result})
    with pytest.raises(InvalidInput, match=CHANGED):
        world.graph(checkpointer=InMemorySaver()).invoke(begun, THREAD, context=Context())


@pytest.mark.parametrize("question", [5, None, {"a": 1}, ["When was it opened?"]])
def test_a_question_that_is_no_text_is_refused(world: World, question: Any) -> None:
    with pytest.raises(InvalidQuestion, match="no text"):
        world.graph().invoke({"question": question})


@pytest.mark.parametrize("messages", [{"a": 1}, "abc", [5], None])
def test_a_conversation_put_in_place_of_the_messages_is_refused(world: World, messages: Any) -> None:
    with pytest.raises(InvalidInput, match="something else than messages"):
        world.graph().invoke({"question": QUESTION, "messages": {"__overwrite__": messages}})


def test_an_error_of_our_own_is_not_blamed_on_the_state(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr("veridic.nodes.analyze.intent_of", fails)
    with pytest.raises(ZeroDivisionError):
        world.ask(QUESTION)
