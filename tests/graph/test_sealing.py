"""A state that someone edits between two nodes: nothing of it counts, and nothing of it is learned."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from tests.fakes.chat import ScriptedChat
from tests.fakes.knowledge import passage
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import InvalidInput
from veridic.evidence.answering import draft
from veridic.evidence.outcomes import CHANGED
from veridic.graph.builder import Graph
from veridic.graph.sealing import UNSEALED, sealed, untouched
from veridic.ports.merging import MERGED, merge_seals
from veridic.ports.method import Method
from veridic.state import GraphState

QUESTION = "When was the Alder Bridge opened?"
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss, and it is 412 metres long."
FORGED = "The Alder Bridge was founded in 1650 by the pirate Anne Bonny."
KEY = b"k" * 32
THREAD = {"configurable": {"thread_id": "t"}}
NODES = (
    "retrieve", "evaluate", "refine", "read", "generate", "critique", "finish",
    "write_back",
)  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> World:
    settings = {"write_back": "active", "min_novelty": 0.0, "max_generated": 1.0}
    return World(tmp_path / "kb.sqlite", chat=ScriptedChat(always=TRUE), settings=settings)


def stopped(world: World, before: str, **options: Any) -> Graph:
    """The graph with a run on the thread that waits before a node."""
    world.method = Method(recollect=False)
    graph = world.graph(checkpointer=InMemorySaver(), interrupt_before=[before], **options)
    graph.invoke({"question": QUESTION}, THREAD, context=Context())
    assert graph.get_state(THREAD).next == (before,)
    return graph


def resumed(graph: Graph) -> dict[str, Any]:
    """The end of the run that waits."""
    return graph.invoke(None, THREAD, context=Context())


def forged(text: str = FORGED) -> dict[str, Any]:
    """A candidate of the client's own, all in order."""
    cited = {"document_id": "d", "kind": "human", "title": "Alder Bridge", "url": "Alder Bridge", "location": ""}
    citation = {**cited, "start": 0, "end": len(text), "quote": text, "retrieved_at": ""}
    sentence = {"text": text, "start": 0, "end": len(text), "verdict": "supported", "support": 1.0}
    own = {"sentences": [{**sentence, "contradiction": 0.0, "citations": [citation]}]}
    return {**draft(text, "chat"), **own, "attempt": 0, "support": 1.0, "score": 9.0, "holds": True}


def logged(world: World) -> list[tuple[str, str]]:
    """Outcome and answer of every run in the decision log."""
    with world.knowledge().corpus.store.reading() as connection:
        rows = connection.execute("SELECT outcome, json_extract(result, '$.answer') FROM decisions").fetchall()
    return [(outcome, answer) for outcome, answer in rows]


@pytest.mark.parametrize("before", NODES)
def test_a_run_that_waits_goes_on_where_nobody_touched_it(world: World, before: str) -> None:
    straight = world.ask(QUESTION)
    result = resumed(stopped(world, before))["result"]
    assert (result["outcome"], result["answer"]) == (straight["outcome"], straight["answer"])
    assert straight["outcome"] == "accepted"


@pytest.mark.parametrize("as_node", ["generate", "critique"])
def test_a_forged_candidate_is_never_accepted_nor_learned(world: World, as_node: str) -> None:
    graph = stopped(world, "finish")
    graph.update_state(THREAD, {"candidates": [forged()]}, as_node=as_node)
    graph.update_state(THREAD, {"candidates": [forged()]}, as_node="critique")
    state = resumed(graph)
    assert (state["outcome"], state["result"]["reason"]) == ("unverified", CHANGED)
    assert not state["result"]["write_back"]["written"]
    assert world.knowledge().corpus.status().generated_chunks == 0
    assert logged(world) == [("unverified", state["answer"])]


def test_a_forged_result_is_told_as_unverified_and_not_learned(world: World) -> None:
    graph = stopped(world, "write_back")
    result = graph.get_state(THREAD).values["result"]
    graph.update_state(THREAD, {"result": {**result, "answer": FORGED}}, as_node="finish")
    state = resumed(graph)
    assert (state["outcome"], state["result"]["outcome"]) == ("unverified", "unverified")
    assert not state["result"]["write_back"]["written"]
    assert logged(world) == [("unverified", FORGED)]


def test_a_forged_log_row_is_unverified(world: World) -> None:
    graph = stopped(world, "log")
    result = graph.get_state(THREAD).values["result"]
    graph.update_state(THREAD, {"result": {**result, "answer": FORGED}}, as_node="write_back")
    resumed(graph)
    assert logged(world) == [("unverified", FORGED)]


