"""Thresholds fitted to labelled pairs of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Veridic
from tests.cli.conftest import veridic as veridic
from veridic.errors import UsageError
from veridic.models.by_settings import calibrate
from veridic.models.calibrating import Labelled, labelled_pairs, summary
from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.scorers import TrainedCritic
from veridic.settings import Settings

SETTINGS = Settings(threads=1)
PLACES = ("Oslo", "Lima", "Cairo", "Quito", "Paris", "Delhi", "Rome", "Bern", "Kyiv", "Riga", "Tunis", "Hanoi")


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    rows: list[dict[str, object]] = []
    for number in range(24):
        place, other = PLACES[number % 12], PLACES[(number + 5) % 12]
        premise = f"The tower of {place} was built of stone in {1700 + number}."
        rows.append({"premise": premise, "hypothesis": premise, "label": "entailment"})
        rows.append({"premise": premise, "hypothesis": f"Trains to {other} are late.", "label": "neutral"})
    return written(tmp_path / "claims.jsonl", rows)


def test_own_pairs_calibrate_the_head_they_are_for(claims: Path, tmp_path: Path) -> None:
    shipped = OnnxJudge().calibration
    found = calibrate(labelled_pairs(claims), SETTINGS)
    assert found.scale["relevance"] == shipped.scale["relevance"]
    assert found.scale["nli"] != shipped.scale["nli"]
    assert found.auc["nli"] > 0.9
    found.write(tmp_path / "mine.json")
    assert Calibration.read(tmp_path / "mine.json", shipped.fingerprint) == found
    mine = TrainedCritic(OnnxJudge(threads=1, calibration=tmp_path / "mine.json"))
    assert mine.thresholds("normal") == found.thresholds["normal"]
    assert found.fingerprint in "".join(summary(found))


def test_a_question_is_decided_by_its_best_passage() -> None:
    asked = [f"When was the tower of {place} {word} built?" for place in PLACES for word in ("old", "new")]
    pairs = [
        pair
        for number, one in enumerate(asked)
        for pair in (
            Labelled(one, f"It was built in {1700 + number}, by stonemasons of the town.", number % 2, asks=True),
            Labelled(one, "Bread rises overnight.", 0, asks=True),
        )
    ]
    with pytest.raises(UsageError, match="too few"):
        calibrate(pairs[:24], SETTINGS, "evaluator")
    with pytest.raises(UsageError, match="too few"):
        calibrate(pairs, SETTINGS, "critic")
    found = calibrate([*pairs, *pairs], SETTINGS, "evaluator")
    point = found.thresholds["normal"]
    assert 0 < point.lower <= point.upper < 1


@pytest.mark.parametrize("row", [{"query": "q", "passage": "p"}, {"premise": "p", "hypothesis": "h", "label": "x"}, []])
def test_a_row_that_is_no_pair_is_named(tmp_path: Path, row: object) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(UsageError, match=r"x\.jsonl:1"):
        labelled_pairs(tmp_path / "x.jsonl")


def test_the_command_writes_what_the_settings_take(veridic: Veridic, claims: Path, tmp_path: Path) -> None:
    made = veridic("calibrate", "critic", "--data", str(claims), "--out", "mine.json")
    assert made.status == 0, made.err
    assert "normal: upper" in made.out
    assert Calibration.read(tmp_path / "mine.json", OnnxJudge().calibration.fingerprint).auc["nli"] > 0.9


@pytest.mark.parametrize("given", [(), ("--data", "nowhere.jsonl")])
def test_without_pairs_it_says_so_in_one_line(veridic: Veridic, given: tuple[str, ...]) -> None:
    shown = veridic("calibrate", *given, "--out", "mine.json")
    assert shown.status == 2
    assert "--data" in shown.err or "nowhere.jsonl cannot be read" in shown.err
