"""`veridic calibrate answers`: P(right) and *verified* fitted to what people said of answers."""

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tests.cli.conftest import EXAMPLES, Veridic
from veridic.api.judged import asked_again
from veridic.models import promise
from veridic.settings import Settings

pytestmark = pytest.mark.usefixtures("verifying_judges")

FOUNDER = "Who founded the observatory?"
PAYER = "Who paid for the first dome?"
SEATS = "How much does an adult ticket cost?"
UNKNOWN = "What does the planetarium projector weigh?"


def asked(veridic: Veridic, question: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(veridic("ask", "--json", question).out)
    return told


def said(veridic: Veridic, question: str, *words: str) -> dict[str, Any]:
    told = asked(veridic, question)
    assert veridic("feedback", told["run_id"], *words).status == 0
    return told


@pytest.fixture
def held(veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Veridic:
    monkeypatch.setenv("VERIDIC_WRITE_BACK", "off")
    copytree(EXAMPLES, tmp_path / "documents")
    assert veridic("ingest", "documents").status == 0
    return veridic


def judged() -> tuple[dict[str, bool], int]:
    """What counts, and how many questions were passed over."""
    found = asked_again(Settings.load())
    return {one.question: one.right for one in found.answers}, found.passed_over


def test_what_people_judged_is_asked_again_and_nothing_else(held: Veridic) -> None:
    said(held, FOUNDER, "up")
    said(held, PAYER, "Anton Brekke")
    said(held, SEATS, "up")
    said(held, SEATS, "down")
    said(held, UNKNOWN, "down")
    said(held, "Summarise history.md", "up")
    asked(held, "When was the first observation made?")
    assert judged() == ({FOUNDER: True, PAYER: True, SEATS: False}, 2)
    assert len(json.loads(held("log", "list", "--json").out)) == 7


def test_an_answer_that_changed_counts_only_where_the_right_one_is_known(held: Veridic, tmp_path: Path) -> None:
    said(held, FOUNDER, "up")
    said(held, SEATS, "14 euros")
    for name, before, now in (
        ("history.md", "Ingrid Solvang", "Tove Lind"),
        ("visitor-guide.md", "12 euros", "14 euros"),
    ):
        file = tmp_path / "documents" / name
        file.write_text(file.read_text(encoding="utf-8").replace(before, now), encoding="utf-8")
    assert "2 replaced" in held("ingest", "documents").out
    assert asked(held, FOUNDER)["short_answer"] == "Tove Lind"
    assert judged() == ({SEATS: True}, 1)


def test_p_is_fitted_to_what_people_said(held: Veridic, monkeypatch: pytest.MonkeyPatch) -> None:
    said(held, FOUNDER, "up")
    before = said(held, PAYER, "up")
    assert before["outcome"] == "unverified"
    refused = held("calibrate", "answers", "--out", "own.json")
    assert (refused.status, "2 answers can be fitted to, and 30 are needed." in refused.err) == (2, True)
    monkeypatch.setattr(promise, "FEWEST_JUDGED", 2)
    fitted = held("calibrate", "answers", "--out", "own.json")
    assert fitted.status == 0, fitted.err
    assert fitted.out.startswith("2 answers that people judged, 2 right\n")
    assert "verified: short answers and quotations from 0." in fitted.out
    monkeypatch.setenv("VERIDIC_READER_CALIBRATION", "own.json")
    after = asked(held, PAYER)
    assert (after["short_answer"], after["outcome"]) == (before["short_answer"], "unverified")
    assert after["confidence"] != before["confidence"]
    again = held("calibrate", "answers", "--out", "again.json")
    assert again.status == 0, again.err
    assert Path("again.json").read_text() == Path("own.json").read_text()


def test_pairs_are_named(held: Veridic) -> None:
    refused = held("calibrate", "--out", "own.json")
    assert (refused.status, "--data" in refused.err) == (2, True)
