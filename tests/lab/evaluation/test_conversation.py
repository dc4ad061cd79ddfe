"""Questions that come after others: the suite, and how they are asked."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.graph.world import World
from tests.lab.evaluation.data import data_folder, write
from tests.lab.evaluation.rows import question
from veridic.context import Context
from veridic_lab.evaluation.conversation import turns_of
from veridic_lab.evaluation.measuring import asked
from veridic_lab.evaluation.questions import from_row
from veridic_lab.evaluation.suites import open_suite
from veridic_lab.evaluation.systems import open_systems

HISTORY = (
    "user: Who opened the Alder Bridge?\nagent: Clara Voss.\nShe was mayor: of Alder.\nuser: Thanks.\nagent: Gladly."
)
SAID = (
    ("user", "Who opened the Alder Bridge?"),
    ("agent", "Clara Voss.\nShe was mayor: of Alder."),
    ("user", "Thanks."),
    ("agent", "Gladly."),
)


def row(place: int, kind: str, history: str = HISTORY) -> dict[str, Any]:
    text, answer = f"And harbour {place}?", "It is the blue harbour that people of the whole town know best of all."
    return {"id": f"talk<::>{place}", "question": text, "answers": [answer], "gold_doc_ids": ["mtrag-d1"],
            "type": f"multi-turn/{kind}", "history": history, "source": "mtrag"}  # fmt: skip


def test_a_conversation_is_cut_into_what_each_said() -> None:
    assert turns_of(HISTORY) == SAID
    assert turns_of("") == ()


def test_the_suite_asks_later_turns_that_have_an_answer_or_surely_none(tmp_path: Path) -> None:
    folder = data_folder(tmp_path)
    rows = [row(1, "ANSWERABLE"), row(2, "UNANSWERABLE"), row(3, "PARTIAL"), row(4, "ANSWERABLE", history="")]
    write(folder / "qa" / "mtrag.qa.jsonl", rows)
    suite = open_suite("conversation", lambda: folder)
    assert [(one.id, one.missing, one.kind) for one in suite.questions] == [
        ("talk<::>1", "", "long"),
        ("talk<::>2", "near miss", "short"),
    ]
    assert len({one.group for one in suite.questions}) == 1
    assert all(one.history == SAID for one in suite.questions)
    assert suite.left["mtrag"].all == 3
    assert suite.documents


def test_conversations_in_which_the_same_is_asked_stand_on_one_side_of_the_split(tmp_path: Path) -> None:
    folder = data_folder(tmp_path)
    again = {**row(1, "ANSWERABLE"), "id": "chat<::>7"}
    other = {**row(9, "ANSWERABLE"), "id": "third<::>1"}
    write(folder / "qa" / "mtrag.qa.jsonl", [row(1, "ANSWERABLE"), row(2, "ANSWERABLE"), again, other])
    groups = {one.id: one.group for one in open_suite("conversation", lambda: folder).questions}
    assert groups["talk<::>1"] == groups["talk<::>2"] == groups["chat<::>7"] != groups["third<::>1"]


def test_a_question_is_asked_with_what_was_said_before_it(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite")
    later = replace(question(text="In which year was that?"), history=SAID[:2])
    for system in open_systems(["standard_rag", "veridic"], world.resources(), Context(), k=1):
        result, _ = asked(system, later)
        assert "Alder Bridge" in result["standalone"]


def test_a_row_keeps_what_was_said(tmp_path: Path) -> None:
    later = replace(question(), history=SAID)
    assert from_row(json.loads(json.dumps(later.row()))) == later
    old = {name: value for name, value in question().row().items() if name != "history"}
    assert from_row(old) == question()


@pytest.mark.parametrize("spoken", ["user: ", "agent: "])
def test_an_empty_turn_is_one(spoken: str) -> None:
    assert len(turns_of(f"{spoken}\nuser: Who?")) == 2
