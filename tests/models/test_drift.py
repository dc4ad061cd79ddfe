from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.models.calibration import Calibration
from veridic.models.drift import FEWEST, distance, drift, quantiles
from veridic.ports.shapes import Result

RNG = np.random.default_rng(4)
FITTED = RNG.beta(2, 2, 800)
CALIBRATION = replace(Calibration.identity("f" * 16), quantiles={"question": quantiles(FITTED)})


def result(score: float | None, fingerprint: str = "f" * 16, source: str = "corpus") -> Result:
    passages = [{"score": 0.0, "source": source}, {"score": score, "source": source}]
    return cast("Result", {"judges": {"fingerprints": {"evaluator": fingerprint}}, "documents": passages})


def test_the_same_questions_do_not_drift_and_others_do() -> None:
    same = drift(CALIBRATION, [result(float(score)) for score in RNG.beta(2, 2, 300)])
    assert same.runs == 300
    assert not same.drifted
    other = drift(CALIBRATION, [result(float(score)) for score in RNG.beta(1, 8, 300)])
    assert other.drifted


def test_few_runs_say_nothing() -> None:
    few = drift(CALIBRATION, [result(0.0)] * (FEWEST - 1))
    assert not few.known
    assert not few.drifted


def test_runs_of_other_judges_and_outside_passages_do_not_count() -> None:
    rows = [result(0.1, "e" * 16), result(0.1, source="wikipedia"), result(None)]
    assert drift(CALIBRATION, rows).runs == 1


def test_a_run_whose_passages_were_all_dropped_counts() -> None:
    dropped = cast("Result", {**result(None), "documents": [], "rejected": result(0.1)["documents"]})
    assert drift(CALIBRATION, [dropped] * FEWEST).known


def test_a_calibration_without_quantiles_never_drifts() -> None:
    assert drift(Calibration.identity("f" * 16), [result(0.0)] * 100).distance == 0


SAMPLE = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(SAMPLE, SAMPLE)
def test_the_distance_is_symmetric_and_between_0_and_1(one: list[float], other: list[float]) -> None:
    assert 0 <= distance(one, other) <= 1
    assert distance(one, other) == pytest.approx(distance(other, one))
    assert distance(one, one) == 0
