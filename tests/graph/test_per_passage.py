"""Answers written from single passages, beside those written from all."""

from pathlib import Path

from tests.fakes.chat import ScriptedChat
from tests.graph.world import BRIDGE, LIBRARY, World
from veridic.ports.method import Method

QUESTION = "How were the Alder Bridge and the Marsh Library opened?"
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
FALSE = "The Alder Bridge was opened in 1955 by Emil Stark."


def test_the_best_passages_are_asked_one_by_one_and_the_best_answer_is_given(tmp_path: Path) -> None:
    chat = ScriptedChat([FALSE, TRUE, FALSE], follows_instructions=True)
    result = World(tmp_path / "kb.sqlite", chat=chat, method=Method(per_passage=2)).ask(QUESTION)
    joint, *single = (prompt.user for prompt in chat.prompts)
    assert BRIDGE[:40] in joint
    assert LIBRARY[:30] in joint
    assert all((BRIDGE[:40] in user) != (LIBRARY[:30] in user) for user in single)
    assert (len(single), result["usage"]["calls"], result["answer"]) == (2, 3, TRUE)


def test_as_many_as_there_are_and_the_budget_allows(tmp_path: Path) -> None:
    chat = ScriptedChat(always=TRUE, follows_instructions=True)
    World(tmp_path / "kb.sqlite", chat=chat, method=Method(per_passage=4)).ask(QUESTION, max_retries=0)
    assert len(chat.prompts) == 3
    one = ScriptedChat(always=TRUE, follows_instructions=True)
    World(tmp_path / "other.sqlite", chat=one, method=Method(per_passage=4)).ask(QUESTION, call_budget=2)
    assert len(one.prompts) == 2


def test_a_model_that_follows_no_instructions_is_not_asked_so(tmp_path: Path) -> None:
    chat = ScriptedChat(always=TRUE)
    World(tmp_path / "kb.sqlite", chat=chat, method=Method(per_passage=4)).ask(QUESTION, max_retries=0)
    assert len(chat.prompts) == 1
