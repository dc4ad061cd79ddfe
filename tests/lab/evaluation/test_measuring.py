"""Asking and recording: plain RAG is the graph's own parts, and a run that was killed ends as if it had not been."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.chat import ScriptedChat
from tests.graph.world import BRIDGE, LIBRARY, World
from tests.lab.evaluation.rows import question
from veridic.context import Context
from veridic.errors import ModelUnavailable, UsageError
from veridic.text.answers import refuses
from veridic_lab.evaluation.journal import Journal, Row, rows_in
from veridic_lab.evaluation.measuring import asked, measure
from veridic_lab.evaluation.systems import System, open_systems

ROOT = Path(__file__).parents[3]
ANSWER = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
NAMES = ["standard_rag", "veridic"]
QUESTIONS = [
    question("q1", text="Who opened the Alder Bridge?", gold=["Alder Bridge"]),
    question("q2", text="How many books does the Marsh Library hold?", answers=["90,000"], gold=["Marsh Library"]),
    question("q3", text="Who painted the Sistine Chapel?", answers=[], gold=[], missing="own"),
]


def systems(world: World, *, k: int = 2, **context: object) -> list[System]:
    return open_systems(NAMES, world.resources(), Context(**context), k=k)  # type: ignore[arg-type]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def test_plain_rag_retrieves_and_writes_and_that_is_all(world: World) -> None:
    world.chat = ScriptedChat(always="Anna Berg opened it.")
    plain, _ = systems(world)
    result, measured = asked(plain, QUESTIONS[0])
    assert measured["steps"] == ["analyze", "retrieve", "take", "generate", "finish", "log"]
    assert result["answer"] == "Anna Berg opened it."
    assert result["outcome"] == "unverified"
    assert measured["retrieved"][0][0] == "Alder Bridge"
    assert measured["first_token"] is not None
    assert {c["url"] for s in result["sentences"] for c in s["citations"]} == {"Alder Bridge", "Marsh Library"}


@pytest.mark.parametrize("k", [1, 2])
def test_plain_rag_reads_k_passages_whole(world: World, k: int) -> None:
    chat = ScriptedChat(always=ANSWER, follows_instructions=True)
    world.chat = chat
    asked(systems(world, k=k)[0], QUESTIONS[0])
    (prompt,) = chat.prompts
    assert BRIDGE in prompt.user
    assert (LIBRARY in prompt.user) is (k == 2)


def test_both_systems_get_the_same_words_and_limits(world: World) -> None:
    chat = ScriptedChat(always=ANSWER, follows_instructions=True)
    world.chat = chat
    for system in systems(world, k=1, answer_tokens=16):
        asked(system, QUESTIONS[0])
    plain, ours = chat.prompts[:2]
    assert plain.system == ours.system
    assert plain.user.partition("<passages>")[0] == ours.user.partition("<passages>")[0]
    beside = [line for line in ours.user.partition("</passages>")[2].splitlines() if "A reader found" not in line]
    assert [line for line in plain.user.partition("</passages>")[2].splitlines() if line] == [
        one for one in beside if one
    ]


def test_a_plain_refusal_is_an_abstention(world: World) -> None:
    world.chat = ScriptedChat(always="I don't know.")
    result, _ = asked(systems(world)[0], QUESTIONS[2])
    assert result["outcome"] == "abstained"
    assert result["sentences"][0]["citations"] == []


def test_without_a_model_plain_rag_gives_the_nearest_sentences(world: World) -> None:
    result, _ = asked(systems(world)[0], QUESTIONS[1])
    assert result["answer"] in LIBRARY
    assert {c["url"] for s in result["sentences"] for c in s["citations"]} == {"Marsh Library"}


def test_nothing_found_is_an_abstention(world: World) -> None:
    world.texts = {}
    result, _ = asked(systems(world)[0], QUESTIONS[0])
    assert refuses(result["answer"])
    assert result["outcome"] == "abstained"


def test_what_is_measured_is_not_learned(world: World) -> None:
    world.chat = ScriptedChat(always=ANSWER)
    for system in systems(world):
        assert not system.context.write_back
        asked(system, QUESTIONS[0])
        asked(system, QUESTIONS[0])
    knowledge = world.knowledge()
    assert knowledge.experience.recall(QUESTIONS[0].text, limit=3, deadline=float("inf")) == []
    assert knowledge.corpus.status().generated_chunks == 0


def test_an_unknown_system_is_named(world: World) -> None:
    with pytest.raises(UsageError, match="no system 'cragg'"):
        open_systems(["cragg"], world.resources(), Context(), k=1)


def essence(rows: list[Row]) -> list[tuple[object, ...]]:
    """What must not depend on when and how often a run was started."""
    return [
        (row["system"], row["question"]["id"], row["result"]["answer"], row["result"]["outcome"],
         row["measured"]["steps"], row["measured"]["retrieved"])
        for row in rows
    ]  # fmt: skip


class Flaky(ScriptedChat):
    """Out of order from its third reply on."""

    def write(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
        if len(self.prompts) >= 3:
            raise ModelUnavailable("It is gone.")
        return super().write(*args, **kwargs)  # type: ignore[arg-type]


def test_a_run_that_broke_off_goes_on_and_ends_like_an_unbroken_one(world: World, tmp_path: Path) -> None:
    world.chat = ScriptedChat(always=ANSWER, follows_instructions=True)
    measure(systems(world), QUESTIONS, Journal(tmp_path / "whole.jsonl"))
    whole = essence(list(rows_in(tmp_path / "whole.jsonl")))
    assert len(whole) == 6
    broken = tmp_path / "broken.jsonl"
    world.chat = Flaky(always=ANSWER, follows_instructions=True)
    with pytest.raises(ModelUnavailable):
        measure(systems(world), QUESTIONS, Journal(broken))
    assert 0 < len(list(rows_in(broken))) < 6
    world.chat = ScriptedChat(always=ANSWER, follows_instructions=True)
    measure(systems(world), QUESTIONS, Journal(broken))
    assert essence(list(rows_in(broken))) == whole


def test_the_systems_take_turns_in_going_first(world: World, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    journal = Journal(tmp_path / "rows.jsonl")
    measure(systems(world), QUESTIONS[:2], journal, lambda done, of, _: told.append((done, of)))
    order = [row["system"] for row in rows_in(tmp_path / "rows.jsonl")]
    assert order == ["standard_rag", "veridic", "veridic", "standard_rag"]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.lab.evaluation import test_measuring as ours
from tests.fakes.chat import ScriptedChat
from tests.graph.world import World
from veridic_lab.evaluation import journal as journals

class Dying(ScriptedChat):
    def write(self, *args, **kwargs):
        if len(self.prompts) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(*args, **kwargs)

world = World(Path(sys.argv[1]), chat=Dying(always=ours.ANSWER, follows_instructions=True))
ours.measure(ours.systems(world), ours.QUESTIONS, journals.Journal(Path(sys.argv[2])))
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
def test_killed_it_has_lost_only_the_question_it_was_at(world: World, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    words = [sys.executable, "-c", KILLED, str(world.path), str(file)]
    killed = subprocess.run(words, cwd=ROOT, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    before = essence(list(rows_in(file)))
    assert len(before) == 2
    world.chat = ScriptedChat(always=ANSWER, follows_instructions=True)
    measure(systems(world), QUESTIONS, Journal(file))
    after = essence(list(rows_in(file)))
    assert after[:2] == before
    assert sorted((row[0], row[1]) for row in after) == sorted((n, q.id) for n in NAMES for q in QUESTIONS)
