"""Intervals: they hold the value, follow the groups, and are the same every time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.models.fitting import resamples
from veridic_lab.bootstrap import (
    Interval,
    calibration_error,
    interval,
    quantile,
    ratio,
)

ROWS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcdef")), min_size=1, max_size=30)
ONE = np.ones((1, 4))


@settings(deadline=None, max_examples=60)
@given(ROWS)
def test_the_interval_holds_the_mean_and_stays_among_the_values(rows: list[tuple[float, str]]) -> None:
    values, groups = [value for value, _ in rows], [group for _, group in rows]
    found = interval(ratio(values, [1.0] * len(rows)), resamples(groups, number=200))
    assert found is not None
    assert found.value == pytest.approx(np.mean(values))
    assert found.low <= found.value <= found.high
    assert min(values) - 1e-9 <= found.low
    assert found.high <= max(values) + 1e-9


@settings(deadline=None, max_examples=60)
@given(ROWS)
def test_every_statistic_holds_its_value(rows: list[tuple[float, str]]) -> None:
    sure = [value for value, _ in rows]
    right = [value > 0.5 for value in sure]
    weights = resamples([group for _, group in rows], number=100)
    for statistic in (quantile(sure, 0.5), calibration_error(right, sure)):
        found = interval(statistic, weights)
        assert found is not None
        assert 0 <= found.low <= found.value <= found.high <= 1 + 1e-9


def test_a_group_is_drawn_whole() -> None:
    weights = resamples(["a", "b", "a", "c"])
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, 0] + weights[:, 1] + weights[:, 3] == 3).all()


def test_questions_that_hang_together_widen_the_interval() -> None:
    values = [1.0] * 10 + [0.0] * 10
    alone = interval(ratio(values, [1.0] * 20), resamples([str(i) for i in range(20)]))
    together = interval(ratio(values, [1.0] * 20), resamples([str(i // 5) for i in range(20)]))
    assert alone is not None
    assert together is not None
    assert together.high - together.low > alone.high - alone.low


def test_the_same_seed_gives_the_same_interval() -> None:
    assert (resamples(["a", "b", "c"], seed=3) == resamples(["a", "b", "c"], seed=3)).all()


def test_what_counts_for_nothing_is_undefined() -> None:
    weights = resamples(["a", "b"])
    assert interval(ratio([0.0, 0.0], [0.0, 0.0]), weights) is None
    assert interval(quantile([np.nan, np.nan], 0.5), weights) is None
    assert interval(ratio([], []), resamples([])) is None


def test_quantiles_are_values_that_occurred() -> None:
    assert quantile([4.0, 1.0, np.nan, 2.0], 0.5)(ONE)[0] == 2.0
    assert quantile([4.0, 1.0, np.nan, 2.0], 0.95)(ONE)[0] == 4.0


def test_the_calibration_error_is_the_gap_of_confidence_and_frequency() -> None:
    assert calibration_error([1, 1, 0, 0], [1.0, 1.0, 0.0, 0.0])(ONE)[0] == 0.0
    assert calibration_error([0, 0, 0, 0], [1.0, 1.0, 1.0, 1.0], bins=2)(ONE)[0] == 1.0


def test_an_interval_of_one_group_is_its_value() -> None:
    assert interval(ratio([1.0, 0.0], [1.0, 1.0]), resamples(["a", "a"])) == Interval(0.5, 0.5, 0.5)
