"""What is kept of a run says how sure each answer was and whether it was right; the page and the curve come of it."""

from pathlib import Path

import pytest

from tests.lab.evaluation.rows import question, row
from veridic_lab.evaluation.told import Told, keep, kept_in, risk_by_coverage, share, told_in
from veridic_lab.manual import results
from veridic_lab.manual.curve import digest, draw
from veridic_lab.manual.results import told_part

TOLD = [
    Told("veridic", 0.95, "verified", right=True, answerable=True),
    Told("veridic", None, "flagged", right=False, answerable=True),
    Told("veridic", 0.55, "flagged", right=False, answerable=False),
    Told("veridic", None, "silent", right=False, answerable=False),
]


def test_a_run_is_distilled() -> None:
    rows = [
        row(question("q1"), "Clara Voss", confidence=0.9512),
        row(question("q2"), "Ada Holm", outcome="unverified", confidence=0.4),
        row(question("q3", missing="removed"), "Clara Voss", outcome="corrected", confidence=0.7),
        row(question("q4"), confidence=0.2),
        row(question("q1"), "Clara Voss", system="standard_rag", outcome="unverified", candidates=()),
    ]
    assert told_in(rows) == [
        ("veridic", 0.951, "verified", True, True),
        ("veridic", 0.4, "flagged", False, True),
        ("veridic", 0.7, "verified", False, False),
        ("veridic", None, "silent", False, True),
    ]


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    assert kept_in(tmp_path / "none.json") == []
    keep(TOLD, tmp_path / "told.json")
    assert kept_in(tmp_path / "told.json") == TOLD


def test_the_surest_come_first_and_silence_is_no_risk() -> None:
    assert risk_by_coverage(TOLD) == [(0.25, 0.0), (0.5, 0.5), (0.75, pytest.approx(2 / 3))]


def test_an_interval_holds_its_share() -> None:
    part = share(8, 10)
    assert (part.low, part.value, part.high) == pytest.approx((0.490, 0.8, 0.943), abs=1e-3)
    assert (share(0, 5).low, share(5, 5).high) == pytest.approx((0.0, 1.0))


def test_the_page_tells_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "KEPT", tmp_path / "told.json")
    assert told_part() == results.WITHOUT
    keep(TOLD, results.KEPT)
    page = told_part()
    assert "![Wrong, of the answered, by how many are answered](_static/risk-coverage.svg)" in page
    assert "| verified | 1 of 4: 0.25 [0.05, 0.70] | 0 of 1: 0.00 [0.00, 0.79] | 0 of 2: 0.00 [0.00, 0.66] |" in page
    assert "| all that is given | 3 of 4: 0.75 [0.30, 0.95] | 2 of 3: 0.67 [0.21, 0.94] | 1 of 2" in page
    assert "| 0.5 to 0.6 | 0.55 | 0 of 1: 0.00 [0.00, 0.79] |" in page


def test_the_same_rows_draw_the_same_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "two.svg"):
        draw(TOLD * 10, {"plain RAG": (1.0, 0.7)}, tmp_path / name)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert digest(TOLD * 10, {"plain RAG": (1.0, 0.7)}) in drawn
    assert digest(TOLD * 9, {"plain RAG": (1.0, 0.7)}) not in drawn
    assert "plain RAG" in drawn
