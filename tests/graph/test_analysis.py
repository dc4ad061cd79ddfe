"""What is told of a question before anything is looked up, and what comes of it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from numpy.typing import NDArray

from tests.fakes.chat import ScriptedChat
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.judges import OverlapEvaluator
from tests.graph.world import World
from veridic.evidence.analysis import FIRST, FITTED_FOR, NEEDLESS
from veridic.models.embedder import OnnxEmbedder
from veridic.runtime.run import Resources
from veridic.runtime.turns import LEANS_FROM

QUESTION = "When was the Alder Bridge opened?"
MANY = {f"Note {n}": f"The bridge number {n} has a toll of {n} crowns." for n in range(12)}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def test_the_result_has_it(world: World) -> None:
    found = world.ask("Is the Alder Bridge longer than 400 metres?")["analysis"]
    assert found.pop("need") > 0.99
    assert found == {
        "years": [],
        "parts": 1,
        "asked": ["Is the Alder Bridge longer than 400 metres?"],
        "answer": "yes-no",
        "passages": 8,
        "understood": 1.0,
    }


def test_it_is_of_the_newest_question_of_a_thread(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "one"}}
    graph.invoke({"question": "Who was mayor in 1932?"}, thread)
    found = graph.invoke({"question": "Thanks!"}, thread)["result"]["analysis"]
    assert (found["years"], found["need"]) == ([], NEEDLESS)


def test_it_is_of_the_question_made_whole(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "one"}}
    graph.invoke({"question": "When was the Alder Bridge opened in 1932?"}, thread)
    found = graph.invoke({"question": "And the Mill Bridge?"}, thread)["result"]
    assert found["analysis"]["years"] == ["1932"], found["standalone"]
    assert found["analysis"]["understood"] < 1.0


def test_one_that_may_lean_on_what_was_said_is_less_surely_right(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "one"}}
    asked = "How long is the Alder Bridge?"
    graph.invoke({"question": "How many books does the Marsh Library hold?"}, thread)
    alone, found = world.ask(asked), graph.invoke({"question": asked}, thread)["result"]
    understood = found["analysis"]["understood"]
    assert found["standalone"] == asked
    assert alone["analysis"]["understood"] == 1.0 > understood > 1 - LEANS_FROM
    first, then = ({one["text"]: one["probability"] for one in each["candidates"]} for each in (alone, found))
    assert then == {text: pytest.approx(sure * understood) for text, sure in first.items()}


def test_a_courtesy_between_is_nothing_that_a_question_leans_on(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "one"}}
    for asked in ("When was the Alder Bridge opened?", "Thanks a lot!"):
        graph.invoke({"question": asked}, thread)
    found = graph.invoke({"question": "And the Mill Bridge?"}, thread)["result"]
    assert found["standalone"] == "When was the Mill Bridge opened?"


@pytest.mark.parametrize(("chosen", "retrieved"), [(None, 8), (2, 2), (11, 11)])
def test_so_many_passages_are_retrieved(world: World, chosen: int | None, retrieved: int) -> None:
    world.texts = MANY
    world.evaluator = OverlapEvaluator(upper=0.0, lower=0.0)
    found = world.ask("What is the toll of the bridge?", passages=chosen, sources=(), max_retries=0)
    assert found["analysis"]["passages"] == retrieved
    assert len(found["documents"]) == retrieved


class Alone(HashingEmbedder):
    """An embedder the gap was fitted for, under which nothing is near anything but itself."""

    fingerprint = FITTED_FOR
    dimension = OnnxEmbedder().dimension

    def embed(self, texts: list[str]) -> NDArray[np.float32]:  # type: ignore[override]
        return np.eye(len(texts), self.dimension, dtype=np.float32)


def fitted(resources: Resources) -> Resources:
    return replace(resources, embedder=Alone())


def test_what_is_far_is_not_retrieved_unless_a_number_was_chosen(world: World) -> None:
    world.texts, world.wrap = {**MANY, "Ferry": "A toll."}, fitted
    world.evaluator = OverlapEvaluator(upper=0.0, lower=0.0)
    everything = world.ask("What is the toll of the bridge?", passages=9, sources=(), max_retries=0)
    assert len(everything["documents"]) == 9

    class Near(Alone):
        """Only the question and the first passage are near one another."""

        def embed(self, texts: list[str]) -> NDArray[np.float32]:  # type: ignore[override]
            rows = super().embed(texts)
            rows[1:2] = rows[:1]
            return rows

    world.wrap = lambda resources: replace(resources, embedder=Near())
    few = world.ask("What is the toll of the bridge?", sources=(), max_retries=0)
    assert len(few["documents"]) == FIRST


POEM = "Write me a short poem about the sea."


def test_a_task_that_needs_no_documents_is_done_by_a_model_that_can(world: World) -> None:
    world.chat = ScriptedChat(always="The sea is wide.", follows_instructions=True)
    steps, result = world.path_of(POEM)
    assert steps == ["analyze", "generate", "finish", "write_back", "log"]
    assert (result["answer"], result["outcome"]) == ("The sea is wide.", "unverified")
    assert result["reason"].startswith("No evidence was used.")


def test_the_documents_are_asked_where_a_run_says_so_or_nobody_can_do_it(world: World) -> None:
    assert "retrieve" in world.path_of(POEM)[0]
    world.chat = ScriptedChat(always="The sea is wide.", follows_instructions=True)
    assert "retrieve" in world.path_of(POEM, retrieval="always")[0]
    assert "retrieve" in world.path_of("Who opened the Alder Bridge?")[0]
