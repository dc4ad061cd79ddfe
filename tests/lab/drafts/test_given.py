"""What becomes of a draft, read off the result of a run."""

from __future__ import annotations

from typing import Any, cast

import pytest

pytest.importorskip("sklearn")

from veridic.ports.shapes import Result
from veridic_lab.drafts.given import Fate, counted, fate

TEXT = "It leaves at nine. It is green."


def result(outcome: str, answer: str) -> Result:
    parts = [{"text": f"{one}."} for one in answer.removesuffix(".").split(". ")]
    found: Any = {"outcome": outcome, "answer": answer, "sentences": parts}
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


def test_fates_are_counted_by_the_kind_of_draft() -> None:
    found = counted([("true", "verified"), ("true", "silent"), ("false", "flagged"), ("true", "verified")])
    assert {kind: dict(row) for kind, row in found.items()} == {
        "true": {"verified": 2, "silent": 1},
        "false": {"flagged": 1},
    }
