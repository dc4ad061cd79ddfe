"""What fitting P to judged answers gains is measured on answers of other hands."""

from __future__ import annotations

import numpy as np
import pytest

from veridic.models.fitting import sigmoid

pytest.importorskip("sklearn")

from veridic_lab.drafts.people import gained
from veridic_lab.drafts.promising import Row


def rows(hand: str, number: int, offset: float) -> list[Row]:
    """Answers whose log-odds of being right are so much larger than P says, in two collections."""
    drawn = np.random.default_rng(ord(hand[-1]))
    logits = drawn.normal(1.0, 1.5, number)
    right = drawn.random(number) < sigmoid(logits + offset)
    names = (f"{hand}-0{1 + at % 2}/d{at % 7}" for at in range(number))
    return [Row(name, float(sigmoid(one)), bool(said)) for name, one, said in zip(names, logits, right, strict=True)]


def test_hands_alike_gain_from_one_another_and_no_hand_is_measured_on_its_own() -> None:
    hands = [*rows("CA", 400, 1.5), *rows("CB", 400, 1.5)]
    found = [*gained(hands, group=2, point=0.9)]
    assert [one.judged for one in found] == [400, 400]
    assert all(one.after < one.before / 2 for one in found)
    assert all(one.verified > one.verified_before > 0 and one.right > 0.93 for one in found)
    assert [one.judged for one in gained(hands, group=5, point=0.9)] == [200] * 4


def test_what_was_fitted_to_another_kind_of_answers_is_seen_to_be_wrong() -> None:
    found = [*gained([*rows("CA", 400, 1.5), *rows("CB", 400, -1.5)], group=2, point=0.9)]
    assert all(one.after > one.before for one in found)
