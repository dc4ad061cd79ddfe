"""What becomes of a draft, read off the result of a run."""

from __future__ import annotations

from typing import Any, cast

import pytest

pytest.importorskip("sklearn")

from veridic.ports.shapes import Result
from veridic_lab.drafts.beside import Fate
from veridic_lab.drafts.given import fate, marks_of

TEXT = "It leaves at nine. It is green."


def result(outcome: str, answer: str, **marks: list[list[int]]) -> Result:
    parts = [{"text": f"{one}."} for one in answer.removesuffix(".").split(". ")]
    found: Any = {"outcome": outcome, "answer": answer, "sentences": [{**one, **marks} for one in parts]}
    return cast(Result, found)


@pytest.mark.parametrize(
    ("outcome", "answer", "expected"),
    [
        ("accepted", TEXT, "verified"),
        ("corrected", f"Nine. {TEXT}", "verified"),
        ("unverified", TEXT, "flagged"),
        ("partial", "It leaves at nine.", "in part"),
        ("accepted", "The bus leaves at nine.", "replaced, verified"),
        ("unverified", "The bus leaves at nine.", "replaced, flagged"),
        ("abstained", "I don't know.", "silent"),
    ],
)
def test_a_draft_is_given_whole_in_part_replaced_or_not_at_all(outcome: str, answer: str, expected: Fate) -> None:
    assert fate(result(outcome, answer), TEXT) == expected


def test_marks_are_counted_in_words_of_the_draft() -> None:
    nine, green = (TEXT.index("nine"), TEXT.index("nine") + 4), (TEXT.index("green"), TEXT.index("green") + 5)
    assert marks_of(result("unverified", "It is green.", doubtful=[[6, 11]]), TEXT, green) == (0.143, True)
    assert marks_of(result("unverified", "It is green.", doubtful=[[6, 11]]), TEXT, nine) == (0.143, False)
    assert marks_of(result("unverified", TEXT), TEXT, nine) == (0.0, False)
    assert marks_of(result("unverified", "Another text.", doubtful=[[0, 7]]), TEXT, nine) == (0.0, False)
