"""Every edge of the graph is walked, and each walk ends where it should."""

from itertools import groupby, pairwise
from pathlib import Path

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import OverlapEvaluator, OverlapReader
from tests.fakes.source import FakeSource
from tests.graph.world import BRIDGE, World
from veridic.errors import SourceUnavailable
from veridic.ports.shapes import Result
from veridic.sources.passages import Page

QUESTION = "When was the Alder Bridge opened?"
UNKNOWN = "Who painted the Sistine Chapel?"
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
FALSE = "The Alder Bridge was opened in 1955 by Emil Stark."
SISTINE = Page(
    document_id="wikipedia:Sistine Chapel",
    title="Sistine Chapel",
    url="https://example.org/sistine",
    text="The ceiling of the Sistine Chapel was painted by Michelangelo. Who painted the walls? Others did.",
)
DENIAL = Page(
    document_id="wikipedia:Alder Bridge",
    title="Alder Bridge",
    url="https://example.org/alder",
    text="The Alder Bridge was not opened in 1932 by mayor Clara Voss.",
)
TAIL = ["finish", "write_back", "log"]
FIRST = ["analyze", "retrieve", "evaluate"]


ROOM = {"max_generated": 1.0}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", settings=ROOM)


def near_miss(world: World) -> None:
    """Evidence that is near the question and does not answer it, and a writer that invents."""
    world.texts = {"Alder Bridge": "The Alder Bridge, when it was opened, was admired."}
    world.evaluator = OverlapEvaluator(abstention=0.9)
    world.reader = OverlapReader(quotes=0.4)
    world.chat = ScriptedChat(always=FALSE)


def straight(world: World) -> tuple[list[str], Result]:
    world.chat = ScriptedChat([TRUE])
    return world.path_of(QUESTION)


def small_talk(world: World) -> tuple[list[str], Result]:
    return world.path_of("hello")


def without_retrieval(world: World) -> tuple[list[str], Result]:
    world.chat = ScriptedChat(["Michelangelo did."])
    return world.path_of(UNKNOWN, retrieval="never")


def summarised(world: World) -> tuple[list[str], Result]:
    return world.path_of("Summarise the document about the Alder Bridge")


def nothing_to_summarise(world: World) -> tuple[list[str], Result]:
    return world.path_of("Summarise the document about unicorns", max_retries=0)


def nothing_found(world: World) -> tuple[list[str], Result]:
    return world.path_of(UNKNOWN, max_retries=1)


def ways_run_out(world: World) -> tuple[list[str], Result]:
    return world.path_of("Zanzibar?", max_retries=5)


def outside(world: World) -> tuple[list[str], Result]:
    world.sources = {"wikipedia": FakeSource("wikipedia", [SISTINE])}
    return world.path_of(UNKNOWN)


def validated_when_always(world: World) -> tuple[list[str], Result]:
    world.chat = ScriptedChat([TRUE])
    return world.path_of(QUESTION, validate_claims="always")


def validated_when_unsettled(world: World) -> tuple[list[str], Result]:
    near_miss(world)
    return world.path_of("How was the Alder Bridge opened to ships and trams?", max_retries=2)


def written_again_without_validation(world: World) -> tuple[list[str], Result]:
    near_miss(world)
    return world.path_of("How was the Alder Bridge opened to ships and trams?", max_retries=2, validate_claims="off")


def contradicted_outside(world: World) -> tuple[list[str], Result]:
    world.chat = ScriptedChat([TRUE])
    world.sources = {"wikipedia": FakeSource("wikipedia", [DENIAL])}
    return world.path_of(QUESTION, validate_claims="always")


def described(world: World) -> tuple[list[str], Result]:
    world.reader = OverlapReader(needed=0.9)
    world.texts = {"Alder Bridge": "The Alder Bridge was designed by Voss.", "Voss": "Voss was born in Oslo."}
    return world.path_of("Where was the designer of the Alder Bridge born?")


HOW = "How was the Alder Bridge opened?"


