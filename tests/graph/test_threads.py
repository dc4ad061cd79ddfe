"""Conversations, checkpoints, colours: what LangGraph does around the nodes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from blockbuster import BlockBuster
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.fakes.chat import ScriptedChat
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import InvalidQuestion

QUESTION = "When was the Alder Bridge opened?"
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", chat=ScriptedChat(always=TRUE))


@pytest.fixture
def strict_saver(monkeypatch: pytest.MonkeyPatch) -> InMemorySaver:
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
    return InMemorySaver()


def test_the_second_question_on_a_thread_starts_clean(world: World, strict_saver: InMemorySaver) -> None:
    graph = world.graph(checkpointer=strict_saver)
    config = {"configurable": {"thread_id": "t"}}
    graph.invoke({"question": "Who painted the Sistine Chapel?"}, config, context=Context(max_retries=1))
    second = graph.invoke({"question": QUESTION}, config, context=Context())
    fresh = world.ask(QUESTION)
    assert second["result"]["outcome"] == fresh["outcome"] == "accepted"
    assert second["result"]["retries"] == 0
    assert second["result"]["queries"] == fresh["queries"]
    assert second["result"]["failures"] == second["result"]["sources"]["sent"] == []
    assert second["result"]["timings"].keys() == fresh["timings"].keys()
    assert [message.type for message in second["messages"]] == ["human", "ai", "human", "ai"]


def test_what_a_server_lets_be_begun_again_is_one_run(world: World) -> None:
    """A worker was stopped past its lease, before the first checkpoint, and another one begins: it is kept once.

    After a checkpoint LangGraph itself goes on with the run, by that id.
    """
    graph, config = world.graph(), {"configurable": {"run_id": "6f1f7f1e-0000-4000-8000-000000000001"}}
    kept = [
        graph.invoke({"question": one}, config, context=Context())["result"]["run_id"]
        for one in (QUESTION, QUESTION, "Who opened the Alder Bridge?")
    ]
    assert kept[0] == kept[1] != kept[2]
    knowledge = world.knowledge()
    assert sorted(one["run_id"] for one in knowledge.decisions) == sorted({*kept})
    assert world.ask(QUESTION)["run_id"] != world.ask(QUESTION)["run_id"]


def test_every_checkpoint_is_readable_under_strict_msgpack(world: World, strict_saver: InMemorySaver) -> None:
    graph = world.graph(checkpointer=strict_saver)
    config = {"configurable": {"thread_id": "t"}}
    result = graph.invoke({"question": QUESTION}, config, context=Context())["result"]
    states = list(graph.get_state_history(config))
    assert len(states) > len(result["timings"])
    assert states[0].values["result"] == result


def test_a_conversation_in_messages_is_answered_and_its_follow_up_made_whole(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    first = graph.invoke({"messages": [HumanMessage(QUESTION)]}, config, context=Context())
    assert first["messages"][-1].text.startswith(f"1932 [1]\n\n{TRUE} [1]\n\n[1] Alder Bridge")
    second = graph.invoke({"messages": [HumanMessage("How long is it in metres?")]}, config, context=Context())
    assert second["result"]["question"] == "How long is it in metres?"
    assert second["result"]["standalone"] == "How long is the Alder Bridge in metres?"


def test_a_follow_up_leans_on_what_was_answered(world: World) -> None:
    world.chat = None
    graph = world.graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    standalone = [
        graph.invoke({"messages": [HumanMessage(text)]}, config, context=Context())["result"]["standalone"]
        for text in ("Who opened the Alder Bridge?", "When was she born?")
    ]
    assert standalone[1:] == ["When was Clara Voss born?"]


def test_where_it_is_open_what_a_follow_up_means_the_run_asks_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridic.nodes.analyze.UNCLEAR", 1.1)
    conversation = [HumanMessage(QUESTION), AIMessage(TRUE), HumanMessage("How long is it in metres?")]
    result = world.graph().invoke({"messages": conversation}, context=Context())["result"]
    assert result["path"] == ["analyze", "reply", "finish", "write_back"]
    assert (result["outcome"], result["documents"]) == ("abstained", [])
    assert result["answer"] == f"Which do you mean: “{result['queries'][0]}” or “{result['queries'][1]}”?"


def test_a_follow_up_that_only_names_another_thing_is_asked_of_it(world: World) -> None:
    world.chat = None
    graph = world.graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    found = [
        graph.invoke({"messages": [HumanMessage(text)]}, config, context=Context())["result"]
        for text in ("What is the toll for cars?", "And for lorries?", "Who opened the Alder Bridge?")
    ]
    assert [one["question"] for one in found[1:]] == ["And for lorries?", "Who opened the Alder Bridge?"]
    assert [one["standalone"] for one in found[1:]] == ["What is the toll for lorries?", "Who opened the Alder Bridge?"]
    assert found[1]["queries"][0] == "What is the toll for lorries?"


def test_a_follow_up_leans_on_follow_ups_however_many_there_were(world: World) -> None:
    world.chat = None
    asked = [QUESTION, *["How long is it in metres?"] * 4, "When was it opened?"]
    conversation = [one for text in asked for one in (HumanMessage(text), AIMessage("I don't know."))][:-1]
    result = world.graph().invoke({"messages": conversation}, context=Context())["result"]
    assert result["standalone"] == QUESTION


def test_messages_without_a_thread_hold_the_whole_conversation(world: World) -> None:
    conversation = [HumanMessage(QUESTION), AIMessage(TRUE), HumanMessage("How long is it in metres?")]
    result = world.graph().invoke({"messages": conversation}, context=Context())["result"]
    assert result["standalone"] == "How long is the Alder Bridge in metres?"


def test_of_a_question_and_messages_that_are_both_given_the_question_counts(world: World) -> None:
    graph, thread = world.graph(checkpointer=InMemorySaver()), {"configurable": {"thread_id": "1"}}
    weather, who, how_many = "What is the weather?", "Who opened the Alder Bridge?", "How many books are there?"

    def answered(given: dict[str, Any]) -> str:
        question: str = graph.invoke(given, thread)["result"]["question"]
        return question

    assert answered({"question": who, "messages": [("user", weather)]}) == who
    assert answered({"question": how_many, "messages": [("user", weather)]}) == how_many
    assert answered({"messages": [("user", who)]}) == who  # the thread holds the last question still
    assert answered({"messages": [("user", how_many)]}) == how_many


def test_a_question_that_is_sent_twice_is_one_message(world: World) -> None:
    question = "Who opened the Alder Bridge?"
    state = world.graph().invoke({"question": question, "messages": [("user", question)]})
    assert [message.type for message in state["messages"]] == ["human", "ai"]


@pytest.mark.parametrize("given", [{"query": "Who opened the Alder Bridge?"}, {"messages": []}])
def test_a_state_without_a_question_is_told_its_key(world: World, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidQuestion, match="Its key is `question`"):
        world.graph().invoke(given)


def test_a_conversation_that_ends_with_an_answer_is_told_so(world: World) -> None:
    with pytest.raises(InvalidQuestion, match="The last message is not a user's"):
        world.graph().invoke({"messages": [("user", "Who opened it?"), ("ai", "The mayor.")]})


@pytest.mark.parametrize("asked", ["Why?", "Are you sure?", "Source?"])
def test_a_model_that_follows_instructions_makes_few_words_whole(world: World, asked: str) -> None:
    world.chat = ScriptedChat([QUESTION, TRUE], follows_instructions=True)
    conversation = [HumanMessage(QUESTION), AIMessage(TRUE), HumanMessage(asked)]
    result = world.graph().invoke({"messages": conversation}, context=Context())["result"]
    assert (result["question"], result["standalone"]) == (asked, QUESTION)


def test_a_model_that_follows_instructions_makes_the_follow_up_whole(world: World) -> None:
    world.chat = ScriptedChat(["How many metres long is the Alder Bridge?", TRUE], follows_instructions=True)
    conversation = [HumanMessage(QUESTION), AIMessage(TRUE), HumanMessage("How many metres long is it?")]
    result = world.graph().invoke({"messages": conversation}, context=Context())["result"]
    assert result["standalone"] == "How many metres long is the Alder Bridge?"


def test_context_may_be_missing_or_a_mapping(world: World) -> None:
    assert world.graph().invoke({"question": QUESTION})["outcome"] == "accepted"
    assert world.graph().invoke({"question": QUESTION}, context={"max_retries": 0})["outcome"] == "accepted"  # type: ignore[arg-type]


def test_nothing_blocks_the_event_loop(world: World) -> None:
    graph = world.graph()

    async def ask() -> str:
        detector = BlockBuster(scanned_modules=["veridic"])
        detector.activate()
        try:
            state = await graph.ainvoke({"question": QUESTION}, context=Context())
        finally:
            detector.deactivate()
        return str(state["outcome"])

    assert asyncio.run(ask()) == "accepted"


def test_draft_tokens_are_marked_and_only_the_verified_answer_is_a_message(world: World) -> None:
    events = []
    for mode, item in world.graph().stream(
        {"question": "How was the Alder Bridge opened?"}, stream_mode=["custom", "messages"]
    ):
        events.append(("message", item[0].text) if mode == "messages" else (item["event"], item))
    tokens = [item for event, item in events if event == "token"]
    assert "".join(token["text"] for token in tokens) == TRUE
    assert {(token["attempt"], token["candidate"]) for token in tokens} == {(0, 0)}
    assert [text for event, text in events if event == "message"][-1].startswith(TRUE)


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("x" * 100_000, "100,000 characters"),
        ("\x00\x01\x02\x03 what", "not readable"),
        ("???", "not readable"),
    ],
)
def test_a_bad_question_is_refused_in_one_line(world: World, question: str, problem: str) -> None:
    with pytest.raises(InvalidQuestion, match=problem) as caught:
        world.ask(question)
    assert "\n" not in str(caught.value)
