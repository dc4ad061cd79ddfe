"""Pages that are lost are not found, and a share of them lost is the mean over which of them are."""

from pathlib import Path

import pytest

from tests.graph.world import World
from veridic_lab.evaluation.corrupted import Case, Losing, expected, keep, kept_in, losses, rate
from veridic_lab.manual import results
from veridic_lab.manual.curve import digest_of, draw_corrupted
from veridic_lab.manual.results import corrupted_part

CASES = [
    Case("standard_rag", "one page", 1, 0, "right"),
    Case("standard_rag", "one page", 1, 1, "wrong"),
    Case("standard_rag", "two pages", 2, 0, "right"),
    Case("standard_rag", "two pages", 2, 1, "right"),
    Case("standard_rag", "two pages", 2, 1, "silent"),
    Case("standard_rag", "two pages", 2, 2, "silent"),
]


def test_what_is_lost_is_not_found_and_the_next_takes_its_place(tmp_path: Path) -> None:
    known, lost = World(tmp_path / "kb.sqlite").knowledge().corpus, set[str]()
    losing = Losing(known, lost)
    asked = {"limit": 1, "deadline": float("inf")}
    assert losing.search(["the Alder Bridge"], **asked)[0][0]["url"] == "Alder Bridge"
    lost.add("Alder Bridge")
    for view in (losing, losing.beneath_records()):
        assert [one["url"] for one in view.search(["the Alder Bridge"], **asked)[0]] == ["Marsh Library"]
    assert losing.as_of() == known.as_of()


def test_every_choice_of_pages_can_be_lost() -> None:
    assert list(losses(["a", "b"])) == [(), ("a",), ("b",), ("a", "b")]


def test_a_share_lost_is_the_mean_over_what_is_lost() -> None:
    assert expected(CASES, 0.0, "right") == {"one page": 1.0, "two pages": 1.0}
    assert expected(CASES, 0.5, "right") == {"one page": 0.5, "two pages": 0.5}
    assert expected(CASES, 0.5, "silent") == {"one page": 0.0, "two pages": 0.5}
    half = rate(CASES, 0.5, "silent")
    assert (half.low, half.value, half.high) == (0.0, 0.25, 0.5)
    assert sum(rate(CASES, 0.3, came).value for came in ("right", "wrong", "silent")) == pytest.approx(1.0)


def test_the_page_tells_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "CORRUPTED", tmp_path / "corrupted.json")
    assert corrupted_part().startswith("Not measured")
    keep(CASES, results.CORRUPTED)
    assert kept_in(results.CORRUPTED) == CASES
    page = corrupted_part()
    assert "![Right, wrong and silent, by how many of the right pages are lost](_static/corrupted.svg)" in page
    assert "| `standard_rag` | 100 [100, 100], 0 [0, 0], 0 | 50 [50, 50], 25 [0, 50], 25 |" in page


def test_the_same_cases_draw_the_same_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    cases = [*CASES, *(one._replace(system="crag:sources=web") for one in CASES)]
    for name in ("one.svg", "two.svg"):
        draw_corrupted(cases, tmp_path / name)
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert digest_of(cases) in drawn
    assert "crag, outside allowed" in drawn
