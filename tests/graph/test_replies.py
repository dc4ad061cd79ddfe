"""Messages that are no questions for the documents."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tests.fakes.chat import ScriptedChat
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import DeadlineExceeded
from veridic.ports.shapes import Result
from veridic.runtime.run import Resources

TAIL = ["finish", "write_back", "log"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Its chat model and its source must not be asked."""
    source = FakeSource("wikipedia", [])
    return World(tmp_path / "kb.sqlite", chat=ScriptedChat(follows_instructions=True), sources={"wikipedia": source})


def replied(world: World, message: str) -> Result:
    """The result of a message that the program answers by itself."""
    steps, result = world.path_of(message)
    assert steps == ["analyze", "reply", *TAIL]
    assert world.chat.prompts == world.sources["wikipedia"].queries == []  # type: ignore[union-attr, attr-defined]
    assert result["documents"] == result["failures"] == []
    assert result["answer"][:1].strip()
    return result


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("hello", "Hello! I answer questions from your documents"),
        ("What can you do?", "I am Veridic. I answer questions from your documents"),
        ("thanks a lot", "You are welcome! Ask me about the 2 documents I hold."),
        ("ok", "All right. Ask me about the 2 documents I hold."),
    ],
)
def test_small_talk_is_replied_to_with_what_there_is_to_ask(world: World, message: str, said: str) -> None:
    result = replied(world, message)
    assert result["answer"].startswith(said)
    assert result["answer"].endswith("Ask me about the 2 documents I hold.")
    assert (result["outcome"], result["reason"]) == ("unverified", "No question was asked; no evidence was used.")
    assert [sentence["verdict"] for sentence in result["sentences"]][:1] == ["unverified"]


def test_a_farewell_is_returned(world: World) -> None:
    assert replied(world, "bye")["answer"] == "Goodbye!"


def test_one_document_is_one_document(world: World) -> None:
    world.texts = {"Alder Bridge": "It is long."}
    assert replied(world, "hi")["answer"].endswith("Ask me about the 1 document I hold.")


def test_an_empty_knowledge_base_says_how_to_fill_it(world: World) -> None:
    world.texts = {}
    assert "veridic ingest" in replied(world, "hi")["answer"]
    assert "veridic ingest" in replied(world, "list the documents")["answer"]


def test_a_sum_is_computed(world: World) -> None:
    result = replied(world, "What is 17 * 23?")
    assert (result["answer"], result["outcome"]) == ("17 * 23 = 391", "unverified")
    assert result["reason"] == "Sums are computed; no evidence was used."


def test_a_sum_too_large_is_declined(world: World) -> None:
    result = replied(world, "9**9**9")
    assert (result["outcome"], result["sentences"]) == ("abstained", [])
    assert "compute" in result["answer"]


def test_the_documents_are_listed(world: World) -> None:
    result = replied(world, "What documents do you have?")
    assert result["answer"] == "I hold 2 documents:\n\n- Alder Bridge\n- Marsh Library"
    assert (result["outcome"], result["candidates"][0]["origin"]) == ("unverified", "reply")


def test_of_many_documents_the_first_are_listed(world: World) -> None:
    world.texts = {f"Part {number:02}": f"Text of part {number}." for number in range(23)}
    lines = replied(world, "list the documents")["answer"].splitlines()
    assert lines[0] == "I hold 23 documents:"
    assert lines[2:] == [*(f"- Part {number:02}" for number in range(20)), "- and 3 more"]


def test_a_question_in_another_language_is_told_so_at_once(world: World) -> None:
    result = replied(world, "Wann wurde die Brücke eröffnet?")
    assert (result["outcome"], result["sentences"]) == ("abstained", [])
    assert result["reason"] == "The judges know English only, and the question is not."
    assert "English" in result["answer"]


def test_in_a_conversation_too_nobody_is_asked(world: World) -> None:
    said = [HumanMessage("When was the Alder Bridge opened?"), AIMessage("1932"), HumanMessage("That was helpful!")]
    state = world.graph().invoke({"messages": said}, context=Context())
    assert state["answer"].startswith("You are welcome!")
    assert world.chat.prompts == []  # type: ignore[union-attr]


@pytest.mark.parametrize("message", ["hello", "17*23", "Wann wurde die Brücke eröffnet?"])
def test_where_retrieval_is_prescribed_every_message_is_a_question(world: World, message: str) -> None:
    steps, _ = world.path_of(message, retrieval="always", sources=())
    assert "retrieve" in steps


class Failing:
    """A knowledge base that fails where these tests ask it."""

    def __init__(self, knowledge: Any, error: Exception) -> None:
        self._knowledge = knowledge
        self._error = error

    def __getattr__(self, name: str) -> Any:
        if name == "titles":
            raise self._error
        return getattr(self._knowledge, name)

    def beneath_records(self) -> "Failing":
        return self


def failing(resources: Resources, error: Exception) -> Resources:
    return replace(resources, knowledge=Failing(resources.knowledge, error))


def test_a_greeting_for_which_there_is_no_time_ends_without_one(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", wrap=lambda given: failing(given, DeadlineExceeded("Late.", "Wait.")))
    result = world.ask("hello")
    assert (result["outcome"], result["stopped_by"]) == ("abstained", "time")
