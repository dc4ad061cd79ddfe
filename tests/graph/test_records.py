"""What was learned helps to find what people wrote; it is no evidence itself."""

from pathlib import Path

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.statuses import give_status
from tests.graph.world import World
from tests.knowledge.test_conformance import record, rests, soon
from veridic.context import Context
from veridic.graph.builder import build_graph

QUESTION = "Who runs the paddle steamers?"
TRUE = "The ferrymen's cooperative sails the boats with the large wheels."
LEARNED = "Anne Bonny runs the paddle steamers."


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "kb.sqlite", texts={"boats": TRUE}, settings={"write_back": "active", "own_kb": False})
    corpus = world.knowledge().corpus
    [[boats]] = corpus.search([TRUE], limit=1, deadline=soon())
    learned = record(question=QUESTION, text=LEARNED, sources=[rests(boats)])
    corpus.remember(learned, deadline=soon())
    return world


def test_a_record_alone_grounds_no_answer(world: World) -> None:
    result = world.ask(QUESTION)
    assert result["outcome"] == "abstained"
    assert "Bonny" not in str({**result, "question": ""})


def test_a_record_does_not_speak_for_a_writer_that_repeats_it(world: World) -> None:
    world.chat = ScriptedChat(always=LEARNED)
    assert world.ask(QUESTION, validate_claims="always")["outcome"] == "abstained"


def test_in_the_papers_systems_it_speaks(world: World) -> None:
    graph = build_graph(world.resources(), system="naive_write_back")
    documents = graph.invoke({"question": QUESTION}, context=Context(write_back=False))["result"]["documents"]
    assert "generated" in {one["kind"] for one in documents}


BRIDGE = "The Alder Bridge was opened in 1932."


def contested(path: Path, *, write_back: bool) -> str:
    """The status of what was learned after people's documents were found to disagree with what it rests on."""
    texts = {"Alder Bridge": BRIDGE, "Bridges": "The Alder Bridge was opened in 1955."}
    world = World(path / "kb.sqlite", texts=texts, settings={"write_back": "active"})
    corpus = world.knowledge().corpus
    [[bridge]] = corpus.search([BRIDGE], limit=1, deadline=soon())
    corpus.remember(record(text="It was opened in 1932.", sources=[rests(bridge)]), deadline=soon())
    result = world.ask("When was the Alder Bridge opened?", write_back=write_back)
    assert result["conflicts"]
    [learned] = world.knowledge().corpus.documents(kind="generated")
    return learned.status


def test_what_another_document_contradicts_waits_for_review(tmp_path: Path) -> None:
    assert contested(tmp_path, write_back=True) == "review"


def test_a_run_that_teaches_nothing_contests_nothing(tmp_path: Path) -> None:
    assert contested(tmp_path, write_back=False) == "active"


def test_what_rests_on_a_withdrawn_document_is_withdrawn_with_it(world: World) -> None:
    corpus = world.knowledge().corpus
    [source] = corpus.documents(kind="human")
    give_status(corpus, source.id, "withdrawn")
    [learned] = corpus.documents(kind="generated")
    assert learned.status == "withdrawn"
    assert corpus.search([LEARNED], limit=3, deadline=soon()) == [[]]
