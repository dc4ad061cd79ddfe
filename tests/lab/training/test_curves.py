from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic_lab.training.curves import confusion, described, risk_coverage

ROWS = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=60)


@given(ROWS)
def test_at_full_coverage_the_risk_is_the_share_of_false_ones(rows: list[tuple[bool, float]]) -> None:
    truth, scores = zip(*rows, strict=True)
    curve = risk_coverage(truth, scores)
    assert curve[-1] == (1.0, pytest.approx(1 - np.mean(truth)))
    assert all(0 <= risk <= 1 for _, risk in curve)


def test_a_perfect_judge_has_no_risk_until_it_runs_out() -> None:
    assert risk_coverage([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1], (0.5, 1.0)) == [(0.5, 0.0), (1.0, 0.5)]


@given(ROWS, st.floats(0, 1), st.floats(0, 1))
def test_everything_is_counted_once(rows: list[tuple[bool, float]], one: float, other: float) -> None:
    truth, scores = zip(*rows, strict=True)
    upper, lower = max(one, other), min(one, other)
    counts = confusion(truth, scores, {"correct": upper, "ambiguous": lower, "incorrect": -np.inf})
    assert sum(true for true, _ in counts.values()) == sum(truth)
    assert sum(sum(pair) for pair in counts.values()) == len(rows)


def test_the_lines_name_what_is_counted() -> None:
    lines = list(described("strips", ("good", "bad"), [1, 0], [0.9, 0.1], {"kept": 0.5, "dropped": -np.inf}))
    assert lines[0] == "strips"
    assert "1 good" in lines[1]
    assert "1 bad" in lines[2]
    assert lines[3].startswith("  risk at coverage")