def told_again(world: World) -> tuple[list[str], Result]:
    world.ask(QUESTION)
    return world.path_of(QUESTION)


def graded_otherwise(world: World) -> tuple[list[str], Result]:
    world.ask(QUESTION)
    world.evaluator = OverlapEvaluator(lower=1.1, upper=1.1)
    return world.path_of(QUESTION, max_retries=0)


def sifted_otherwise(world: World) -> tuple[list[str], Result]:
    world.ask(QUESTION)
    world.sifter = OverlapEvaluator(strip=1.1)
    return world.path_of(QUESTION, max_retries=0)


def read_otherwise(world: World) -> tuple[list[str], Result]:
    world.ask(QUESTION)
    world.reader = OverlapReader(beyond=5.0)
    return world.path_of(QUESTION, max_retries=0)


def criticised_otherwise(world: World) -> tuple[list[str], Result]:
    world.reader = OverlapReader(quotes=0.9)
    world.ask(HOW)
    world.reader = OverlapReader(quotes=0.0)
    return world.path_of(HOW, max_retries=0)


def waits_for_review(world: World) -> tuple[list[str], Result]:
    world.settings = {**world.settings, "write_back": "review"}
    return world.path_of(QUESTION)


SCENARIOS = [
    waits_for_review,
    told_again,
    graded_otherwise,
    sifted_otherwise,
    read_otherwise,
    criticised_otherwise,
    straight,
    small_talk,
    without_retrieval,
    summarised,
    nothing_to_summarise,
    nothing_found,
    ways_run_out,
    outside,
    validated_when_always,
    validated_when_unsettled,
    contradicted_outside,
    written_again_without_validation,
    described,
]


def test_every_edge_is_walked(tmp_path: Path) -> None:
    walked = set()
    for place, scenario in enumerate(SCENARIOS):
        steps, _ = scenario(World(tmp_path / f"{place}.sqlite", settings=ROOM))
        side_by_side = [step for step, _ in groupby(steps)]
        walked |= set(pairwise(["__start__", *side_by_side, "__end__"]))
    drawn = World(tmp_path / "drawn.sqlite").graph().get_graph()
    edges = {(edge.source, edge.target) for edge in drawn.edges}
    assert walked == edges


def test_the_straight_path_accepts(world: World) -> None:
    steps, result = straight(world)
    assert steps == [*FIRST, "refine", "read", "generate", "critique", *TAIL]
    assert (result["outcome"], result["answer"], result["retries"]) == ("accepted", f"1932\n\n{TRUE}", 0)
    assert (result["short_answer"], [one["kind"] for one in result["readings"]]) == ("1932", ["when"])
    stored = world.knowledge().corpus.text_of(result["sentences"][0]["citations"][0]["document_id"])
    for sentence in result["sentences"]:
        [citation] = sentence["citations"]
        assert stored[citation["start"] : citation["end"]] == citation["quote"] == sentence["text"]
        assert result["answer"][sentence["start"] : sentence["end"]] == sentence["text"]


def test_what_is_written_without_retrieval_is_unverified(world: World) -> None:
    steps, result = without_retrieval(world)
    assert steps == ["analyze", "generate", *TAIL]
    assert (result["outcome"], result["answer"]) == ("unverified", "Michelangelo did.")
    assert result["reason"] == "No evidence was used."


def test_a_question_the_corpus_cannot_answer_is_abstained(world: World) -> None:
    _, result = nothing_found(world)
    assert (result["outcome"], result["stopped_by"], result["action"]) == ("abstained", "retries", "incorrect")
    assert len(result["queries"]) == len(set(result["queries"]))


def test_an_empty_knowledge_base_without_sources_says_what_to_do(world: World) -> None:
    world.texts = {}
    result = world.ask(QUESTION)
    assert result["outcome"] == "abstained"
    assert "veridic ingest" in result["answer"]


