from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from veridic.errors import CalibrationMismatch
from veridic.models.calibration import MIN_AUC, Calibration
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.onnx_encoder import SHIPPED

MINE = Calibration.identity("0123456789abcdef")


def test_written_and_read_again_it_is_the_same(tmp_path: Path) -> None:
    MINE.write(tmp_path / "c.json")
    assert Calibration.read(tmp_path / "c.json", MINE.fingerprint) == MINE


def test_one_of_another_scorer_is_refused(tmp_path: Path) -> None:
    MINE.write(tmp_path / "c.json")
    with pytest.raises(CalibrationMismatch, match="0123456789abcdef"):
        Calibration.read(tmp_path / "c.json", "ffffffffffffffff")
    with pytest.raises(CalibrationMismatch):
        OnnxJudge(calibration=tmp_path / "c.json")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"thresholds": {"normal": {"upper": 1}}}'])
def test_an_unreadable_one_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(CalibrationMismatch):
        Calibration.read(tmp_path / "c.json", MINE.fingerprint)


def test_scores_are_probabilities() -> None:
    logits = np.array([[5.0, -3, 0], [0, 0, 0], [-900, 900, 0]], dtype=np.float32)
    rows = MINE.nli(logits)
    assert np.allclose(rows.sum(axis=1), 1)
    assert ((rows >= 0) & (rows <= 1)).all()
    for head in ("relevance", "usefulness"):
        assert np.allclose(MINE.of(head, np.array([-900.0, 0, 900], dtype=np.float32)), [0, 0.5, 1])


def test_a_file_from_before_there_was_usefulness_has_relevances_scale() -> None:
    old = replace(MINE, scale={"relevance": 2.0, "nli": 1.0}, offset={"relevance": [1.0], "nli": [0.0, 0.0, 0.0]})
    logits = np.array([-1.0, 0.5], dtype=np.float32)
    assert np.allclose(old.usefulness(logits), old.relevance(logits))


def test_a_weak_scorer_does_not_gate() -> None:
    assert not MINE.gates("nli")
    assert not replace(MINE, auc={"nli": MIN_AUC - 0.01}).gates("nli")
    assert replace(MINE, auc={"nli": MIN_AUC}).gates("nli")


def test_the_shipped_one_belongs_to_the_shipped_weights_and_its_points_are_ordered() -> None:
    shipped = Calibration.read(SHIPPED / "judge" / "calibration.json", OnnxJudge().fingerprint)
    for point in shipped.thresholds.values():
        assert 0 < point.lower <= point.upper < 1
    loose, normal, strict = (shipped.thresholds[name] for name in ("loose", "normal", "strict"))
    for field in ("upper", "strip", "support", "abstention"):
        assert getattr(loose, field) <= getattr(normal, field) <= getattr(strict, field)
