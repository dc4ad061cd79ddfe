"""What no judge here reads grounds nothing: code that was not asked for, sentences in another language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.graph.world import World
from veridic import Context
from veridic.evidence import verdicts

CODE = 'alder_lamp = open_larch("opened", 1932);'
QUESTION = "When was the alder lamp of the larch opened?"
QUOTED = "Code is quoted as it stands in its document; no judge here reads code."
FOREIGN = "Die alder lamp larch opened wurde schon 1932 angezündet und danach niemals wieder."
LONG_BEFORE = "Trees were felled in the valley by the men of the town, and it was long before they grew again."


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Asks a corpus of one text; the second value says whether the question is taken for one that asks for code."""

    def state_of(text: str, *, code: bool) -> dict[str, Any]:
        monkeypatch.setattr(verdicts, "asks_code", lambda _question, _embedder: code)
        graph = World(tmp_path / "kb.sqlite", texts={"Larch": text}).graph()
        return graph.invoke({"question": QUESTION}, context=Context())

    return state_of


def test_code_is_quoted_where_it_is_asked_for_and_shown_as_code(asked: Any) -> None:
    state = asked(f"Here is a list.\n{CODE}", code=True)
    assert (state["result"]["outcome"], state["result"]["reason"]) == ("unverified", QUOTED)
    assert CODE in state["result"]["answer"]
    assert f"\n```\n{CODE}\n```\n" in state["messages"][-1].content


def test_code_answers_no_other_question_and_is_named_as_such(asked: Any) -> None:
    result = asked(f"Here is a list.\n{CODE}", code=False)["result"]
    assert result["outcome"] == "abstained"
    assert "stands in code, which no judge here reads" in result["answer"]


@pytest.mark.parametrize("code", [True, False])
def test_a_line_that_announces_code_is_told_with_it_or_not_at_all(tmp_path: Path, *, code: bool) -> None:
    how = "How is the alder lamp of the larch opened?"
    text = "The alder lamp of the larch is opened so:\n\n```sh\nlamp --open\n```\n\nNothing else is known of it."
    world = World(tmp_path / "kb.sqlite", texts={"larch.md": text})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "asks_code", lambda _question, _embedder: code)
        answer = world.ask(how)["answer"]
    assert ("lamp --open" in answer) == code
    assert answer.startswith("The alder lamp") == code


def test_prose_is_told_whether_code_is_asked_for_or_not(asked: Any) -> None:
    result = asked("The alder lamp of the larch was opened in 1932.", code=False)["result"]
    assert result["outcome"] == "accepted"


def test_a_sentence_in_another_language_is_not_told_to_an_english_question(asked: Any) -> None:
    result = asked(f"{LONG_BEFORE}\n\n{FOREIGN}", code=True)["result"]
    assert result["outcome"] not in ("accepted", "corrected", "partial"), result["answer"]
