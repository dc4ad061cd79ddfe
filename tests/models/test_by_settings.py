"""Which judge with which thresholds the settings open."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from veridic.errors import CalibrationMismatch
from veridic.models.by_settings import open_judges
from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.hub_scorer import HubScorer
from veridic.models.onnx_encoder import SHIPPED
from veridic.settings import Settings


def written(path: Path, support: float, fingerprint: str | None = None) -> Path:
    """A calibration file that can be told by its point of support."""
    shipped = OnnxJudge().calibration
    points = {name: replace(point, support=support) for name, point in shipped.thresholds.items()}
    replace(shipped, thresholds=points, fingerprint=fingerprint or shipped.fingerprint).write(path)
    return path


def test_both_judges_share_what_ships() -> None:
    evaluator, critic = open_judges(Settings())
    assert evaluator.fingerprint == critic.fingerprint
    assert critic.thresholds("normal") == OnnxJudge().calibration.thresholds["normal"]


def test_own_thresholds_win_and_those_of_another_scorer_are_refused(tmp_path: Path) -> None:
    own = written(tmp_path / "own.json", 0.123)
    foreign = written(tmp_path / "foreign.json", 0.2, "f" * 16)
    _, critic = open_judges(Settings(calibration=(foreign, own)))
    assert critic.thresholds("normal").support == 0.123
    with pytest.raises(CalibrationMismatch, match="f" * 16):
        open_judges(Settings(calibration=(foreign,)))
    with pytest.raises(CalibrationMismatch, match="cannot be read"):
        open_judges(Settings(calibration=(tmp_path / "none.json",)))


def test_files_are_named_with_commas_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_CALIBRATION", f"{tmp_path / 'a.json'}, {tmp_path / 'b.json'}")
    assert Settings.load().calibration == (tmp_path / "a.json", tmp_path / "b.json")


def test_an_exported_folder_can_be_one_of_the_two(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for path in (SHIPPED / "judge").iterdir():
        (folder / path.name).symlink_to(path)
    evaluator, critic = open_judges(Settings(critic=str(folder)))
    assert isinstance(critic.scorer, OnnxJudge)
    assert critic.judge([("Rain fell.", "Rain fell.")], deadline=float("inf"))[0].entailment > 0.9
    assert evaluator.gates
    for name in ("some/hub-name", "hf:some/hub-name"):
        assert isinstance(open_judges(Settings(critic=name))[1].scorer, HubScorer)


def test_beside_another_critic_the_evaluator_keeps_its_own_thresholds(tmp_path: Path) -> None:
    foreign = written(tmp_path / "foreign.json", 0.2, "f" * 16)
    evaluator, _ = open_judges(Settings(critic="some/hub-name", calibration=(foreign,)))
    assert evaluator.thresholds("normal") == OnnxJudge().calibration.thresholds["normal"]


def test_uncalibrated_judges_open_without_thresholds(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    for name in ("card.json", "model.onnx", "tokenizer.json"):
        (folder / name).symlink_to(SHIPPED / "judge" / name)
    evaluator, _ = open_judges(Settings(judge=str(folder)), calibrated=False)
    assert not evaluator.gates
    assert len(evaluator.logits([("Who?", "Nobody.")], "relevance", deadline=float("inf"))) == 1
    with pytest.raises(CalibrationMismatch):
        open_judges(Settings(judge=str(folder)))


def test_among_several_files_the_scorers_own_is_read(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{n}.json", 0.1 * n, f"{n}" * 16) for n in (1, 2, 3)]
    found = Calibration.among(paths, "2" * 16)
    assert found is not None
    assert found.thresholds["normal"].support == pytest.approx(0.2)
    assert Calibration.among(paths, "4" * 16) is None
    paths[0].write_text(json.dumps([]))
    with pytest.raises(CalibrationMismatch, match="cannot be read"):
        Calibration.among(paths, "2" * 16)
