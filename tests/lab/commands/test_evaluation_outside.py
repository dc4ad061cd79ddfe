"""`veridic eval` with a world outside, from the data folder to the report, over real sockets."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Outcome, Veridic
from tests.lab.evaluation.data import data_folder, lighthouses
from veridic_lab.evaluation.journal import rows_in
from veridic_lab.evaluation.plan import read_plan

SYSTEMS = "veridic_closed,ungated:sources=wikipedia,validate_claims=off"


@pytest.fixture
def run(veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("VERIDIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("VERIDIC_DATA", str(lighthouses(data_folder(tmp_path / "data"))))

    def made(*words: str) -> Outcome:
        few = ("--limit", "5", "--documents", "20", "--model", "extractive")
        return veridic("eval", "run", *words, *few, "--json")

    return made


def test_one_command_serves_the_world_and_asks_it(run: Any, veridic: Veridic, tmp_path: Path) -> None:
    made = run("outside", "--out", "out", "--systems", SYSTEMS, "--world-faults", "0.3")
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
    assert (plan.identity.world["faults"], plan.identity.world["kinds"]) == (0.3, ["bot_wall", "off_topic"])
    assert plan.pages > 100
    written = veridic("eval", "report", "out").out
    for part in (f"among {plan.pages} pages", "30% of them replaced", "| `gold_found` |", "| `rests_on_outside` |"):
        assert part in written
    assert "missed" in veridic("eval", "explain", "out").out
    other = run("outside", "--out", "out", "--systems", SYSTEMS, "--world-faults", "0.4")
    assert other.status == 2
    assert "other world" in other.err


def test_planted_falsehoods_are_counted_by_gold(run: Any, veridic: Veridic, tmp_path: Path) -> None:
    made = run("planted", "--out", "out", "--systems", "veridic:validate_claims=off,veridic:validate_claims=always")
    assert made.status == 0, made.err
    found = json.loads(made.out)
    off, always = (found["systems"][name] for name in found["systems"])
    assert off["falsehood_told"]["value"] > 0
    assert off["fact_score_before"] is None
    assert 0 < always["fact_score_before"]["value"] <= 1
    assert set(found["paired"]["veridic:validate_claims=always"]) >= {"falsehood_unwarned", "conflict_shown", "right"}
    assert "the documents say something false" in veridic("eval", "report", "out").out
    for row in rows_in(tmp_path / "out" / "rows.jsonl"):
        assert row["question"]["falsehood"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("outside", "--world-fault-kinds", "earthquake"), "no fault 'earthquake'"),
        (("speed", "--world-faults", "0.3"), "no world outside"),
        (("speed", "--systems", "veridic_wikipedia"), "no world outside"),
        (("outside", "--systems", "veridic:colour=red"), "sets no choice"),
    ],
)
def test_what_no_world_can_do_is_said_in_one_line(run: Any, words: tuple[str, ...], said: str) -> None:
    shown = run(*words, "--out", "x")
    assert shown.status == 2
    assert said in shown.err
    assert shown.err.count("\n") == 1