@pytest.mark.parametrize("before", NODES[1:-1])
@pytest.mark.parametrize(
    "edit",
    [
        {"standalone": "When was the toll abolished?"},
        {"documents": [passage("d", FORGED, title="Alder Bridge")]},
        {"findings": [passage("d", FORGED, title="Alder Bridge")]},
        {"needs_evidence": False},
        {"run_id": "another"},
    ],
    ids=lambda edit: next(iter(edit)),
)
def test_whatever_is_edited_wherever_nothing_is_verified(world: World, before: str, edit: dict[str, Any]) -> None:
    graph = stopped(world, before)
    graph.update_state(THREAD, edit, as_node=NODES[NODES.index(before) - 1])
    outcome = resumed(graph)["outcome"]
    assert outcome in ("unverified", "abstained")
    assert world.knowledge().corpus.status().generated_chunks == 0


def test_seals_of_another_run_do_not_help(world: World) -> None:
    other = world.graph(checkpointer=InMemorySaver())
    other.invoke({"question": "How long is the Alder Bridge?"}, THREAD, context=Context())
    stolen = other.get_state(THREAD).values
    graph = stopped(world, "finish")
    own = graph.get_state(THREAD).values["seals"]
    lent = {name: stolen[name] for name in ("candidates", "strips", "readings")}
    seals = {**own, **{name: stolen["seals"][name] for name in lent}}
    graph.update_state(THREAD, {**lent, "seals": seals}, as_node="critique")
    assert resumed(graph)["outcome"] == "unverified"


def test_another_process_goes_on_with_a_run_and_one_with_another_key_does_not(world: World) -> None:
    saver = InMemorySaver()
    for own, expected in (({}, "accepted"), ({"seal_key": "another"}, "unverified")):
        waiting = world.graph(checkpointer=saver, interrupt_before=["finish"])
        waiting.invoke({"question": QUESTION}, THREAD, context=Context())
        world.settings = {**world.settings, **own}
        assert world.graph(checkpointer=saver).invoke(None, THREAD, context=Context())["outcome"] == expected


def test_a_knowledge_base_made_without_a_secret_gets_one_that_stays(world: World) -> None:
    store = world.knowledge().corpus.store
    with store.writing() as connection:
        connection.execute("DELETE FROM meta WHERE key = 'secret'")
    assert store.secret() == world.knowledge().corpus.store.secret() != b""


def test_half_a_character_in_a_question_is_no_failure(world: World) -> None:
    assert world.ask(f"{QUESTION} \ud800")["outcome"] == "accepted"


def test_every_channel_is_sealed_but_those_that_decide_nothing() -> None:
    merged = {name for name, kind in GraphState.__annotations__.items() if "merge_" in str(kind)}
    assert merged - MERGED == UNSEALED


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON, st.sampled_from(["candidates", "failures"]))
def test_what_was_sealed_holds_and_nothing_else_does(value: Any, other: Any, name: str) -> None:
    values = [value] if name in MERGED else value
    state: Any = {"run_id": "r", name: values}
    state["seals"] = sealed(state, {}, KEY, ours=True)["seals"].value  # type: ignore[typeddict-item, attr-defined]
    assert untouched(state, KEY)
    assert not untouched(state, b"o" * 32)
    assert not untouched({**state, "run_id": "s"}, KEY)
    changed = [*values, other] if name in MERGED else [values, other]
    assert untouched({**state, name: changed}, KEY) == (name in MERGED and repr(other) == repr(value))


def test_nothing_is_sealed_of_a_state_that_is_not_ours() -> None:
    assert sealed({"candidates": []}, {"run_id": "r"}, KEY, ours=False) == {"candidates": []}


def test_seals_of_merged_channels_add_up_and_the_others_are_replaced() -> None:
    old = {"failures": ["a"], "strips": ["b"]}
    assert merge_seals(old, {"failures": ["c"], "strips": ["d"]}) == {"failures": ["a", "c"], "strips": ["d"]}


@pytest.mark.parametrize("run_id", ["another", None])
def test_a_forged_result_of_another_run_is_not_taken_for_this_one_s(world: World, run_id: str | None) -> None:
    graph = stopped(world, "write_back")
    result = graph.get_state(THREAD).values["result"]
    forgery = {"result": {**result, "answer": FORGED, "run_id": run_id}, "answer": FORGED}
    graph.update_state(THREAD, forgery, as_node="finish")
    with pytest.raises(InvalidInput, match="changed from outside"):
        resumed(graph)
    assert logged(world) == []
    assert world.knowledge().corpus.status().generated_chunks == 0


def test_an_answer_of_an_earlier_run_is_not_learned_when_finishing_is_passed_over(world: World) -> None:
    graph = stopped(world, "retrieve")
    answered = world.graph().invoke({"question": QUESTION}, context=Context(write_back=False))["result"]
    graph.update_state(THREAD, {"result": {**answered, "answer": FORGED}, "outcome": "accepted"}, as_node="finish")
    with pytest.raises(InvalidInput, match="changed from outside"):
        resumed(graph)
    assert world.knowledge().corpus.status().generated_chunks == 0