def test_an_empty_knowledge_base_with_a_source_goes_outside(world: World) -> None:
    world.texts = {}
    steps, result = outside(world)
    assert steps[:5] == [*FIRST, "rewrite", "search"]
    assert result["outcome"] == "corrected"
    assert result["sources"]["used"] == ["wikipedia"]
    assert [sent["source"] for sent in result["sources"]["sent"]] == ["wikipedia"]
    assert result["sentences"][0]["citations"][0]["kind"] == "outside"


def test_one_failing_source_is_named_and_the_others_count(world: World) -> None:
    broken = FakeSource("arxiv", error=SourceUnavailable("arXiv does not answer.", "Try again later."))
    world.sources = {"arxiv": broken, "wikipedia": FakeSource("wikipedia", [SISTINE])}
    result = world.ask(UNKNOWN, sources=("arxiv", "wikipedia"))
    assert result["outcome"] == "corrected"
    assert result["sources"]["unavailable"] == [{"source": "arxiv", "reason": "arXiv does not answer."}]
    assert {sent["source"] for sent in result["sources"]["sent"]} == {"arxiv", "wikipedia"}


def test_a_run_may_use_fewer_sources_than_the_settings_allow(world: World) -> None:
    source = FakeSource("wikipedia", [SISTINE])
    world.sources = {"wikipedia": source}
    assert world.ask(UNKNOWN, sources=())["outcome"] == "abstained"
    assert source.queries == []


def test_a_time_sensitive_question_goes_outside_though_the_corpus_is_correct(world: World) -> None:
    source = FakeSource("wikipedia", [SISTINE])
    world.sources = {"wikipedia": source}
    steps, result = world.path_of("Is the Alder Bridge currently opened?")
    assert result["action"] == "correct"
    assert "search" in steps


def test_claims_are_checked_when_asked_for(world: World) -> None:
    steps, result = validated_when_always(world)
    assert steps == [*FIRST, "refine", "read", "generate", "critique", "extract_claims", "look_up", "validate", *TAIL]
    report = result["fact_report"]
    assert report is not None
    assert [claim["text"] for claim in report["claims"]] == [TRUE]
    assert report["fact_score"] is None
    assert report["corpus_score"] > 0.5
    assert result["outcome"] == "accepted"


def test_an_unsupported_sentence_is_dropped_and_the_rest_is_partial(world: World) -> None:
    books = "The Marsh Library holds 90,000 books."
    world.evaluator = OverlapEvaluator(abstention=0.9)
    world.chat = ScriptedChat([f"{TRUE} It was painted green by Emil Stark. {books}"])
    result = world.ask("How was the Alder Bridge opened, and Marsh Library holds which books?")
    assert (result["outcome"], result["answer"]) == ("partial", f"{TRUE} {books}")
    assert [sentence["verdict"] for sentence in result["sentences"]] == ["supported", "supported"]
    places = [(sentence["start"], sentence["end"]) for sentence in result["sentences"]]
    assert [result["answer"][start:end] for start, end in places] == [TRUE, books]


def test_a_passage_without_use_is_not_pasted(world: World) -> None:
    near_miss(world)
    world.chat = None
    result = world.ask("How was the Alder Bridge opened to ships and trams?")
    assert result["outcome"] == "abstained"
    assert result["reason"] == "What the evidence says does not answer this question."


@pytest.mark.parametrize(
    ("question", "reply", "given"),
    [
        ("Was the Alder Bridge opened in 1932?", "Yes.", True),
        ("Was the Alder Bridge opened in 1955?", "Yes.", False),
        ("Was the Alder Bridge opened in 1955 by mayor Clara Voss?", "No.", False),
        ("Was the Alder Bridge opened in 1932?", "No.", False),
        (QUESTION, "Yes.", False),
    ],
)
def test_a_bare_yes_or_no_is_held_to_what_was_asked(world: World, question: str, reply: str, given: bool) -> None:
    world.chat = ScriptedChat(always=reply, follows_instructions=True)
    result = world.ask(question)
    assert (result["answer"] == reply) == given
    if given:
        assert result["sentences"][0]["citations"][0]["quote"] in BRIDGE
