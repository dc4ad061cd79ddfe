"""What no judge here reads grounds nothing: code, which is only quoted, and sentences in another language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.graph.world import World
from veridic import Context

CODE = '```\nalder_lamp = open_larch("opened", 1932);\n```'
QUESTION = "When was the alder lamp of the larch opened?"
QUOTED = "Code is quoted as it stands in its document; no judge here reads code."
FOREIGN = "Die alder lamp larch opened wurde schon 1932 angezündet und danach niemals wieder."
LONG_BEFORE = "Trees were felled in the valley by the men of the town, and it was long before they grew again."


@pytest.fixture
def asked(tmp_path: Path) -> Any:
    """Asks a corpus of one text."""

    def state_of(text: str) -> dict[str, Any]:
        graph = World(tmp_path / "kb.sqlite", texts={"Larch": text}).graph()
        return graph.invoke({"question": QUESTION}, context=Context())

    return state_of


def test_code_is_quoted_and_shown_as_code(asked: Any) -> None:
    state = asked(f"Here is a list.\n{CODE}")
    assert (state["result"]["outcome"], state["result"]["reason"]) == ("unverified", QUOTED)
    assert CODE in state["result"]["answer"]
    assert CODE in state["messages"][-1].content


def test_a_line_that_announces_code_is_told_with_it(tmp_path: Path) -> None:
    how = "How is the alder lamp of the larch opened?"
    text = "The alder lamp of the larch is opened so:\n\n```sh\nlamp --open\n```\n\nNothing else is known of it."
    world = World(tmp_path / "kb.sqlite", texts={"larch.md": text})
    answer = world.ask(how)["answer"]
    assert "lamp --open" in answer
    assert answer.startswith("The alder lamp")


def test_a_sentence_in_another_language_is_not_told_to_an_english_question(asked: Any) -> None:
    result = asked(f"{LONG_BEFORE}\n\n{FOREIGN}")["result"]
    assert result["outcome"] not in ("accepted", "corrected", "partial"), result["answer"]
