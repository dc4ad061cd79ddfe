"""The points of the evaluator follow from what mistakes cost, few documents and thousands weighing the same."""

import numpy as np
import pytest

from veridic.models.calibrating import with_points
from veridic.models.calibration import Calibration
from veridic_lab.drafts.evaluating import Retrieved, measured, points_of


def retrieved(among: str, number: int, *, middle: float, seed: int) -> list[Retrieved]:
    """Scores whose log-odds lie one unit above and below the middle, half of them of retrieval that answers."""
    rng = np.random.default_rng(seed)
    sides = [(True, middle + 1), (False, middle - 1)]
    return [
        Retrieved(among, float(1 / (1 + np.exp(-rng.normal(at, 0.7)))), answers)
        for answers, at in sides
        for _ in range(number)
    ]


def test_what_costs_more_when_it_is_wrong_needs_a_higher_score() -> None:
    points = points_of(retrieved("few", 400, middle=0.0, seed=1))
    assert points["normal"]["upper"] == pytest.approx(0.5, abs=0.05)
    for point in points.values():
        assert point["passage"] < point["lower"] < point["upper"]
    assert points["loose"]["upper"] < points["normal"]["upper"] < points["strict"]["upper"]


def test_few_documents_weigh_as_much_as_thousands() -> None:
    few, thousands = (
        retrieved("few", 200, middle=-1.0, seed=1),
        retrieved("thousands", 200, middle=1.0, seed=2),
    )
    both = points_of([*few, *thousands])["normal"]["upper"]
    assert points_of([*few, *thousands * 5])["normal"]["upper"] == pytest.approx(both, abs=1e-3)
    assert points_of(few)["normal"]["upper"] < both < points_of(thousands)["normal"]["upper"]


def test_what_the_points_do_is_told_by_side() -> None:
    found = [Retrieved("few", 0.9, True), Retrieved("few", 0.6, True), Retrieved("few", 0.2, False)]
    points = with_points(Calibration.identity("x"), {"normal": {"upper": 0.8, "lower": 0.5}}).thresholds
    told = list(measured(found, {"normal": points["normal"]}))
    assert told == [
        "among few, AUC 1.000",
        "  normal, 0.8 and 0.5: answered (2): correct 0.50, incorrect 0.00; not (1): correct 0.00, incorrect 1.00",
    ]
