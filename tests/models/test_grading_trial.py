"""A chat model is tried before its grades count: who says the same to everything is not trusted."""

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.grader import GradingChat, Rule, always, by_overlap
from tests.graph.world import World
from veridic.errors import JudgeFailed
from veridic.models.chat.grading import ChatCritic, ChatEvaluator, tried_grader
from veridic.models.chat.grading_trial import PAIRS

FULL, PARTIAL, NONE = (f'{{"grade": "{grade}", "passage": {number}}}' for grade, number in
                       (("full", 1), ("partial", 1), ("none", 0)))  # fmt: skip
ASKED = [("When was the Alder Bridge opened?", "The Alder Bridge was opened in 1932.")]
SOON: dict[str, Any] = {"deadline": 1e12}


def judged(rule: Rule, folder: Path | None = None) -> tuple[ChatEvaluator, ChatCritic, GradingChat]:
    chat = GradingChat(rule)
    grader = tried_grader(chat, folder)
    return ChatEvaluator(grader), ChatCritic(grader), chat


def test_one_that_grades_rightly_is_trusted_and_tried_once() -> None:
    evaluator, critic, chat = judged(by_overlap)
    evaluator.score(ASKED, **SOON)
    assert (evaluator.gates, critic.gates, len(chat.prompts)) == (True, True, PAIRS + 1)
    critic.judge([("The Alder Bridge was opened in 1932.", "The Alder Bridge was opened.")], **SOON)
    assert len(chat.prompts) == PAIRS + 2


@pytest.mark.parametrize("reply", [FULL, PARTIAL, NONE])
def test_one_that_says_the_same_to_everything_is_not(reply: str) -> None:
    evaluator, critic, _ = judged(always(reply))
    evaluator.score(ASKED, **SOON)
    assert (evaluator.gates, critic.gates) == (False, False)


def test_one_that_follows_no_instructions_is_not_even_tried() -> None:
    chat = GradingChat(follows_instructions=False)
    evaluator = ChatEvaluator(tried_grader(chat, None))
    evaluator.score(ASKED, **SOON)
    assert (evaluator.gates, len(chat.prompts)) == (False, 1)


def test_what_was_found_is_kept_by_the_models_name(tmp_path: Path) -> None:
    judged(by_overlap, tmp_path)[0].score(ASKED, **SOON)
    evaluator, _, chat = judged(always(NONE), tmp_path)
    evaluator.score(ASKED, **SOON)
    assert (evaluator.gates, len(chat.prompts)) == (True, 1)
    other = ChatEvaluator(tried_grader(GradingChat(always(NONE)), tmp_path, of="another place"))
    other.score(ASKED, **SOON)
    assert not other.gates


def test_a_damaged_file_means_another_trial(tmp_path: Path) -> None:
    judged(by_overlap, tmp_path)[0].score(ASKED, **SOON)
    [kept] = tmp_path.iterdir()
    kept.write_text("{", encoding="utf-8")
    evaluator, _, chat = judged(by_overlap, tmp_path)
    evaluator.score(ASKED, **SOON)
    assert (evaluator.gates, len(chat.prompts)) == (True, PAIRS + 1)


def test_a_trial_that_cannot_be_read_is_a_judge_that_failed_and_is_held_again() -> None:
    silent = iter([""] * 8)
    evaluator, _, chat = judged(lambda prompt: next(silent, by_overlap(prompt)))
    with pytest.raises(JudgeFailed):
        evaluator.score(ASKED, **SOON)
    evaluator.score(ASKED, **SOON)
    assert (evaluator.gates, len(chat.prompts)) == (True, 8 + PAIRS + 1)


def test_a_run_graded_by_a_weak_judge_ends_unverified_and_says_why(tmp_path: Path) -> None:
    grader = tried_grader(chat := GradingChat(always(FULL)), None)
    world = World(
        tmp_path / "kb.sqlite",
        chat=ScriptedChat(always="Emil Stark opened the Alder Bridge in 1955.", follows_instructions=True),
        evaluator=ChatEvaluator(grader),
        critic=ChatCritic(grader),
        grader=chat,
    )
    result = world.ask("When was the Alder Bridge opened?", call_budget=99)
    assert result["outcome"] == "unverified"
    assert "too few of the pairs it was tried with" in result["reason"]
    assert result["usage"]["calls"] >= PAIRS
