"""`veridic eval` with a world outside, from the data folder to the report, over real sockets."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Outcome, Veridic
from tests.lab.evaluation.data import data_folder, lighthouses
from veridic_lab.evaluation.journal import rows_in
from veridic_lab.evaluation.plan import read_plan

SYSTEMS = "veridic:sources=none,veridic:sources=wikipedia,validate_claims=off"


@pytest.fixture
def run(veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("VERIDIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("VERIDIC_DATA", str(lighthouses(data_folder(tmp_path / "data"))))

    def made(*words: str) -> Outcome:
        few = ("--limit", "5", "--documents", "20", "--model", "extractive")
        return veridic("eval", "run", *words, *few, "--json")

    return made


def test_one_command_serves_the_world_and_asks_it(run: Any, veridic: Veridic, tmp_path: Path) -> None:
    made = run("outside", "--out", "out", "--systems", SYSTEMS)
    assert made.status == 0, made.err
    found = json.loads(made.out)["systems"]
    closed, wikipedia = (found[name] for name in found)
    assert closed["queries_sent"]["value"] == closed["right"]["value"] == 0
    assert closed["abstained"]["value"] > 0
    assert wikipedia["asked_wikipedia"]["value"] > 0
    assert wikipedia["asked_web"]["value"] == 0
    assert wikipedia["gold_found"]["value"] > 0
    rows = list(rows_in(tmp_path / "out" / "rows.jsonl"))
    findings = [url for row in rows for step in row["measured"]["findings"] for url in step]
    assert any(url.startswith("https://en.wikipedia.org/") for url in findings)
    plan = read_plan(tmp_path / "out")
    assert plan.pages > 100
    written = veridic("eval", "report", "out").out
    for part in (f"among {plan.pages} pages", "| `gold_found` |", "| `rests_on_outside` |"):
        assert part in written
    assert "missed" in veridic("eval", "explain", "out").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("speed", "--systems", "veridic:sources=wikipedia"), "no world outside"),
        (("outside", "--systems", "veridic:colour=red"), "sets no choice"),
    ],
)
def test_what_no_world_can_do_is_said_in_one_line(run: Any, words: tuple[str, ...], said: str) -> None:
    shown = run(*words, "--out", "x")
    assert shown.status == 2
    assert said in shown.err
    assert shown.err.count("\n") == 1
