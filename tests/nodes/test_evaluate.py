from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.judges import THRESHOLDS, OverlapEvaluator
from tests.fakes.knowledge import passage
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.nodes.evaluate import decide, without_repetitions
from veridic.ports.shapes import Passage
from veridic.sources.passages import Page

SCORES = st.lists(st.floats(0, 1), max_size=20)
ORDER = ["incorrect", "ambiguous", "correct"]


@given(SCORES)
def test_the_action_follows_the_best_score_alone(scores: list[float]) -> None:
    best = max(scores, default=0.0)
    expected = "correct" if best >= THRESHOLDS.upper else "ambiguous" if best >= THRESHOLDS.lower else "incorrect"
    assert decide([(score, THRESHOLDS) for score in scores]) == expected


@given(SCORES, st.floats(0, 1))
def test_another_document_never_makes_the_action_worse(scores: list[float], more: float) -> None:
    before = [(score, THRESHOLDS) for score in scores]
    assert ORDER.index(decide([*before, (more, THRESHOLDS)])) >= ORDER.index(decide(before))


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_among_more_passages_a_higher_score_is_needed(one: int, other: int) -> None:
    fewer, more = (replace(THRESHOLDS, rise=0.2).among(number) for number in sorted((one, other)))
    assert THRESHOLDS.upper <= fewer.upper <= more.upper < 1
    assert THRESHOLDS.lower <= fewer.lower <= more.lower < more.upper
    assert (more.strip, more.readable) == (THRESHOLDS.strip, more.lower)


def test_what_reaches_the_lower_point_survives_and_what_does_not_is_listed(tmp_path: Path) -> None:
    texts = {"Half": "The Alder Bridge is red.", "None": "Tomatoes grow here."}
    world = World(tmp_path / "kb.sqlite", texts=texts)
    result = world.ask("When was the Alder Bridge opened to trams?", max_retries=0, sources=())
    assert [(one["title"], one["score"]) for one in result["documents"]] == [("Half", 0.5)]
    assert THRESHOLDS.lower < 0.5 < THRESHOLDS.upper
    assert [one["title"] for one in result["rejected"]] == ["None"]


@pytest.mark.parametrize(("rise", "action"), [(0.0, "correct"), (0.15, "ambiguous"), (0.5, "incorrect")])
def test_what_is_outside_was_found_among_many(tmp_path: Path, rise: float, action: str) -> None:
    texts = {"None": "Tomatoes grow here."}
    world = World(tmp_path / "kb.sqlite", texts=texts, evaluator=OverlapEvaluator(rise=rise, passage=0.3))
    world.sources = {
        "web": FakeSource("web", [Page("w", "W", "https://example.org/w", "The Alder Bridge opened to all.")])
    }
    result = world.ask("When was the Alder Bridge opened to trams?", max_retries=0)
    assert [one["kind"] for one in result["documents"]] == ["outside"]
    assert result["action"] == action


BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is not painted, and may be closed in winter."


def finding(text: str, number: int = 0) -> Passage:
    return Passage(**{**passage(f"web:{number}", text, kind="outside"), "source": "web"})


@pytest.mark.parametrize(
    "text",
    [
        BRIDGE,
        "The Alder Bridge was opened in 1932 by mayor Clara Voss.",
        BRIDGE.replace(". ", ".\n\n"),
        "It is not painted, and may be closed in winter. The Alder Bridge was opened in 1932 by mayor Clara Voss.",
    ],
)
def test_what_the_corpus_says_already_is_a_repetition(text: str) -> None:
    fresh, discarded = without_repetitions([finding(text)], [passage("a", BRIDGE)])
    assert fresh == []
    assert [gone["reason"] for gone in discarded] == ["already in the corpus"]


@pytest.mark.parametrize(
    "text",
    [
        BRIDGE.replace("1932", "1931"),
        BRIDGE.replace("Clara Voss", "Emil Stark"),
        BRIDGE.replace("not painted", "painted"),
        BRIDGE.replace("may be closed", "is closed"),
        f"{BRIDGE} Its lamps were lit with gas.",
        "It is painted.",
    ],
)
def test_what_says_more_or_otherwise_is_none(text: str) -> None:
    fresh, discarded = without_repetitions([finding(text)], [passage("a", BRIDGE)])
    assert [kept["text"] for kept in fresh] == [text]
    assert discarded == []


def test_a_finding_that_is_already_a_document_is_neither_new_nor_discarded() -> None:
    held = finding(BRIDGE)
    assert without_repetitions([held, held], [held]) == ([], [])


def test_a_repetition_of_a_finding_is_a_duplicate() -> None:
    fresh, discarded = without_repetitions([finding(BRIDGE), finding(BRIDGE, 1)], [])
    assert [kept["document_id"] for kept in fresh] == ["web:0"]
    assert [gone["reason"] for gone in discarded] == ["duplicate"]


@given(st.lists(st.text("ab .", max_size=30), max_size=6), st.lists(st.text("ab .", max_size=30), max_size=3))
def test_every_finding_is_kept_or_counted(texts: list[str], held: list[str]) -> None:
    findings = [finding(text, number) for number, text in enumerate(texts)]
    fresh, discarded = without_repetitions(findings, [passage(f"c{n}", text) for n, text in enumerate(held)])
    assert len(fresh) + len(discarded) == len(findings)
    assert fresh == [kept for kept in findings if kept in fresh]
