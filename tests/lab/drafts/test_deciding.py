"""What is promised of drafts is fitted so that precision holds by its lower bound, and is no promise on few."""

from __future__ import annotations

from dataclasses import fields

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
            found.append(Row(f"D-{number}", "true" if at % 2 else "number", signs))
    return found


def test_drafts_that_lie_apart_are_verified_above_a_point_that_keeps_the_promise() -> None:
    found = fitted(rows(80, 1.5), "a judge")
    assert found.verifies_from("loose") <= found.verifies_from("normal") <= found.verifies_from("strict")
    assert found.verifies_from("normal") < 1
    assert found.measured["least"] >= 0.95
    assert found.measured["n"] >= 100
    assert found.gives_from("loose") <= found.gives_from("normal") <= found.verifies_from("normal")


def test_drafts_that_cannot_be_told_apart_and_too_few_of_them_are_promised_nothing() -> None:
    assert fitted(rows(80, 0.0), "a judge").verifies_from("normal") == NEVER
    assert fitted(rows(12, 4.0), "a judge").verifies_from("normal") == NEVER
