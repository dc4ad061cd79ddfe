"""A run that several workers finish, or one after another was killed, is logged and learned once."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.knowledge.conftest import Opener
from tests.knowledge.postgres import fresh
from tests.knowledge.test_conformance import lesson, record, result, soon
from tests.served.hosts import EXAMPLES
from veridic import build_graph
from veridic.knowledge.base import Knowledge, open_store
from veridic.resources import open_resources
from veridic.settings import Settings

QUESTION = "When was the Halden Ridge Observatory founded?"
THREAD: Any = {"configurable": {"thread_id": "one"}}
WORKERS = 4


def settings_at(place: Path | str) -> Settings:
    return Settings.load(kb=str(place), model="extractive", docs=EXAMPLES, min_confidence=0)


def counted(place: Path | str, table: str, where: str = "true") -> int:
    with open_store(place) as store, store.reading() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0])


def at_once(*workers: Callable[[], Any]) -> list[Any]:
    """What several give that begin at the same moment."""
    together = Barrier(len(workers))

    def begun(worker: Callable[[], Any]) -> Any:
        together.wait(30)
        return worker()

    with ThreadPoolExecutor(len(workers)) as pool:
        return list(pool.map(begun, workers))


@pytest.fixture
def workers(opener: Opener) -> list[Knowledge]:
    """The knowledge base as several processes open it."""
    return [opener() for _ in range(WORKERS)]


def test_one_row_of_the_log_and_one_lesson(workers: list[Knowledge], place: Path | str) -> None:
    def finish(knowledge: Knowledge) -> None:
        knowledge.decisions.write(result("1", "x"), deadline=soon())
        knowledge.experience.learn("1", lesson("alpha"), deadline=soon())

    at_once(*((lambda one=one: finish(one)) for one in workers))
    assert (counted(place, "decisions"), counted(place, "experience")) == (1, 1)


def test_one_record_with_one_beginning(workers: list[Knowledge], place: Path | str) -> None:
    ids = at_once(*((lambda one=one: one.corpus.remember(record(), deadline=soon())) for one in workers))
    assert len(set(ids)) == 1
    assert (counted(place, "records"), counted(place, "documents"), counted(place, "record_events")) == (1, 1, 1)


@pytest.mark.usefixtures("verifying_judges")
def test_two_workers_that_go_on_with_one_run_write_once(place: Path | str) -> None:
    graph = build_graph(
        open_resources(settings_at(place)), checkpointer=InMemorySaver(), interrupt_before=["write_back"]
    )
    graph.invoke({"question": QUESTION}, THREAD)
    told = at_once(*((lambda: graph.invoke(None, THREAD)["result"]) for _ in range(2)))
    assert told[0]["run_id"] == told[1]["run_id"]
    assert {one["write_back"]["record_id"] for one in told} != {None}
    assert (counted(place, "decisions"), counted(place, "experience")) == (1, 1)
    assert (counted(place, "records"), counted(place, "record_events")) == (1, 1)


@pytest.mark.postgres
@pytest.mark.usefixtures("verifying_judges")
class TestCheckpoints:
    """Runs whose steps are kept by LangGraph's own saver, in the database beside the knowledge base."""

    def test_a_run_whose_process_was_killed_is_gone_on_with(self, server: str) -> None:
        from langgraph.checkpoint.postgres import PostgresSaver

        place = fresh(server)
        code = f"""
import os, signal
from langgraph.checkpoint.postgres import PostgresSaver
from tests.knowledge.test_once import QUESTION, THREAD, settings_at
from veridic import build_graph
from veridic.resources import open_resources
with PostgresSaver.from_conn_string({place!r}) as saver:
    saver.setup()
    graph = build_graph(open_resources(settings_at({place!r})), checkpointer=saver)
    for update in graph.stream({{"question": QUESTION}}, THREAD, stream_mode="updates", durability="sync"):
        if "finish" in update:
            os.kill(os.getpid(), signal.SIGKILL)
"""
        ended = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], env=os.environ, check=False)
        assert ended.returncode == -signal.SIGKILL
        assert counted(place, "decisions") == 0
        with PostgresSaver.from_conn_string(place) as saver:
            graph = build_graph(open_resources(settings_at(place)), checkpointer=saver)
            begun = graph.get_state(THREAD).values["run_id"]
            result = graph.invoke(None, THREAD)["result"]
            assert (result["run_id"], "1911" in result["short_answer"]) == (begun, True)
            assert (counted(place, "decisions"), counted(place, "records")) == (1, 1)
            saver.prune(["one"])
            assert len(list(saver.list(THREAD))) == 1
            assert graph.get_state(THREAD).values["run_id"] == begun
