from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from veridic.errors import UsageError
from veridic.models.cross_encoder import OnnxCritic, OnnxEvaluator, OnnxJudge
from veridic.settings import Settings
from veridic_lab.training.row_scores import score

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
    found = score("critic", claims, SETTINGS, out, metrics=True)
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    given = [json.loads(line) for line in claims.read_text().splitlines()]
    assert [{key: row[key] for key in given[0]} for row in rows] == given
    critic = OnnxCritic(OnnxJudge(threads=1))
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
    score("critic", _write(tmp_path / "claims.jsonl", rows), SETTINGS, out)
    assert [json.loads(line)["decision"] for line in out.getvalue().splitlines()] == [True, False]


def test_the_evaluator_writes_relevance(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"query": "Who built the tower?", "passage": "The tower was built by Anna Berg.", "label": 1},
        {"query": "Who built the tower?", "passage": "Bread rises overnight.", "label": 0},
    ]
    out = io.StringIO()
    score("evaluator", _write(tmp_path / "x.jsonl", rows), SETTINGS, out)
    high, low = (json.loads(line) for line in out.getvalue().splitlines())
    assert high["relevance"] > low["relevance"]
    strip = OnnxEvaluator(OnnxJudge(threads=1)).thresholds("normal").strip
    assert high["decision"] is (high["relevance"] >= strip)


@pytest.mark.parametrize(
    ("row", "message"), [({"premise": "p"}, "hypothesis"), ({"premise": "p", "hypothesis": "h"}, "label")]
)
def test_rows_without_what_is_needed_are_named(tmp_path: Path, row: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        score("critic", _write(tmp_path / "x.jsonl", [row]), SETTINGS, io.StringIO(), metrics=True)
