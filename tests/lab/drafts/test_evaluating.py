"""What both judges weigh; points follow from what mistakes cost, few documents and thousands weighing the same."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.models.calibrating import with_points
from veridic.models.calibration import Calibration
from veridic_lab.benchmarks.asking import holding
from veridic_lab.drafts.evaluating import Graded, Marked, Retrieved, beside_of, measured, points_of
from veridic_lab.drafts.keeping import kept_rows
from veridic_lab.drafts.quoting import Question

SEARCHED = {"few": 20, "thousands": 2_500}
ALONE = Calibration.identity("x")


def alone(among: str, score: float, searched: int, *, answers: bool) -> Retrieved:
    """One passage on which one judge spoke."""
    return Retrieved(among, [Graded(score, score, answers)], searched)


def retrieved(among: str, number: int, *, middle: float, seed: int) -> list[Retrieved]:
    """Scores whose log-odds lie one unit above and below the middle, half of them of retrieval that answers."""
    rng = np.random.default_rng(seed)
    sides = [(True, middle + 1), (False, middle - 1)]
    return [
        alone(among, float(1 / (1 + np.exp(-rng.normal(at, 0.7)))), SEARCHED[among], answers=answers)
        for answers, at in sides
        for _ in range(number)
    ]


def test_what_costs_more_when_it_is_wrong_needs_a_higher_score() -> None:
    points = points_of(retrieved("few", 400, middle=0.0, seed=1), ALONE)
    assert points["normal"]["upper"] == pytest.approx(0.5, abs=0.05)
    for point in points.values():
        assert point["passage"] < point["lower"] < point["upper"]
    assert points["loose"]["upper"] < points["normal"]["upper"] < points["strict"]["upper"]


def test_the_points_rise_with_what_was_searched() -> None:
    few, thousands = (
        retrieved("few", 200, middle=-1.0, seed=1),
        retrieved("thousands", 200, middle=1.0, seed=2),
    )
    points = points_of([*few, *thousands], ALONE)
    assert points_of([*few, *thousands * 5], ALONE)["normal"] == pytest.approx(points["normal"], abs=1e-3)
    normal = with_points(ALONE, {"normal": points["normal"]}).thresholds["normal"]
    assert normal.among(20).upper == pytest.approx(0.27, abs=0.05)
    assert normal.among(2_500).upper == pytest.approx(0.73, abs=0.05)


def test_what_the_points_do_is_told_by_side() -> None:
    found = [alone("few", score, 25, answers=true) for score, true in ((0.9, True), (0.6, True), (0.2, False))]
    calibration = with_points(ALONE, {key: {"upper": 0.8, "lower": 0.5} for key in ("loose", "normal", "strict")})
    assert list(measured(found, calibration)) == [
        "among few, AUC 1.000",
        *(
            f"  {name}: answered (2): correct 0.50, incorrect 0.00; not (1): correct 0.00, incorrect 1.00"
            for name in ("loose", "normal", "strict")
        ),
    ]


def test_of_one_judge_nothing_is_weighed_and_of_two_what_tells_among_few_and_thousands() -> None:
    rng = np.random.default_rng(5)
    truth = [True, False] * 300

    def sure(answers: bool, apart: float) -> float:
        return float(1 / (1 + np.exp(-rng.normal(apart if answers else -apart, 1.0))))

    few = [Retrieved("few", [Graded(sure(one, 1.0), sure(one, 0.0), one)], 25) for one in truth]
    thousands = [Retrieved("thousands", [Graded(sure(one, 0.3), sure(one, 2.0), one)], 2_500) for one in truth]
    assert beside_of([alone("few", 0.9, 25, answers=True), alone("few", 0.1, 25, answers=False)]) == []
    _, own, other = beside_of([*few, *thousands])
    assert 0.2 <= other / own <= 1.0
    assert beside_of(few)[2] < 0.25 * beside_of(few)[1]


def test_what_was_retrieved_is_read_again_as_it_was_kept(tmp_path: Path) -> None:
    found = [Retrieved("few", [Graded(0.9, 0.4, True), Graded(0.1, 0.2, False)], 25)]
    path = tmp_path / "rows.jsonl"
    assert kept_rows(path, Retrieved.read, lambda: found) == found
    assert kept_rows(path, Retrieved.read, list) == found


@pytest.mark.parametrize("judges", ["small", "base"])
def test_each_judge_is_heard_on_what_is_retrieved(judges: str) -> None:
    if judges == "base":
        pytest.importorskip("veridic_judge_base")
    files = {
        "bridge.md": "# Bridge\n\nThe Alder Bridge was opened in 1932.",
        "tower.md": "# Tower\n\nIt is 40 metres high.",
    }
    asked = Question("d", "When was the Alder Bridge opened?", lambda text: "1932" in text)
    with holding(files=files, judges=judges) as held:
        marked = Marked(held)
        for _ in range(2):
            found = marked.retrieved("few", asked)
    assert found.answers
    assert all((one.own == one.other) is (judges == "small") for one in found.passages)
