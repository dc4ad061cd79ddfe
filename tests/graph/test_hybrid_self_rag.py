"""Hybrid Self-RAG: claims held against outside, the answer judged beside what was found, the dense index under tau."""

from itertools import groupby, pairwise
from pathlib import Path
from time import time
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader, PlainDecision
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.errors import JudgeFailed
from veridic.ports.judgements import DraftSigns, Strictness
from veridic.ports.shapes import FactReport, Result
from veridic.sources.passages import Page

QUESTION = "When was the Alder Bridge opened?"
UNKNOWN = "Who painted the Sistine Chapel?"
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
PAINTED = "Michelangelo painted the Sistine Chapel in four years."
BRIEFLY = "Michelangelo painted the Sistine Chapel."
LEONARDO = "Leonardo painted the Sistine Chapel."
INVENTED = "Emil Stark opened the Alder Bridge in 1955."
CHAPEL = Page("p1", "Sistine Chapel", "https://example.org/chapel", PAINTED)
FIRST = ["analyze", "retrieve", "evaluate", "refine"]
CHECKED = ["reopen", "critique", "extract_claims", "look_up", "validate", "reopen", "critique"]
AGAIN = ["fall_back", "generate", "reopen", "critique", "extract_claims", "validate"]
TAIL = ["finish", "log"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", chat=says(TRUE))


def says(*told: str) -> ScriptedChat:
    """A capable model that says one thing after the other, and then the last."""
    return ScriptedChat(told[:-1], always=told[-1], follows_instructions=True)


def asked(world: World, question: str = QUESTION, **choices: Any) -> tuple[list[str], Result]:
    """The nodes that ran, those that ran side by side once, and the result."""
    steps, result = world.path_of(question, "hybrid_self_rag", **choices)
    return [step for step, _ in groupby(steps)], result


def report_of(result: Result) -> FactReport:
    """What the claims came to."""
    assert result["fact_report"] is not None
    return result["fact_report"]


def keeping(world: World) -> None:
    """Wikipedia is silent now; its page on the chapel was kept beforehand."""
    world.sources = {"wikipedia": FakeSource("wikipedia", [])}
    passages = FakeSource("wikipedia", [CHAPEL]).page("Sistine Chapel", deadline=time() + 20)
    world.knowledge().corpus.keep_page(passages, since=0.0)


class Unsure(PlainDecision):
    """Verifies no draft, as the decision that ships, and gives none."""

    def verifies_from(self, strictness: Strictness, signs: DraftSigns) -> float:
        return 2.0


def test_every_edge_is_walked(world: World) -> None:
    world.sources = {"wikipedia": FakeSource("wikipedia", [CHAPEL])}
    world.chat = says(PAINTED)
    outside, _ = asked(world, UNKNOWN)
    world.chat = says(TRUE)
    rewritten, _ = asked(world)
    unasked, _ = asked(world, sources=())
    world.chat = says("I don't know.")
    silent, _ = asked(world, UNKNOWN)
    walks = (outside, rewritten, unasked, silent)
    walked = {edge for steps in walks for edge in pairwise(["__start__", *steps, "__end__"])}
    drawn = world.graph(system="hybrid_self_rag").get_graph()
    assert walked == {(edge.source, edge.target) for edge in drawn.edges}


def test_an_answer_that_outside_bears_out_is_judged_by_what_was_found_and_stays(world: World) -> None:
    world.sources = {"wikipedia": FakeSource("wikipedia", [Page("p2", "Alder Bridge", "https://e.org/a", TRUE)])}
    steps, result = asked(world)
    assert steps == [*FIRST, "generate", *CHECKED, *TAIL]
    report = report_of(result)
    assert (list(report["by_source"]), report["corpus_score"]) == (["wikipedia"], None)
    assert report["fact_score"] is not None
    assert report["fact_score"] >= 0.5


def test_a_draft_from_memory_is_verified_by_what_was_found_for_its_claims(world: World) -> None:
    world.chat = says(PAINTED, LEONARDO)
    world.sources = {"wikipedia": FakeSource("wikipedia", [CHAPEL])}
    steps, result = asked(world, UNKNOWN, candidates=1)
    assert steps == [*FIRST, "draft", *CHECKED, *TAIL]
    assert (result["outcome"], result["answer"], result["stopped_by"]) == ("accepted", PAINTED, None)
    assert [c["url"] for one in result["sentences"] for c in one["citations"]] == [CHAPEL.url]


def test_a_true_answer_beside_documents_that_do_not_hold_it_stays(world: World) -> None:
    world.texts = {"Chapels": "Tourists who came asked who painted the Sistine Chapel of the town."}
    world.chat = says(PAINTED, LEONARDO)
    world.sources = {"wikipedia": FakeSource("wikipedia", [CHAPEL])}
    steps, result = asked(world, UNKNOWN, candidates=1)
    assert steps == [*FIRST, "generate", *CHECKED, *TAIL]
    assert (result["outcome"], result["answer"]) == ("accepted", PAINTED)


def test_claims_of_a_supported_answer_to_another_question_are_looked_up_in_both_places(world: World) -> None:
    toll = "The toll was abolished in 1967 after a strike of the ferrymen."
    world.chat = says(toll)
    world.decision, world.evaluator = Unsure(), OverlapEvaluator(abstention=0.9)
    pages = [Page("p2", "Toll", "https://e.org/t", toll)]
    world.sources = {name: FakeSource(name, pages) for name in ("wikipedia", "arxiv")}
    steps, result = asked(world, "Who painted the Alder Bridge green?", max_retries=0)
    assert not any(one["holds"] for one in result["candidates"])
    assert {toll} <= {claim["text"] for claim in report_of(result)["claims"]}
    assert {sent["source"] for sent in result["sources"]["sent"]} == {"wikipedia", "arxiv"}
    assert steps.count("generate") == 1


class GivesUnverified(Unsure):
    """Verifies nothing and gives what is likely."""

    def gives_from(self, strictness: Strictness) -> float:
        return 0.5


class VerifiesNoQuotation(OverlapReader):
    """Of what stands in a document it calls nothing an answer."""

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        return 2.0


def test_the_claims_of_what_the_model_wrote_are_looked_up_and_not_those_of_a_quotation(world: World) -> None:
    world.decision, world.reader, world.chat = GivesUnverified(), VerifiesNoQuotation(), says(INVENTED)
    world.sources = {"wikipedia": FakeSource("wikipedia", [])}
    _, result = asked(world)
    assert TRUE in result["answer"]
    assert [claim["text"] for claim in report_of(result)["claims"]] == [INVENTED]


def test_the_answer_that_is_checked_is_the_most_consistent_one(world: World) -> None:
    told = [f"The Alder Bridge was opened in {year} by Emil Stark." for year in (1955, 1956)]
    world.decision, world.evaluator = Unsure(), OverlapEvaluator(abstention=0.9)
    world.chat = ScriptedChat(["Nobody knows much about bridges.", *told], follows_instructions=True)
    world.sources = {"wikipedia": FakeSource("wikipedia", [])}
    _, result = asked(world, "Who painted the Alder Bridge green?", max_retries=0)
    assert [claim["text"] for claim in report_of(result)["claims"]] == [told[0]]


def test_where_outside_has_nothing_the_dense_index_is_asked_and_the_answer_written_again(world: World) -> None:
    world.sources = {"wikipedia": FakeSource("wikipedia", [])}
    steps, result = asked(world, sources=("wikipedia",))
    assert steps == [*FIRST, "generate", *CHECKED, *AGAIN, *TAIL]
    assert result["outcome"] in ("accepted", "corrected")
    assert report_of(result)["fact_score"] == 0.0


def test_the_fallback_asks_what_was_kept_of_wikipedia_beforehand(world: World) -> None:
    world.chat = says(LEONARDO, PAINTED)
    keeping(world)
    steps, result = asked(world, UNKNOWN, candidates=1)
    assert steps == [*FIRST, "draft", *CHECKED, *AGAIN, *TAIL]
    assert (result["outcome"], result["answer"]) == ("corrected", PAINTED)
    assert {c["kind"] for one in result["sentences"] for c in one["citations"]} == {"outside"}


def test_what_was_written_first_is_judged_by_what_the_fallback_found_too(world: World) -> None:
    world.chat = says(BRIEFLY, "Raphael built a bridge near Florence.")
    keeping(world)
    steps, result = asked(world, UNKNOWN, candidates=1)
    assert "fall_back" in steps
    assert (result["outcome"], result["answer"]) == ("accepted", BRIEFLY)


def test_tau_is_a_choice(world: World) -> None:
    near = Page("p2", "Bridges", "https://e.org/b", "The Alder Bridge was admired by painters.")
    world.sources = {"wikipedia": FakeSource("wikipedia", [near])}
    strict, _ = asked(world, fact_score=1.0)
    loose, _ = asked(world, fact_score=0.0)
    assert ("fall_back" in strict, "fall_back" in loose) == (True, False)


def test_what_reaches_tau_and_is_not_supported_is_written_again(world: World) -> None:
    world.chat = says("Michelangelo painted the Sistine Chapel in five weary long years.", PAINTED)
    world.sources = {"wikipedia": FakeSource("wikipedia", [CHAPEL])}
    steps, result = asked(world, UNKNOWN, candidates=1)
    report = report_of(result)
    assert (report["fact_score"] or 0) >= 0.5
    assert "contradicted" not in {claim["standing"] for claim in report["claims"]}
    assert "fall_back" in steps
    assert result["answer"] == PAINTED


def test_what_may_not_be_written_again_is_judged_by_what_was_found_all_the_same(world: World) -> None:
    world.chat = says(PAINTED)
    world.sources = {"wikipedia": FakeSource("wikipedia", [CHAPEL])}
    steps, result = asked(world, UNKNOWN, fact_score=1.0, max_retries=0)
    assert steps == [*FIRST, "draft", *CHECKED, *TAIL]
    assert result["outcome"] == "accepted"


def test_a_draft_that_nothing_bears_out_is_not_given(world: World) -> None:
    world.chat = says(LEONARDO)
    world.sources = {"wikipedia": FakeSource("wikipedia", [])}
    assert asked(world, UNKNOWN)[1]["outcome"] == "abstained"


def test_the_most_consistent_of_several_answers_is_given(world: World) -> None:
    other = "The toll was abolished in 1967 after a strike of the ferrymen."
    world.chat = says(TRUE, other, TRUE)
    _, result = asked(world, "How was the Alder Bridge opened?")
    assert result["usage"]["calls"] >= 3
    assert result["answer"] == TRUE


class FailsAtFirst(OverlapCritic):
    """Its first call fails: without evidence no sentence is put to it, so that the first are the claims."""

    called = False

    def judge(self, pairs: Any, *, deadline: float) -> Any:
        first, self.called = not self.called, True
        if first:
            raise JudgeFailed("The critic is out of order.", "Run `veridic doctor`.")
        return super().judge(pairs, deadline=deadline)


def test_claims_that_cannot_be_checked_are_not_checked_for_ever(world: World) -> None:
    world.chat, world.critic = says(PAINTED), FailsAtFirst()
    world.sources = {"wikipedia": FakeSource("wikipedia", [CHAPEL])}
    steps, result = asked(world, UNKNOWN)
    assert (steps.count("validate"), [one["node"] for one in result["failures"]]) == (1, ["validate"])
    assert result["fact_report"] is None
