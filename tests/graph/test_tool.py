"""The graph as a tool, and as a part of another graph."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

import veridic
from tests.fakes.judges import BrokenReader
from tests.fakes.langchain import GivingRetriever
from tests.graph.world import BRIDGE, World
from veridic import as_tool
from veridic.context import Context
from veridic.exporting.citing import marked, numbered

QUESTION = "When was the Alder Bridge opened?"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def call(question: str) -> dict[str, Any]:
    return {"name": "veridic", "args": {"question": question}, "id": "1", "type": "tool_call"}


def used(world: World, question: str = QUESTION, **handed: Any) -> ToolMessage:
    message = as_tool(world.graph(**handed)).invoke(call(question))
    assert isinstance(message, ToolMessage)
    return message


def test_it_takes_one_question() -> None:
    tool = as_tool(name="archive", description="Knows the archive.")
    assert (tool.name, tool.description) == ("archive", "Knows the archive.")
    assert {name: field["type"] for name, field in tool.args.items()} == {"question": "string"}


def test_it_tells_the_answer_with_numbered_citations_and_sources(world: World) -> None:
    message = used(world)
    result = message.artifact
    assert (result["outcome"], result["short_answer"]) == ("accepted", "1932")
    lines = str(message.content).splitlines()
    assert lines[0] == "1932 [1]"
    assert lines[2] == "The Alder Bridge was opened in 1932 by mayor Clara Voss. [1]"
    assert lines[4].startswith("[1] Alder Bridge · line 1 · Alder Bridge: “The Alder Bridge was opened in 1932")


def test_it_says_when_it_does_not_know(world: World) -> None:
    message = used(world, "Who painted the Sistine Chapel?")
    assert message.artifact["outcome"] == "abstained"
    assert str(message.content).startswith("I don't know")
    assert "No answer: " in message.content


def test_it_says_when_nothing_is_verified(world: World) -> None:
    world.reader = BrokenReader()
    message = used(world)
    assert message.artifact["outcome"] == "unverified"
    assert "Not verified: A judge failed in read: The reader is out of order." in message.content


def test_an_error_is_one_line_and_no_traceback(world: World) -> None:
    message = used(world, retriever=GivingRetriever(error=ConnectionError("no")))
    assert (message.status, message.artifact) == ("error", None)
    assert str(message.content).startswith("The handed-in retriever failed (ConnectionError: no). Try")
    assert used(world, " ").content == 'The question is empty. Ask one, such as "When was … founded?".'


def test_it_can_be_awaited(world: World) -> None:
    message = asyncio.run(as_tool(world.graph()).ainvoke(call(QUESTION)))
    assert message.artifact["short_answer"] == "1932"


def test_its_context_holds_for_every_call(world: World) -> None:
    tool = as_tool(world.graph(), context=Context(retrieval="never"))
    assert tool.invoke(call(QUESTION)).artifact["documents"] == []


@dataclass
class Own:
    """The context of somebody else's graph."""

    user: str


def test_in_an_agent_with_a_context_and_a_checkpointer_of_its_own(world: World) -> None:
    agent = StateGraph(MessagesState, Own)
    agent.add_node("tools", ToolNode([as_tool(world.graph())]))
    agent.add_edge(START, "tools")
    agent.add_edge("tools", END)
    asked = {"messages": [{"role": "assistant", "content": "", "tool_calls": [call(QUESTION)]}]}
    compiled = agent.compile(checkpointer=InMemorySaver())
    for _ in range(2):
        state = compiled.invoke(asked, {"configurable": {"thread_id": "1"}}, context=Own("me"))
        assert state["messages"][-1].artifact["short_answer"] == "1932"


class Shared(MessagesState, total=False):
    """Channels that both graphs have."""

    answer: str
    outcome: str


def outer(world: World, schema: type) -> Any:
    graph = StateGraph(Shared, schema)
    graph.add_node("veridic", world.graph())
    graph.add_edge(START, "veridic")
    graph.add_edge("veridic", END)
    return graph.compile()


def test_a_node_of_another_graph_answers_its_last_message(world: World) -> None:
    state = outer(world, Own).invoke({"messages": [("user", QUESTION)]}, context=Own("me"))
    assert (state["outcome"], state["answer"].splitlines()[0]) == ("accepted", "1932")
    assert [message.type for message in state["messages"]] == ["human", "ai"]


def test_an_outer_graph_hands_a_context_of_ours_down(world: World) -> None:
    state = outer(world, Context).invoke({"messages": [("user", QUESTION)]}, context=Context(retrieval="never"))
    assert state["outcome"] == "abstained"


def test_each_sentence_has_the_numbers_of_its_sources(world: World) -> None:
    found = used(world).artifact["sentences"]
    assert marked("No.", []) == "No."
    assert marked(BRIDGE, []) == BRIDGE
    assert numbered("x", found).count("\n[") == 1


def test_it_is_public() -> None:
    assert veridic.as_tool is as_tool
