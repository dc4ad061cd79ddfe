from pathlib import Path
from typing import Literal

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import OverlapEvaluator
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.evidence.evidence import decompose, headed, kept, tokens
from veridic.ports.method import Method
from veridic.ports.sources import Found
from veridic.sources.passages import Page

LONG = " ".join(f"The lighthouse of Sand Point number {number} was lit in 18{number:02d}." for number in range(60))


def test_strips_know_their_place_in_the_stored_text(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={"Lighthouses": LONG})
    result = world.ask("When was the lighthouse of Sand Point number 7 lit?")
    corpus = world.knowledge().corpus
    assert result["strips"]
    for strip in result["strips"]:
        stored = corpus.text_of(strip["passage"]["document_id"])
        assert stored[strip["start"] : strip["end"]] == strip["text"]


def test_the_kept_strips_fit_the_budget_and_stand_in_reading_order(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={"Lighthouses": LONG})
    strips = kept(world.ask("When was the lighthouse of Sand Point lit?", evidence_tokens=128)["strips"])
    assert sum(tokens(headed(strip["passage"], strip["text"])) for strip in strips) <= 128
    by_passage: dict[str, list[int]] = {}
    for strip in strips:
        by_passage.setdefault(strip["passage"]["id"], []).append(strip["start"])
    assert all(starts == sorted(starts) for starts in by_passage.values())


def test_strips_below_the_filters_point_are_shown_and_not_kept(tmp_path: Path) -> None:
    beside = " Tomatoes grow in gardens behind the old mill, where nobody waters them in June." * 12
    world = World(tmp_path / "kb.sqlite", texts={"Notes": f"The Alder Bridge was opened in 1932.{beside}"})
    strips = world.ask("When was the Alder Bridge opened?", max_retries=0, sources=())["strips"]
    assert [strip["kept"] for strip in strips[:2]] == [True, False]
    assert all("Alder" in strip["text"] for strip in kept(strips))
    assert all(strip["score"] == 0.0 for strip in strips if not strip["kept"])


@pytest.mark.parametrize(("keeps", "reads"), [("readable", True), ("relevant", False)])
def test_where_no_strip_passes_the_best_are_read_unless_only_what_is_relevant_is_kept(
    tmp_path: Path, keeps: Literal["readable", "relevant"], reads: bool
) -> None:
    method = Method(keeps=keeps, lower=0.0, passage=0.0, strip=1.0)
    texts = {"Notes": "The Alder Bridge was opened in 1932."}
    steps, _ = World(tmp_path / "kb.sqlite", texts=texts, method=method).path_of("When was the Alder Bridge painted?")
    assert ("read" in steps) is reads


def test_near_duplicates_are_kept_once(tmp_path: Path) -> None:
    text = "The Alder Bridge was opened in 1932."
    world = World(tmp_path / "kb.sqlite", texts={"First": text, "Second": f"{text} "})
    result = world.ask("When was the Alder Bridge opened?")
    assert len(kept(result["strips"])) == 1


def test_decompose_loses_nothing(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={"Lighthouses": LONG})
    passages = world.knowledge().corpus.search(["lighthouse"], limit=9, deadline=float("inf"))[0]
    assert passages
    for passage in passages:
        together = "".join(strip["text"] for strip in decompose(passage))
        assert "".join(together.split()) == "".join(passage["text"].split())


class Brief(FakeSource):
    """A source that has nothing after its first answer."""

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        return Found([], []) if self.queries else super().search(query, limit=limit, deadline=deadline)


def test_what_was_looked_up_is_still_there_when_the_question_is_asked_differently(tmp_path: Path) -> None:
    found = Page("wikipedia:Ferry", "Alder Ferry", "https://example.org", "Trams crossed the Alder Bridge in 1932.")
    world = World(
        tmp_path / "kb.sqlite",
        texts={"Alder Bridge": "The Alder Bridge, when it was opened, was admired."},
        evaluator=OverlapEvaluator(abstention=0.95),
        chat=ScriptedChat(always="The Alder Bridge was opened in 1955 by Emil Stark."),
        sources={"wikipedia": Brief("wikipedia", [found])},
    )
    steps, result = world.path_of("How was the Alder Bridge opened to ships and trams?")
    assert steps.index("validate") < steps.index("search") < len(steps) - steps[::-1].index("refine")
    assert "wikipedia" in {strip["passage"]["source"] for strip in kept(result["strips"])}
