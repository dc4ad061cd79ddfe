"""The points of the evaluator follow from what mistakes cost, few documents and thousands weighing the same."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.models.calibrating import with_points
from veridic.models.calibration import Calibration
from veridic_lab.drafts.evaluating import Retrieved, measured, points_of

SEARCHED = {"few": 20, "thousands": 2_500}


def retrieved(among: str, number: int, *, middle: float, seed: int) -> list[Retrieved]:
    """Scores whose log-odds lie one unit above and below the middle, half of them of retrieval that answers."""
    rng = np.random.default_rng(seed)
    sides = [(True, middle + 1), (False, middle - 1)]
    return [
        Retrieved(among, float(1 / (1 + np.exp(-rng.normal(at, 0.7)))), answers, SEARCHED[among])
        for answers, at in sides
        for _ in range(number)
    ]


def test_what_costs_more_when_it_is_wrong_needs_a_higher_score() -> None:
    points = points_of(retrieved("few", 400, middle=0.0, seed=1))
    assert points["normal"]["upper"] == pytest.approx(0.5, abs=0.05)
    for point in points.values():
        assert point["passage"] < point["lower"] < point["upper"]
    assert points["loose"]["upper"] < points["normal"]["upper"] < points["strict"]["upper"]


def test_the_points_rise_with_what_was_searched() -> None:
    few, thousands = (
        retrieved("few", 200, middle=-1.0, seed=1),
        retrieved("thousands", 200, middle=1.0, seed=2),
    )
    points = points_of([*few, *thousands])
    assert points_of([*few, *thousands * 5])["normal"] == pytest.approx(points["normal"], abs=1e-3)
    normal = with_points(Calibration.identity("x"), {"normal": points["normal"]}).thresholds["normal"]
    assert normal.among(20).upper == pytest.approx(0.27, abs=0.05)
    assert normal.among(2_500).upper == pytest.approx(0.73, abs=0.05)


def test_what_the_points_do_is_told_by_side() -> None:
    found = [Retrieved("few", score, answers, 25) for score, answers in ((0.9, True), (0.6, True), (0.2, False))]
    points = with_points(Calibration.identity("x"), {"normal": {"upper": 0.8, "lower": 0.5}}).thresholds
    assert list(measured(found, {"normal": points["normal"]})) == [
        "among few, AUC 1.000",
        "  normal: answered (2): correct 0.50, incorrect 0.00; not (1): correct 0.00, incorrect 1.00",
    ]
