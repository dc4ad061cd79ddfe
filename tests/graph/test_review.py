"""A person is asked about what waits for review, where the run can wait for one; the row is written by then."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tests.graph.world import World
from tests.knowledge.test_conformance import record
from veridic.context import Context
from veridic.knowledge import record_rows
from veridic.knowledge.record_rows import RecordEvent
from veridic.ports.shapes import Result

QUESTION = "When was the Alder Bridge opened?"
THREAD = {"configurable": {"thread_id": "t"}}


def world_of(path: Path, **settings: object) -> World:
    chosen = {"write_back": "review", "review": "interrupt", "max_generated": 1.0, **settings}
    return World(path / "kb.sqlite", settings=chosen)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return world_of(tmp_path)


def happened(world: World) -> list[RecordEvent]:
    with world.knowledge().corpus.store.reading() as connection:
        return record_rows.events_of(connection)


def asked(graph: Any) -> dict[str, Any]:
    return graph.invoke({"question": QUESTION}, THREAD, context=Context())


def resumed(graph: Any, said: object) -> Result:
    state = graph.invoke(Command(resume=said), THREAD, context=Context())
    assert "__interrupt__" not in state
    return state["result"]


def test_the_run_stops_and_shows_what_waits(world: World) -> None:
    state = asked(world.graph(checkpointer=InMemorySaver()))
    [interrupt] = state["__interrupt__"]
    [written] = happened(world)
    assert (written.event, written.status) == ("written", "review")
    assert interrupt.value["record_id"] == written.record_id
    assert interrupt.value["question"] == QUESTION
    assert "1932" in interrupt.value["answer"]
    assert {one["title"] for one in interrupt.value["sources"]} == {"Alder Bridge"}
    result = state["result"]
    assert result["outcome"] == "accepted"
    logged = world.knowledge().decisions.read(result["run_id"])
    assert logged is not None, "what nobody replies to is logged all the same"


@pytest.mark.parametrize(("said", "status"), [("approve", "active"), ("reject", "rejected")])
def test_what_is_said_is_done(world: World, said: str, status: str) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    asked(graph)
    learned = resumed(graph, said)["write_back"]
    assert learned is not None
    assert learned["status"] == status
    last = happened(world)[-1]
    assert (last.record_id, last.status, last.run_id) == (
        learned["record_id"],
        status,
        graph.get_state(THREAD).values["result"]["run_id"],
    )


@pytest.mark.parametrize("said", ["later", "", None, ["approve"], {"approve": True}, 7, True])
def test_whatever_else_is_said_leaves_it_waiting(world: World, said: object) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    asked(graph)
    learned = resumed(graph, {"said": said})["write_back"]
    assert learned is not None
    assert learned["status"] == "review"
    assert [one.event for one in happened(world)] == ["written"]


def test_a_resume_repeated_from_the_same_checkpoint_changes_nothing_more(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    asked(graph)
    waiting = graph.get_state(THREAD).config
    resumed(graph, "approve")
    before = happened(world)
    graph.invoke(Command(resume="approve"), waiting, context=Context())
    assert happened(world) == before
    assert [one.event for one in before] == ["written", "confirmed", "approved"]


def test_what_was_decided_meanwhile_stays(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    asked(graph)
    [written] = happened(world)
    world.knowledge().corpus.settle(written.record_id, "rejected", "", deadline=float("inf"))
    learned = resumed(graph, "approve")["write_back"]
    assert learned is not None
    assert (learned["status"], learned["reason"]) == ("rejected", "It was rejected by then, and stays so.")


@pytest.mark.parametrize("said", ["approve", "reject"])
def test_a_state_that_someone_changed_decides_nothing(world: World, said: str) -> None:
    other = world.knowledge().corpus.remember(record(run_id="another", status="review"), deadline=float("inf"))
    graph = world.graph(checkpointer=InMemorySaver())
    state = asked(graph)
    learned = {**state["result"]["write_back"], "record_id": other}
    graph.update_state(THREAD, {"result": {**state["result"], "write_back": learned}}, as_node="log")
    assert "__interrupt__" not in graph.invoke(None, THREAD, context=Context())
    graph.invoke(Command(resume=said), THREAD, context=Context())
    assert [one.event for one in happened(world)] == ["written", "written"]


def test_without_a_checkpointer_nobody_is_asked(world: World) -> None:
    for state in (world.graph().invoke({"question": QUESTION}, THREAD, context=Context()), asked_apart(world)):
        assert "__interrupt__" not in state
        assert state["result"]["write_back"]["status"] == "review"


def asked_apart(world: World) -> dict[str, Any]:
    return asyncio.run(world.graph().ainvoke({"question": QUESTION}, context=Context()))


@pytest.mark.parametrize("settings", [{"review": "queue"}, {"write_back": "probation"}])
def test_nobody_is_asked_where_the_settings_or_the_record_do_not_ask(tmp_path: Path, settings: dict[str, str]) -> None:
    world = world_of(tmp_path, **settings)
    state = asked(world.graph(checkpointer=InMemorySaver()))
    assert "__interrupt__" not in state
    assert state["result"]["write_back"]["written"]


def test_the_next_question_on_the_thread_needs_no_reply(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    asked(graph)
    second = graph.invoke({"question": "How many books does the Marsh Library hold?"}, THREAD, context=Context())
    assert second["result"]["standalone"].startswith("How many books")
    assert happened(world)[0].status == "review"


def test_it_stops_under_ainvoke_too(world: World) -> None:
    graph = world.graph(checkpointer=InMemorySaver())
    state = asyncio.run(graph.ainvoke({"question": QUESTION}, THREAD, context=Context()))
    assert state["__interrupt__"]
    state = asyncio.run(graph.ainvoke(Command(resume="approve"), THREAD, context=Context()))
    assert state["result"]["write_back"]["status"] == "active"
