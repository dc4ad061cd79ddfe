"""States of threads, changed by a client between two nodes, over HTTP and in Python; then the run goes on.

A failure too: what was forged comes out as verified, or is learned or logged as that.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, get_type_hints
from uuid import uuid4

from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from veridic.graph.builder import Graph, build_graph
from veridic.graph.sealing import UNSEALED
from veridic.graph.systems import system_named
from veridic.resources import open_resources
from veridic.settings import Settings
from veridic.state import GraphState
from veridic_lab.benchmarks.fuzz.requests import SECONDS, Server, served
from veridic_lab.benchmarks.fuzz.running import Attempt, Case, Target
from veridic_lab.benchmarks.fuzz.texts import json_values, texts

QUESTION = "Who founded the Halden Ridge Observatory?"
FORGED = "The Halden Ridge Observatory was founded in 1650 by the pirate Anne Bonny."
MARK = "Anne Bonny"
GIVEN = ("accepted", "corrected", "partial")
LEARNING = {"VERIDIC_WRITE_BACK": "active", "VERIDIC_MIN_NOVELTY": "0", "VERIDIC_MAX_GENERATED": "1"}
NODES = [name for name in system_named("veridic").wiring.follows if not name.startswith("__")]
WAITING = "spell recall retrieve evaluate refine read generate critique finish write_back keep_outside log".split()
"""Nodes before which a run of the question waits."""
CHANNELS = get_type_hints(GraphState)
"""Each with the type that a value is to have."""

VALUE: st.SearchStrategy[tuple[str, Any]] = st.sampled_from(sorted(CHANNELS)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        json_values(6)
        if name == "messages"
        else json_values(6) | st.from_type(CHANNELS[name]) | json_values(3).map(lambda given: {"__overwrite__": given}),
    )
)
CASES: st.SearchStrategy[Case] = st.fixed_dictionaries(
    {
        "door": st.sampled_from(["server", "python", "python"]),
        "before": st.sampled_from(WAITING),
        "as_node": st.sampled_from(NODES) | st.sampled_from(["__start__", "", "no_such"]),
        "values": st.lists(VALUE, max_size=3).map(dict) | texts(5) | json_values(2),
        "forged": st.lists(st.sampled_from(sorted(CHANNELS)) | st.just("result"), max_size=3),
        "other_run": st.booleans(),
    }
)
"""`forged` are channels whose own values are sent again with every text in them put in place by a lie."""


class Door:
    """How a thread is run, read and changed."""

    def __init__(self, begin: Callable[[str], str], read: Callable[[str], Any], write: Callable[[str, Any, str], None],
                 go_on: Callable[[str], Any], drop: Callable[[str], None]) -> None:  # fmt: skip
        self.begin, self.read, self.write, self.go_on, self.drop = begin, read, write, go_on, drop


def by_server(server: Server) -> Door:
    """Over HTTP."""

    def begin(before: str) -> str:
        thread = server.thread()
        sent = {"assistant_id": "veridic", "input": {"question": QUESTION}, "interrupt_before": [before]}
        server.post(f"/threads/{thread}/runs/wait", sent)
        return thread

    return Door(
        begin=begin,
        read=lambda thread: server.client.get(f"/threads/{thread}/state").json(),
        write=lambda thread, values, node: server.post(f"/threads/{thread}/state", {"values": values, "as_node": node}),
        go_on=lambda thread: server.post(f"/threads/{thread}/runs/wait", {"assistant_id": "veridic", "input": None}),
        drop=server.drop,
    )


def by_python(graph: Graph, saver: InMemorySaver) -> Door:
    """The compiled graph."""

    def config(thread: str) -> Any:  # noqa: ANN401 - LangGraph's
        return {"configurable": {"thread_id": thread}}

    def begin(before: str) -> str:
        thread = str(uuid4())
        graph.invoke({"question": QUESTION}, config(thread), interrupt_before=[before])
        return thread

    def read(thread: str) -> Any:  # noqa: ANN401 - a state
        found = graph.get_state(config(thread))
        return {"values": found.values, "next": found.next}

    return Door(
        begin=begin,
        read=read,
        write=lambda thread, values, node: graph.update_state(config(thread), values, as_node=node),
        go_on=lambda thread: graph.invoke(None, config(thread)),
        drop=saver.delete_thread,
    )


@contextmanager
def opened(folder: Path) -> Iterator[Attempt]:
    """A server and a graph over one knowledge base that learns what it can."""
    with served(folder, **LEARNING) as server:
        saver = InMemorySaver()
        graph = build_graph(open_resources(Settings.load()), checkpointer=saver)
        doors = {"server": by_server(server), "python": by_python(graph, saver)}

        def attempt(case: Case) -> None:
            door = doors[case["door"]]
            thread = door.begin(case["before"])
            try:
                _changed(door, thread, case)
            finally:
                door.drop(thread)
                _look_at(folder / "kb.sqlite")

        yield attempt


def _changed(door: Door, thread: str, case: Case) -> None:
    found = door.read(thread)["values"]
    values = case["values"]
    if isinstance(values, dict):
        values = {**values, **{name: lied(found[name]) for name in case["forged"] if name in found}}
        if case["other_run"] and isinstance(values.get("result"), dict):
            values["result"] = {**values["result"], "run_id": "another"}
    door.write(thread, values, case["as_node"])
    went_on = door.read(thread)["next"]
    state = door.go_on(thread)
    if went_on and isinstance(values, dict) and set(values) - UNSEALED and _is_told(state):
        raise AssertionError(f"forged and {state['outcome']}: {sorted(values)}")


def lied(value: object) -> object:
    """A value with a lie in place of every longer text in it."""
    if isinstance(value, str):
        return FORGED if len(value) > 20 else value
    if isinstance(value, list):
        return [lied(one) for one in value]
    return {name: lied(one) for name, one in value.items()} if isinstance(value, dict) else value


def _is_told(state: Any) -> bool:  # noqa: ANN401 - whatever the run ended with
    result = state.get("result") if isinstance(state, dict) else None
    return isinstance(result, dict) and result.get("outcome") in GIVEN and MARK in str(result.get("answer"))


def _look_at(kb: Path) -> None:
    """Raise where a lie was learned, or logged as verified."""
    with closing(sqlite3.connect(kb)) as connection:
        learned = connection.execute(
            "SELECT count(*) FROM documents WHERE kind = 'generated' AND text LIKE ?", [f"%{MARK}%"]
        ).fetchone()[0]
        logged = connection.execute(
            f"SELECT count(*) FROM decisions WHERE outcome IN {GIVEN} AND json_extract(result, '$.answer') LIKE ?",
            [f"%{MARK}%"],
        ).fetchone()[0]
        if learned or logged:
            connection.execute("DELETE FROM decisions")
            connection.execute("DELETE FROM documents WHERE kind = 'generated'")
            connection.commit()
            raise AssertionError(f"a lie was learned {learned} and logged as verified {logged} times")


STATE = Target(CASES, opened, seconds=2 * SECONDS, megabytes=4_000, at_once=4)
