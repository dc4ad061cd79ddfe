"""The tables of a report beside the metrics: by set, by kind of question, and how many questions each rests on."""

from tests.lab.evaluation.rows import question, reading, row
from veridic_lab.evaluation.breakdowns import by_kind, by_set, sets_of
from veridic_lab.evaluation.scores import Score, scored

WHEN = question("1", text="When was the Alder Bridge opened?", answers=["1932"])
WHO = question("2", text="Who opened the Alder Bridge?")
GONE = question("3", text="Who closed the Alder Bridge?", missing="removed")


def scores() -> dict[str, list[Score]]:
    rows = {
        "plain": [row(WHEN, "In 1932."), row(WHO, "Anna"), row(GONE, "Anna")],
        "veridic": [row(WHEN, "1932", readings=[reading("1932", kind="what")]), row(WHO, ""), row(GONE, "")],
    }
    return {name: [scored(one) for one in found] for name, found in rows.items()}


def test_questions_without_an_answer_stand_apart_in_their_set() -> None:
    lines = list(by_set(scores()))
    assert "| test | plain | 2 | 0.50 | 0.50 | 0.50 | 0.00 |" in lines
    assert "| test, removed | plain | 1 | 0.00 | 0.00 | 1.00 | 0.00 |" in lines
    assert "| test, removed | veridic | 1 | 1.00 | 0.00 | 0.00 | 1.00 |" in lines


def test_kinds_are_told_as_each_system_took_them() -> None:
    lines = list(by_kind(scores()))
    assert "| when | plain | 1 | 1.00 | 1.00 | 0.00 | 0.00 | test 1 |" in lines
    assert "| what | veridic | 1 | 1.00 | 1.00 | 0.00 | 0.00 | test 1 |" in lines
    assert "| who | veridic | 2 | 0.50 | 0.00 | 0.00 | 1.00 | test 2 |" in lines


def test_a_set_is_named_with_its_number() -> None:
    assert sets_of(scores()["plain"]) == "test 3"
    assert sets_of([]) == "none"
