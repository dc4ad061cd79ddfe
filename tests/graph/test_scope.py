"""Two folders with contracts that contradict each other in one knowledge base: a run is asked of one."""

import json
from pathlib import Path

import pytest

from tests.graph.world import World
from tests.knowledge.test_conformance import record, rests, soon
from veridic.context import Context

MAPLE = (
    "The Maple contract is ended with a notice of three months. The rent is 1,200 euros. "
    "Elena Brandt keeps the undertakings."
)
HARBOUR = (
    "The Harbour contract is ended with a notice of six weeks. The rent is 950 euros. "
    "Tomas Lindqvist keeps the warehouses."
)
TEXTS = {"/leases/maple/contract": MAPLE, "/leases/harbour/contract": HARBOUR}
OF_MAPLE = ("three months", "1,200 euros", "elena", "brandt", "undertakings", "leases/maple", "maple contract")
OF_HARBOUR = ("six weeks", "950 euros", "tomas", "lindqvist", "warehouses", "leases/harbour", "harbour contract")
MESSAGES = [
    "What is the rent?",
    "With what notice is the contract ended?",
    "Who keeps the undertakings?",
    "Who keeps the warehouses?",
    "What is the rnet in the contarct?",
    "who keeps the undertkings and the warehuses",
    "What documents do you have?",
    "hello",
    "Summarise contract",
    "Summarise the document about the rent",
    "Why is the contract ended?",
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", texts=TEXTS, settings={"write_back": "active", "max_generated": 1.0})


@pytest.mark.parametrize("message", MESSAGES)
@pytest.mark.parametrize(
    ("scope", "others"), [("/leases/maple", OF_HARBOUR), ("/leases/harbour", OF_MAPLE)], ids=["maple", "harbour"]
)
def test_nothing_of_the_other_folder_is_told(world: World, message: str, scope: str, others: tuple[str, ...]) -> None:
    world.ask("What is the rent, and who keeps the warehouses and the undertakings?")
    context = Context(scope=(scope,), validate_claims="always")
    stream = world.graph().stream({"question": message}, context=context, stream_mode=["custom", "values"])
    told = json.dumps([item for _, item in stream], default=str).lower()
    asked = message.lower()
    assert [one for one in others if one in told and one not in asked] == []


@pytest.mark.parametrize(("scope", "notice"), [("/leases/maple", "three months"), ("/leases/harbour", "six weeks")])
def test_each_is_answered_from_its_own(world: World, scope: str, notice: str) -> None:
    result = world.ask("With what notice is the contract ended?", scope=(scope,))
    assert (notice in result["answer"], result["outcome"]) == (True, "accepted")
    cited = {one["url"] for sentence in result["sentences"] for one in sentence["citations"]}
    assert cited == {f"{scope}/contract"}


def test_what_was_learned_from_both_is_told_of_neither(world: World) -> None:
    corpus = world.knowledge().corpus
    sources = [rests(found) for found in corpus.search(["rent"], limit=2, deadline=soon())[0]]
    text = "Rents: 1,200 euros at Maple, 950 euros at Harbour."
    identifier = corpus.remember(record(text=text, sources=sources), deadline=soon())
    [found] = corpus.search(["What are the rents?"], limit=3, deadline=soon())
    assert identifier in [one["document_id"] for one in found]
    alone = world.ask("What are the rents?", scope=("/leases/maple",))
    assert identifier not in [one["document_id"] for one in alone["documents"]]
    assert "950 euros" not in json.dumps(alone)


def test_a_scope_without_documents_is_named(world: World) -> None:
    result = world.ask("What is the rent?", scope=("/leases/none", "no-id"))
    assert result["outcome"] == "abstained"
    assert "/leases/none, no-id" in result["answer"]
    assert "empty" not in result["answer"]
    assert "\n" not in result["answer"]
    assert "/leases/none" in world.ask("hello", scope=("/leases/none",))["answer"]


def test_where_nothing_helps_it_is_told_where_that_was(world: World) -> None:
    answer = world.ask("Zebras migrate?", scope=("/leases/maple",))["answer"]
    assert answer == "I don't know: nothing was found at /leases/maple that helps to answer this question."


def test_an_empty_scope_asks_nothing(world: World) -> None:
    result = world.ask("What is the rent?", scope=())
    assert (result["outcome"], result["documents"]) == ("abstained", [])


def test_of_many_places_some_are_named(world: World) -> None:
    answer = world.ask("What is the rent?", scope=tuple(f"/nowhere/{number}" for number in range(900)))["answer"]
    assert "/nowhere/4 and 895 more" in answer
    assert "/nowhere/5" not in answer
