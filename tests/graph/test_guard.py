"""The retries guard, the budgets, and what a run does when its parts are wrong or broken."""

from dataclasses import replace
from pathlib import Path
from time import time
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import (
    BrokenCritic,
    BrokenEvaluator,
    OverlapCritic,
    OverlapEvaluator,
    OverlapReader,
    RandomEvaluator,
)
from tests.graph.world import BRIDGE, World
from veridic.errors import DeadlineExceeded, MissingKey, ModelUnavailable, StoreUnavailable
from veridic.graph.builder import recursion_limit
from veridic.ports.chat import Prompt, Reply
from veridic.runtime.run import Resources

QUESTION = "How was the Alder Bridge opened to ships and trams?"
ADMIRED = "The Alder Bridge, when it was opened, was admired."
WRONG = "The Alder Bridge was opened in 1955 by Emil Stark."


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Evidence that is near the question and does not answer it."""
    return World(tmp_path / "kb.sqlite", texts={"Alder Bridge": ADMIRED}, evaluator=OverlapEvaluator(abstention=0.9))


@pytest.mark.parametrize("max_retries", [0, 1, 3])
def test_a_writer_that_is_always_wrong_ends_within_max_retries(world: World, max_retries: int) -> None:
    world.chat = ScriptedChat(always=WRONG)
    result = world.ask(QUESTION, max_retries=max_retries)
    assert result["outcome"] == "abstained"
    assert "1955" not in result["answer"]
    assert result["retries"] <= max_retries
    prompts = [(prompt.system, prompt.user) for prompt in world.chat.prompts]
    assert len(prompts) == len(set(prompts)) <= max_retries + 1
    assert result["usage"]["calls"] == len(prompts)


def test_a_wrong_writer_beside_good_evidence_gives_the_supported_text(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", chat=ScriptedChat(always=WRONG))
    result = world.ask("How was the Alder Bridge opened?")
    assert result["outcome"] == "accepted"
    assert "1932" in result["answer"]
    assert "1955" not in result["answer"]


def test_the_recursion_limit_grows_with_the_retries_and_no_run_reaches_it(world: World) -> None:
    assert recursion_limit(0) < recursion_limit(5) < 220
    world.chat = ScriptedChat(always=WRONG)
    steps, result = world.path_of(QUESTION, max_retries=5)
    assert len(steps) < recursion_limit(5)
    assert result["outcome"] == "abstained"


def test_the_time_budget_ends_a_run_with_an_honest_outcome(world: World) -> None:
    world.chat = ScriptedChat(always=WRONG)
    world.clock.step = 60.0
    result = world.ask(QUESTION, max_retries=5, time_budget=100)
    assert result["stopped_by"] == "time"
    assert result["outcome"] in ("abstained", "unverified")


def test_the_call_budget_ends_a_run(world: World) -> None:
    world.chat = ScriptedChat(always=WRONG)
    result = world.ask(QUESTION, max_retries=5, call_budget=1)
    assert result["stopped_by"] == "calls"
    assert len(world.chat.prompts) == 1


def test_a_broken_critic_leaves_the_answer_unverified(tmp_path: Path) -> None:
    chat = ScriptedChat(["The bridge opened its gates in 1932 under Clara Voss."])
    world = World(tmp_path / "kb.sqlite", critic=BrokenCritic(), chat=chat)
    result = world.ask("How was the Alder Bridge opened?")
    assert result["outcome"] == "unverified"
    assert result["failures"][0]["node"] == "critique"
    assert {sentence["verdict"] for sentence in result["sentences"]} == {"unverified"}
    assert result["write_back"] is not None
    assert not result["write_back"]["written"]


def test_a_critic_that_raises_what_is_not_ours_leaves_the_answer_unverified(tmp_path: Path) -> None:
    class Faulty(OverlapCritic):
        def judge(self, pairs: object, *, deadline: float) -> list:  # type: ignore[type-arg,override]
            raise ZeroDivisionError("division by zero")

    chat = ScriptedChat(["The bridge opened its gates in 1932 under Clara Voss."])
    world = World(tmp_path / "kb.sqlite", critic=Faulty(), chat=chat)
    result = world.ask("How was the Alder Bridge opened?")
    assert result["outcome"] == "unverified"
    assert "ZeroDivisionError" in result["failures"][0]["problem"]


def test_what_a_broken_evaluator_did_not_grade_is_no_answer(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", evaluator=BrokenEvaluator())
    result = world.ask("How was the Alder Bridge opened?")
    assert result["outcome"] == "abstained"
    assert result["answer"].startswith("I don't know: not all that was found could be judged.")
    assert "The evaluator is out of order. Run `veridic doctor`. The nearest that was found: " in result["answer"]
    assert result["reason"] == "A judge failed in evaluate: The evaluator is out of order."


class Late:
    """Mixed into a judge: what it is asked comes too late."""

    def _late(self, *_: object, **__: object) -> Any:
        raise DeadlineExceeded("The judge ran out of time.", "Allow a larger time budget.")

    score = usefulness = judge = read = _late


class LateEvaluator(Late, OverlapEvaluator):
    """An evaluator without time."""


class LateCritic(Late, OverlapCritic):
    """A critic without time."""


class LateReader(Late, OverlapReader):
    """A reader without time."""


MARINA = {
    "Teal": "The Teal is a yacht with 6 berths. It is 21 metres long.",
    "Harbour": "The marina is closed from November to March. It has a café.",
}


def test_the_nearest_of_what_nobody_had_time_to_judge_is_told_as_that(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", MARINA, evaluator=LateEvaluator(), critic=LateCritic(), reader=LateReader())
    result = world.ask("How many berths has the marina?")
    assert (result["outcome"], result["stopped_by"]) == ("abstained", "time")
    assert result["answer"].startswith(
        "I don't know: not all that was found could be judged. The judge ran out of time."
    )
    assert '"The Teal is a yacht with 6 berths. It is 21 metres long." (Teal)' in result["answer"]
    assert (result["short_answer"], result["confidence"]) == ("", None)


@pytest.mark.parametrize(
    ("question", "upper", "told"),
    [
        ("Why was the Alder Bridge opened?", 0.6, BRIDGE),
        ("Why was the Alder Bridge opened?", 1.1, ""),
        ("When was the Alder Bridge opened?", 1.1, "The Alder Bridge was opened in 1932 by mayor Clara Voss."),
    ],
    ids=["enough was found for it", "too little was found", "it was read"],
)
def test_where_the_critic_is_late_another_judge_has_to_have_found_the_answer(
    tmp_path: Path, question: str, upper: float, told: str
) -> None:
    chat = ScriptedChat(always="Horns were blown on its towers.", follows_instructions=True)
    world = World(tmp_path / "kb.sqlite", evaluator=OverlapEvaluator(upper=upper), critic=LateCritic(), chat=chat)
    result = world.ask(question)
    assert [failure["node"] for failure in result["failures"]] == ["critique"]
    assert (result["outcome"], result["stopped_by"]) == ("unverified" if told else "abstained", "time")
    assert result["answer"] == told if told else result["answer"].startswith("I don't know: ")


def test_a_judge_too_weak_to_gate_leaves_the_answer_unverified(tmp_path: Path) -> None:
    critic = OverlapCritic()
    critic.gates = False
    result = World(tmp_path / "kb.sqlite", critic=critic).ask("When was the Alder Bridge opened?")
    assert result["outcome"] == "unverified"


@pytest.mark.parametrize("question", ["When was the Alder Bridge opened?", "Who was Napoleon?"])
def test_a_random_evaluator_never_brings_an_unsupported_answer_through(tmp_path: Path, question: str) -> None:
    world = World(tmp_path / "kb.sqlite", evaluator=RandomEvaluator(), chat=ScriptedChat(always=WRONG))
    result = world.ask(question)
    assert "1955" not in result["answer"]
    assert all(sentence["verdict"] == "supported" for sentence in result["sentences"])


def test_evidence_in_another_language_is_unverified(tmp_path: Path) -> None:
    german = "Die Alder Bridge wurde im Jahre 1932 mit einem großen Fest eröffnet, zu dem sehr viele Menschen kamen."
    world = World(tmp_path / "kb.sqlite", texts={"Alder Bridge": german})
    result = world.ask("When was the Alder Bridge eröffnet mit Fest?")
    assert result["outcome"] == "unverified"
    assert "English" in result["reason"]


def test_a_missing_key_is_told_and_not_papered_over(world: World) -> None:
    world.chat = ScriptedChat(error=MissingKey("OPENAI_API_KEY is not set.", "Set it."))
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        world.ask("How was the Alder Bridge opened?")


def test_an_endpoint_that_never_answered_is_told(world: World) -> None:
    world.chat = ScriptedChat(error=ModelUnavailable("Ollama does not answer.", "Start it."))
    with pytest.raises(ModelUnavailable):
        world.ask("How was the Alder Bridge opened?")


def test_an_endpoint_that_never_answered_does_not_cost_what_was_read(tmp_path: Path) -> None:
    chat = ScriptedChat(error=ModelUnavailable("Ollama does not answer.", "Start it."), follows_instructions=True)
    result = World(tmp_path / "kb.sqlite", chat=chat).ask("When was the Alder Bridge opened?")
    assert (result["outcome"], result["short_answer"]) == ("accepted", "1932")
    assert result["failures"] == [{"node": "generate", "problem": "Ollama does not answer.", "mend": "Start it."}]


def test_a_store_that_cannot_be_written_costs_the_lesson_and_not_the_answer(tmp_path: Path) -> None:
    class Full:
        def write(self, result: object, *, deadline: float) -> None:
            raise StoreUnavailable("The disk is full.", "Free some room.")

    def with_full_log(resources: Resources) -> Resources:
        return replace(resources, decisions=Full())

    result = World(tmp_path / "kb.sqlite", wrap=with_full_log).ask("When was the Alder Bridge opened?")
    assert result["outcome"] == "accepted"
    assert result["failures"] == [{"node": "log", "problem": "The disk is full.", "mend": "Free some room."}]


def test_a_writer_leaves_time_to_judge(tmp_path: Path) -> None:
    class Timed(ScriptedChat):
        room = 0.0

        def write(self, prompt: Prompt, *, deadline: float, **limits: Any) -> Reply:
            self.room = deadline - time()
            return super().write(prompt, deadline=deadline, **limits)

    chat = Timed(always=WRONG)
    World(tmp_path / "kb.sqlite", chat=chat).ask("How was the Alder Bridge opened?", time_budget=100)
    assert 50 < chat.room <= 85
