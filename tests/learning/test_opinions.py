"""What somebody says of an answer, and what they are told of it."""

from typing import get_args

import pytest

from veridic.learning.opinions import NOT_TOLD, followed, thumb_meant
from veridic.ports.shapes import Vote
from veridic.ports.shapes.learning import RecordStatus

FOUNDED = "Who founded the observatory?"


@pytest.mark.parametrize(
    "said", ["good", "Right!", "correct", "yes", "ok", "thumbs-up", "Thumbs up", "+1", "true", "upp", "UP", "👍"]
)
def test_praise_in_other_words_is_a_thumb_up(said: str) -> None:
    assert thumb_meant(said, FOUNDED) == "up"


@pytest.mark.parametrize("said", ["bad", "wrong.", "incorrect", "no", "thumbs_down", "-1", "False", "dwon", "'wrong'"])
def test_blame_in_other_words_is_a_thumb_down(said: str) -> None:
    assert thumb_meant(said, FOUNDED) == "down"


@pytest.mark.parametrize("said", ["1", "1911", "the right bank", "Nice", "US", "upper", "good Friday", "no one", ""])
def test_an_answer_is_none(said: str) -> None:
    assert thumb_meant(said, FOUNDED) is None


@pytest.mark.parametrize("question", ["Is it open on Mondays?", "Can I pay by card?", "Has it any locks or weirs?"])
def test_yes_and_no_answer_a_question_that_asks_for_them(question: str) -> None:
    assert thumb_meant("No", question) is None
    assert thumb_meant("yes.", question) is None


def test_one_of_two_that_are_asked_about_answers() -> None:
    assert thumb_meant("right", "Does one drive on the left or right?") is None
    assert thumb_meant("right", "Where does one drive?") == "up"


@pytest.mark.parametrize("verdict", get_args(Vote))
@pytest.mark.parametrize("status", [None, *get_args(RecordStatus)])
def test_what_followed_is_told_of_every_verdict_and_status(verdict: Vote, status: RecordStatus | None) -> None:
    told = followed(verdict, "{1911}", status=status, lesson="It ranks.")
    assert told[2:] == ["It ranks.", *([NOT_TOLD] if verdict == "correction" else [])]
    assert ("“{1911}”" in told[0]) == (verdict == "correction")
