from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from veridic.errors import UsageError
from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.scorers import TrainedCritic, TrainedEvaluator
from veridic.settings import Settings
from veridic_lab.training.calibrate import scaled
from veridic_lab.training.cases import SentenceCase
from veridic_lab.training.commands import calibrate, score, summary
from veridic_lab.training.thresholds import sentence_decisions

NEVER = float("inf")
SETTINGS = Settings(threads=1)
PLACES = ("Oslo", "Lima", "Cairo", "Quito", "Paris", "Delhi", "Rome", "Bern", "Kyiv", "Riga", "Tunis", "Hanoi")


def _write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    rows: list[dict[str, object]] = []
    for number in range(24):
        place, other = PLACES[number % 12], PLACES[(number + 5) % 12]
        premise = f"The tower of {place} was built of stone in {1700 + number}."
        rows.append({"premise": premise, "hypothesis": premise, "label": "entailment", "group": f"{number}"})
        rows.append(
            {"premise": premise, "hypothesis": f"Trains to {other} are late.", "label": "neutral", "group": f"{number}"}
        )
    (tmp_path / "own").mkdir()
    return _write(tmp_path / "own" / "claims.jsonl", rows)


def test_each_row_is_written_back_with_what_the_critic_says(claims: Path) -> None:
    out = io.StringIO()
    found = score("critic", claims, SETTINGS, out=out, metrics=True)
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    given = [json.loads(line) for line in claims.read_text().splitlines()]
    assert [{key: row[key] for key in given[0]} for row in rows] == given
    critic = TrainedCritic(OnnxJudge(threads=1))
    support = critic.thresholds("normal").support
    said = critic.judge([(row["premise"], row["hypothesis"]) for row in given], deadline=NEVER)
    for row, expected in zip(rows, said, strict=True):
        assert row["entailment"] == pytest.approx(expected.entailment, abs=0.03)
        assert row["entailment"] + row["neutral"] + row["contradiction"] == pytest.approx(1)
        assert row["decision"] is (row["entailment"] >= support)
    assert found["pairs"] == 48
    assert found["auc"] > 0.9


def test_an_altered_copy_is_not_decided_as_supported(tmp_path: Path) -> None:
    premise = "The tower of Oslo was built of stone in 1700."
    rows: list[dict[str, object]] = [
        {"premise": premise, "hypothesis": hypothesis}
        for hypothesis in (premise, "The tower of Oslo was not built of stone in 1700.")
    ]
    out = io.StringIO()
    score("critic", _write(tmp_path / "claims.jsonl", rows), SETTINGS, out=out)
    assert [json.loads(line)["decision"] for line in out.getvalue().splitlines()] == [True, False]


def test_a_sentence_beside_nothing_but_code_is_neither_supported_nor_contradicted() -> None:
    cases = [SentenceCase("s", "It opened in 1932.", ("It opened in 1932.",), 0), SentenceCase("s", "Run it.", (), 2)]
    found = sentence_decisions(cases, lambda pairs: np.full((len(pairs), 3), 1 / 3))
    assert found.support.tolist() == pytest.approx([1 / 3, 0])
    assert found.contradiction.tolist() == pytest.approx([1 / 3, 0])


def test_the_evaluator_writes_relevance(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"query": "Who built the tower?", "passage": "The tower was built by Anna Berg.", "label": 1},
        {"query": "Who built the tower?", "passage": "Bread rises overnight.", "label": 0},
    ]
    out = io.StringIO()
    score("evaluator", _write(tmp_path / "x.jsonl", rows), SETTINGS, out=out)
    high, low = (json.loads(line) for line in out.getvalue().splitlines())
    assert high["relevance"] > low["relevance"]
    strip = TrainedEvaluator(OnnxJudge(threads=1)).thresholds("normal").strip
    assert high["decision"] is (high["relevance"] >= strip)


@pytest.mark.parametrize(
    ("row", "message"), [({"premise": "p"}, "hypothesis"), ({"premise": "p", "hypothesis": "h"}, "label")]
)
def test_rows_without_what_is_needed_are_named(tmp_path: Path, row: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        score("critic", _write(tmp_path / "x.jsonl", [row]), SETTINGS, out=io.StringIO(), metrics=True)


def test_own_pairs_calibrate_the_head_they_are_for(claims: Path, tmp_path: Path) -> None:
    shipped = OnnxJudge().calibration
    fitted = calibrate(claims.parent, SETTINGS, out=tmp_path / "mine.json")
    found = fitted.calibration
    assert found.scale["relevance"] == shipped.scale["relevance"]
    assert found.scale["nli"] != shipped.scale["nli"]
    assert found.auc["nli"] > 0.9
    assert found.by_source == shipped.by_source != {}
    assert Calibration.read(tmp_path / "mine.json", shipped.fingerprint) == found
    mine = TrainedCritic(OnnxJudge(threads=1, calibration=tmp_path / "mine.json"))
    assert mine.thresholds("normal") == found.thresholds["normal"]
    assert found.fingerprint in summary(fitted)
    assert "risk at coverage" in summary(fitted)


def test_what_relevance_was_worth_by_source_does_not_outlive_its_scale() -> None:
    found = scaled(OnnxJudge().calibration, "relevance", np.array([-1.0, 1.0, 2.0, -2.0]), [0, 1, 0, 1])
    assert found.by_source == {}


def test_too_few_own_pairs_are_refused(tmp_path: Path) -> None:
    _write(tmp_path / "few.jsonl", [{"query": "q", "passage": "p", "label": 1}])
    with pytest.raises(UsageError, match="too few"):
        calibrate(tmp_path, SETTINGS, out=tmp_path / "mine.json")
