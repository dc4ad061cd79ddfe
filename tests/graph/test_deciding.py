"""One decision on what a chat model writes: verified, given and flagged, or neither."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.grader import GradingChat, same
from tests.fakes.judges import OverlapReader
from tests.graph.world import World
from tests.models.test_cascade import SaidScorer
from veridic.models.cascade import CascadeCritic
from veridic.models.chat.grader import Grader
from veridic.models.chat.grading import ChatCritic
from veridic.models.scorers import TrainedCritic
from veridic.ports.judgements import DraftSigns, GradeWeights, Strictness, log_odds
from veridic.ports.shapes import TrialFigure

QUESTION = "When was the Alder Bridge opened?"
TRUE = "Mayor Clara Voss opened the Alder Bridge in 1932."
OTHERWISE = "The Alder Bridge was opened in 1967."


@dataclass
class Fixed:
    """Says the same of every draft, and keeps the signs that it was shown."""

    sure: float
    seen: list[DraftSigns]
    answers: float | None = None
    """None: as sure as that."""

    def probability(self, signs: DraftSigns, *, capable: bool = False) -> float:
        self.seen.append(signs)
        return self.sure

    def answering(self, signs: DraftSigns) -> float:
        return self.sure if self.answers is None else self.answers

    def verifies_from(self, _strictness: Strictness, _signs: DraftSigns) -> float:
        return 0.9

    def gives_from(self, _strictness: Strictness) -> float:
        return 0.4


def asked(path: Path, written: str, sure: float) -> tuple[World, Fixed]:
    decision = Fixed(sure, [])
    chat = ScriptedChat([written], follows_instructions=True)
    return World(path / "kb.sqlite", chat=chat, decision=decision), decision


def test_a_draft_above_the_promise_is_verified_as_it_was_written(tmp_path: Path) -> None:
    world, _ = asked(tmp_path, TRUE, 0.95)
    result = world.ask(QUESTION, max_retries=0)
    assert (result["outcome"], result["confidence"]) == ("accepted", 0.95)
    assert TRUE in result["answer"]


@pytest.mark.parametrize("written", [TRUE, OTHERWISE])
def test_a_probable_draft_is_given_and_flagged_and_no_pasted_sentence_replaces_it(written: str, tmp_path: Path) -> None:
    world, _ = asked(tmp_path, written, 0.6)
    result = world.ask(QUESTION, max_retries=0)
    assert (result["outcome"], result["confidence"]) == ("unverified", 0.6)
    assert written in result["answer"]
    assert result["reason"].startswith("It may be right (60%).")


def test_a_draft_that_answers_is_given_though_it_is_unlikely_unless_it_is_hopeless(tmp_path: Path) -> None:
    for sure, given in ((0.2, True), (0.05, False)):
        chat = ScriptedChat([OTHERWISE], follows_instructions=True)
        world = World(tmp_path / f"{sure}.sqlite", chat=chat, decision=Fixed(sure, [], answers=0.8))
        result = world.ask(QUESTION, max_retries=0)
        assert ("1967" in result["answer"]) is given
        assert result["outcome"] == "unverified" or not given


def test_an_unlikely_draft_gives_way_to_what_the_documents_say(tmp_path: Path) -> None:
    world, _ = asked(tmp_path, OTHERWISE, 0.1)
    result = world.ask(QUESTION, max_retries=0)
    assert result["short_answer"] == "1932"
    assert "1967" not in result["answer"]


def test_the_signs_tell_what_was_read_alike_and_otherwise(tmp_path: Path) -> None:
    world, decision = asked(tmp_path, TRUE, 0.95)
    world.ask(QUESTION, max_retries=0)
    other, against = asked(tmp_path, OTHERWISE, 0.95)
    other.ask(QUESTION, max_retries=0)
    assert (decision.seen[0].alike, against.seen[0].alike) == (1.0, -1.0)
    assert decision.seen[0].read_otherwise == against.seen[0].read_alike == 0.0
    assert decision.seen[0].quoted == 0.0


def test_where_something_may_be_given_the_documents_are_not_asked_again(tmp_path: Path) -> None:
    world, _ = asked(tmp_path, TRUE, 0.6)
    steps, result = world.path_of(QUESTION)
    assert (steps.count("generate"), result["stopped_by"], result["usage"]["calls"]) == (1, None, 1)


def test_where_nothing_may_be_given_they_are(tmp_path: Path) -> None:
    world, _ = asked(tmp_path, TRUE, 0.1)
    world.reader = OverlapReader(needed=2, quotes=0.1)
    steps, result = world.path_of(QUESTION)
    assert (steps.count("generate"), result["outcome"]) == (3, "abstained")


@pytest.mark.parametrize(("grade", "weight"), [("full", 3.0), ("none", -2.0)])
def test_a_chat_models_word_is_a_sign_of_its_own_and_counts_in_what_is_shown(
    grade: str, weight: float, tmp_path: Path
) -> None:
    said = SaidScorer({})
    third = ChatCritic(Grader(GradingChat(same(grade)), once=True), GradeWeights(full=3.0, other=-2.0))
    critic = CascadeCritic(TrainedCritic(said), TrainedCritic(said), tokens=100_000, chat=third)
    decision, chat = Fixed(0.95, []), ScriptedChat([OTHERWISE], follows_instructions=True)
    world = World(tmp_path / "kb.sqlite", chat=chat, decision=decision, critic=critic)
    result = world.ask(QUESTION, max_retries=0)
    [sentence] = next(one["sentences"] for one in result["candidates"] if one["text"] == OTHERWISE)
    assert (sentence["judged_by"], sentence["weight"]) == ("chat", weight)
    [signs] = [signs for signs in decision.seen if not signs.quoted]
    assert signs.judged == weight
    assert sentence["support"] is not None
    assert log_odds(sentence["support"]) == pytest.approx(signs.least + weight, abs=1e-6)


def test_a_flagged_draft_says_what_could_verify_it_until_a_chat_model_judges(tmp_path: Path) -> None:
    told = TrialFigure(judge="scripted", auc=0.9, low=0.8, high=0.95, accuracy=0.85, pairs=80)
    for name, trials in (("without", {}), ("with", {"chat": told})):
        chat = ScriptedChat([OTHERWISE], follows_instructions=True)
        decision, place = Fixed(0.6, []), tmp_path / f"{name}.sqlite"
        world = World(place, chat=chat, decision=decision, wrap=lambda found, own=trials: replace(found, trials=own))
        assert ("`veridic trial`" in world.ask(QUESTION, max_retries=0)["reason"]) is (not trials)
