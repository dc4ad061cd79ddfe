"""A chat model that says it does not know has given no answer: its word is told, and never as an answer."""

from pathlib import Path

from tests.fakes.chat import ScriptedChat
from tests.graph.world import World

DECLINES = "I don't know."
REASON = "The chat model finds no answer to it in the evidence."


def test_what_was_surely_read_is_given_and_not_verified(tmp_path: Path) -> None:
    chat = ScriptedChat(always=DECLINES, follows_instructions=True)
    result = World(tmp_path / "kb.sqlite", chat=chat).ask("In which year was the Alder Bridge opened?")
    assert (result["outcome"], result["short_answer"], result["reason"]) == ("unverified", "1932", REASON)


def test_without_anything_likely_the_run_is_silent_and_says_why(tmp_path: Path) -> None:
    chat = ScriptedChat(always=DECLINES, follows_instructions=True)
    result = World(tmp_path / "kb.sqlite", chat=chat).ask("Who repaired the roof of the Marsh Library?")
    assert (result["outcome"], result["reason"]) == ("abstained", REASON)
    assert result["answer"] != DECLINES


def test_the_word_of_a_model_that_follows_no_instructions_does_not_count(tmp_path: Path) -> None:
    chat = ScriptedChat(always=DECLINES)
    result = World(tmp_path / "kb.sqlite", chat=chat).ask("In which year was the Alder Bridge opened?")
    assert (result["outcome"], result["short_answer"]) == ("accepted", "1932")
