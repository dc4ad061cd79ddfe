"""A judge takes another's place only where it is better."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from veridic.errors import UsageError
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.onnx_encoder import SHIPPED
from veridic_lab.training.pairs import Pair
from veridic_lab.training.promotion import compare_judges, held_out_sets, put, roll_back

PLACES = ("Oslo", "Lima", "Cairo", "Quito", "Paris", "Delhi", "Rome", "Bern", "Kyiv", "Riga", "Tunis", "Hanoi")
PAIRS = [
    Pair("relevance", f"When was the tower of {place} built?", passage, label, "s", place)
    for place in PLACES
    for label, passage in ((1, f"The tower of {place} was built in 1820."), (0, "Bread rises overnight."))
]


def judge_in(folder: Path, scale: float) -> Path:
    """The shipped judge with another scale; a negative one ranks the wrong way round."""
    folder.mkdir(parents=True)
    for name in ("card.json", "model.onnx", "tokenizer.json", "selftest.json"):
        shutil.copy(SHIPPED / "judge" / name, folder / name)
    shipped = OnnxJudge().calibration
    replace(shipped, scale={**shipped.scale, "relevance": scale * shipped.scale["relevance"]}).write(
        folder / "calibration.json"
    )
    return folder


def scale_in(folder: Path) -> float:
    return float(json.loads((folder / "calibration.json").read_text())["scale"]["relevance"])


def test_a_better_judge_takes_the_place_and_can_be_rolled_back(tmp_path: Path) -> None:
    old, new = judge_in(tmp_path / "place", -1.0), judge_in(tmp_path / "new", 3.0)
    before = scale_in(old)
    found = compare_judges(old, new, {"towers": PAIRS}, threads=1)
    assert found.promoted, found.objections
    assert found.sets[0].new > found.sets[0].old
    put(new, old)
    assert scale_in(old) == scale_in(new)
    roll_back(old)
    assert scale_in(old) == before
    with pytest.raises(UsageError, match="no judge before"):
        roll_back(old)


def test_the_same_judge_is_not_better(tmp_path: Path) -> None:
    new = judge_in(tmp_path / "new", 3.0)
    found = compare_judges(SHIPPED / "judge", new, {"towers": PAIRS}, threads=1)
    assert "its mean AUC is not higher" in found.objections


def test_a_worse_or_uncalibrated_judge_is_named_as_such(tmp_path: Path) -> None:
    new = judge_in(tmp_path / "new", -1.0)
    found = compare_judges(SHIPPED / "judge", new, {"towers": PAIRS}, threads=1)
    assert any("loses" in text and "towers" in text for text in found.objections)
    assert any("calibration error" in text for text in found.objections)


def test_without_held_out_pairs_nothing_is_compared(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no held-out pairs"):
        compare_judges(SHIPPED / "judge", SHIPPED / "judge", {"few": PAIRS[:4]}, threads=1)
    assert held_out_sets(None, None) == {}
