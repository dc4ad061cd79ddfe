"""What comes from outside counts only where it is evidence, new, and good enough; it never drives the corpus out."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes.judges import OverlapEvaluator
from tests.fakes.source import FakeSource
from tests.graph.world import BRIDGE, World
from veridic.errors import JudgeFailed
from veridic.ports.judgements import Relevance
from veridic.sources.passages import Page

QUESTION = "When was the Alder Bridge opened?"
UNKNOWN = "Who painted the Sistine Chapel?"
WALL = "Checking your browser before you see the Sistine Chapel. Please verify you are human."


def page(text: str, title: str = "Page") -> Page:
    return Page(f"web:{title}", title, f"https://example.org/{title}", text)


@pytest.fixture
def ambiguous(tmp_path: Path) -> World:
    """A corpus that holds the answer, and an evaluator that is never quite sure of it."""
    return World(tmp_path / "kb.sqlite", evaluator=OverlapEvaluator(upper=1.1))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def test_findings_under_the_lower_threshold_leave_the_corpus_as_it_was(ambiguous: World) -> None:
    alone = ambiguous.ask(QUESTION)
    ambiguous.sources = {
        "web": FakeSource("web", [page("The toll opened a long dispute between ferrymen and the town.")])
    }
    ambiguous.evaluator = OverlapEvaluator(upper=1.1, lower=0.5)
    result = ambiguous.ask(QUESTION)
    assert result["sources"]["used"] == ["web"]
    assert result["documents"] == alone["documents"] != []
    assert (result["outcome"], result["answer"]) == ("accepted", alone["answer"])
    assert {citation["kind"] for sentence in result["sentences"] for citation in sentence["citations"]} == {"human"}


def test_a_second_search_that_finds_nothing_new_corrects_nothing(ambiguous: World) -> None:
    steps, result = ambiguous.path_of(QUESTION)
    assert steps.count("retrieve") == 2
    assert (result["outcome"], result["retries"]) == ("accepted", 0)


def test_what_only_the_second_search_of_the_documents_found_corrects(ambiguous: World) -> None:
    ambiguous.texts = {"Echo": "When was the Alder opened, when was the Alder opened?", "Alder": "Alder opened: 1932."}
    steps, result = ambiguous.path_of("When was the Alder opened?", passages=1)
    assert steps.count("retrieve") == 2
    assert (result["outcome"], result["queries"][1]) == ("corrected", "alder opened")


def test_findings_that_grade_worse_stand_behind_the_corpus(ambiguous: World) -> None:
    ambiguous.sources = {"web": FakeSource("web", [page("The Alder family had a shop in 1955.")])}
    result = ambiguous.ask(QUESTION)
    assert [document["source"] for document in result["documents"]] == ["corpus", "web"]
    assert result["action"] == "ambiguous"
    assert "1932" in result["answer"]
    assert "1955" not in result["answer"]


def test_findings_about_something_else_do_not_replace_a_corpus_that_is_wrong(world: World) -> None:
    world.sources = {"web": FakeSource("web", [page("Who painted my house? Nobody has painted it.")])}
    world.evaluator = OverlapEvaluator(lower=0.5)
    result = world.ask(UNKNOWN)
    assert (result["outcome"], result["action"]) == ("abstained", "incorrect")
    assert result["documents"] == []


def test_walls_are_counted_and_no_evidence(world: World) -> None:
    world.sources = {"web": FakeSource("web", [page(WALL, "wall"), page("", "Sistine")])}
    result = world.ask(UNKNOWN)
    assert result["outcome"] == "abstained"
    assert result["sources"]["used"] == []
    assert result["sources"]["discarded"] == [
        {"source": "web", "url": "https://example.org/wall", "reason": "bot wall"},
        {"source": "web", "url": "https://example.org/Sistine", "reason": "empty page"},
    ]


def test_what_the_corpus_already_gave_is_not_counted_twice(ambiguous: World) -> None:
    ambiguous.sources = {"web": FakeSource("web", [page(BRIDGE, "copy")])}
    result = ambiguous.ask(QUESTION)
    assert [document["source"] for document in result["documents"]] == ["corpus"]
    assert result["sources"]["discarded"] == [
        {"source": "web", "url": "https://example.org/copy", "reason": "already in the corpus"}
    ]


def test_a_copy_that_says_otherwise_is_no_repetition(ambiguous: World) -> None:
    ambiguous.sources = {"web": FakeSource("web", [page(BRIDGE.replace("1932", "1931"), "other")])}
    result = ambiguous.ask(QUESTION)
    assert {document["source"] for document in result["documents"]} == {"corpus", "web"}
    assert result["sources"]["discarded"] == []


def test_two_sources_with_the_same_page_give_it_once(world: World) -> None:
    text = "The ceiling of the Sistine Chapel was painted by Michelangelo."
    world.sources = {name: FakeSource(name, [page(text, name)]) for name in ("wikipedia", "web")}
    result = world.ask(UNKNOWN)
    assert result["outcome"] == "corrected"
    assert len(result["documents"]) == 1
    assert [gone["reason"] for gone in result["sources"]["discarded"]] == ["duplicate"]


def test_findings_that_could_not_be_graded_are_not_used(tmp_path: Path) -> None:
    class FailsLater(OverlapEvaluator):
        calls = 0

        def score(self, pairs: object, *, deadline: float) -> list[Relevance]:
            self.calls += 1
            if self.calls > 1:
                raise JudgeFailed("The evaluator is out of order.")
            return super().score(pairs, deadline=deadline)  # type: ignore[arg-type]

    evaluator = FailsLater(upper=1.1)
    world = World(tmp_path / "kb.sqlite", evaluator=evaluator)
    world.sources = {"web": FakeSource("web", [page("The Alder Bridge was opened in 1955 by Emil Stark.")])}
    result = world.ask(QUESTION)
    assert result["outcome"] == "abstained", "nor could what was found in the documents be judged any further"
    assert {strip["passage"]["source"] for strip in result["strips"]} == {"corpus"}
    assert "1955" not in result["answer"]


def test_a_finding_is_graded_once_however_often_outside_is_asked(world: World) -> None:
    asked: list[str] = []

    class Counting(OverlapEvaluator):
        def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
            asked.extend(text for _, text in pairs)
            return super().score(pairs, deadline=deadline)

    world.evaluator = Counting(lower=0.9)
    off = [page("Chapels are small.", "Chapel"), page("Paint dries within a few hours.", "Paint")]
    world.sources = {"web": FakeSource("web", off)}
    result = world.ask("Who painted the chapel?", max_retries=3)
    assert len(result["sources"]["sent"]) > 1
    outside = [text for text in asked if text.startswith(("Chapel\n", "Paint\n"))]
    assert len(outside) == len(set(outside)) > 0
