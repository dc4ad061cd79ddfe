"""Requests to summarise a document."""

from pathlib import Path

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import BrokenEvaluator
from tests.graph.world import BRIDGE, LIBRARY, World
from veridic.context import Context

OPENED = ["analyze", "open_document", "generate", "critique", "finish", "write_back", "log"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("Summarise the Alder Bridge", BRIDGE),
        ("summarize the document called 'marsh library'", LIBRARY),
        ("Summarise the document about books", LIBRARY),
    ],
)
def test_a_document_is_summarised_by_its_own_sentences(world: World, request_: str, text: str) -> None:
    world.chat = ScriptedChat(always="It is a bridge made of cheese.")
    steps, result = world.path_of(request_)
    assert steps == OPENED
    assert (result["answer"], result["outcome"], result["action"]) == (text, "accepted", "correct")
    for sentence in result["sentences"]:
        assert sentence["verdict"] == "supported"
        assert [citation["quote"] for citation in sentence["citations"]] == [sentence["text"]]
    assert world.chat.prompts == []


def test_of_a_long_document_about_a_hundred_words_are_given(world: World) -> None:
    world.texts = {"Log": "\n\n".join(f"On day {day} the crew of the ship wrote a few words." for day in range(90))}
    result = world.ask("Summarise the document Log")
    assert result["outcome"] == "accepted"
    assert 80 < len(result["answer"].split()) <= 100
    assert result["answer"].startswith("On day 0 the crew")


def test_a_capable_model_writes_the_summary(world: World) -> None:
    short = "The Alder Bridge was opened in 1932 and it is 412 metres long."
    world.chat = ScriptedChat(always=short, follows_instructions=True)
    result = world.ask("Summarise the document about the Alder Bridge")
    assert (result["answer"], result["outcome"]) == (short, "accepted")


def test_a_capable_model_that_invents_is_not_believed(world: World) -> None:
    world.chat = ScriptedChat(always="It was painted green by Emil Stark.", follows_instructions=True)
    assert world.ask("Summarise the document about the Alder Bridge")["answer"] == BRIDGE


@pytest.mark.parametrize("request_", ["Tell me about the unicorns", "Summarise the document about unicorns"])
def test_where_no_document_is_meant_it_is_a_question(world: World, request_: str) -> None:
    steps, result = world.path_of(request_)
    assert steps[:3] == ["analyze", "open_document", "retrieve"]
    assert result["outcome"] == "abstained"


def test_where_the_document_cannot_be_found_out_it_is_a_question(world: World) -> None:
    world.evaluator = BrokenEvaluator()
    steps, result = world.path_of("Summarise the document about books")
    assert "retrieve" in steps
    assert [failure["node"] for failure in result["failures"]][:1] == ["open_document"]


def test_a_heading_that_repeats_what_is_asked_for_makes_no_document_one_about_it(world: World) -> None:
    world.texts = {"Notes": "# Books\n\nReplace every vowel by the sign for it."}
    assert "retrieve" in world.path_of("Summarise the document about books")[0]


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("Tell me about Clara Voss.", "The Alder Bridge was opened in 1932 by mayor Clara Voss."),
        ("What do you know about the Alder Bridge?", BRIDGE),
        ("Summarise the toll", "The toll was abolished in 1967 after a strike of the ferrymen."),
        ("More information on the marsh library, please", LIBRARY),
    ],
)
def test_of_a_subject_is_told_what_names_it(world: World, request_: str, text: str) -> None:
    steps, result = world.path_of(request_)
    assert "open_document" in steps
    assert (result["answer"], result["outcome"]) == (text, "accepted")


def test_a_system_that_opens_nothing_takes_it_for_a_question(world: World) -> None:
    asked = {"question": "Tell me about the Alder Bridge."}
    result = world.graph(system="crag").invoke(asked, context=Context())["result"]
    assert "open_document" not in result["path"]
    assert result["candidates"]
