"""What is promised of drafts is fitted so that precision holds by its lower bound, and is no promise on few."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.models.calibration import NEVER
from veridic.ports.judgements import DraftSigns
from veridic_lab.drafts.deciding import Row, fitted


def rows(documents: int, apart: float) -> list[Row]:
    """Of each document three true drafts and three false ones, whose support lies so far apart."""
    rng = np.random.default_rng(5)
    found = []
    for number in range(documents):
        for at in range(6):
            least = rng.normal(apart if at % 2 else -apart)
            signs = DraftSigns(**{one.name: least if one.name == "least" else 0.0 for one in fields(DraftSigns)})
            told = [(f"{number} {at}", rng.random(), bool(at % 2))]
            found.append(Row(f"D-{number}", "true" if at % 2 else "number", signs, told))
    return found


EVEN = DraftSigns(*(0.0 for _ in fields(DraftSigns)))
JUDGED = replace(EVEN, judged=2.0)


def test_drafts_that_lie_apart_are_verified_above_a_point_that_keeps_the_promise() -> None:
    found = fitted(rows(80, 1.5), "a judge")
    for signs in (EVEN, JUDGED):
        points = [found.verifies_from(strictness, signs) for strictness in ("loose", "normal", "strict")]
        assert points == sorted(points)
        assert points[1] < 1
    assert all(one["least"] >= 0.95 and one["n"] >= 100 for one in found.measured.values())
    assert found.gives_from("loose") <= found.gives_from("normal") <= found.verifies_from("normal", EVEN)


def test_drafts_that_cannot_be_told_apart_and_too_few_of_them_are_promised_nothing() -> None:
    assert fitted(rows(80, 0.0), "a judge").verifies_from("normal", EVEN) == NEVER
    assert fitted(rows(12, 4.0), "a judge").verifies_from("normal", EVEN) == NEVER


def test_a_judges_word_tells_drafts_apart_that_the_signs_do_not_and_more_of_one_that_errs_less() -> None:
    found = fitted(rows(80, 0.0), "a judge")
    aucs = [
        found.measured[name]["auc"] for name in ("alone", "judge errs in 20%", "judge errs in 10%", "judge errs in 5%")
    ]
    assert aucs == sorted(aucs)
    assert aucs[0] < 0.6 < 0.75 < aucs[1]
    said, denied = (found.probability(replace(EVEN, judged=word)) for word in (2.0, -2.0))
    assert said > 0.75 > 0.25 > denied
