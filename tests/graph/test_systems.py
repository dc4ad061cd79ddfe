"""Every system of the papers, by name: its path, its outcome, and what it learns where."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.grader import GradingChat, by_overlap
from tests.fakes.judges import OverlapEvaluator, OverlapReader
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import InvalidSetting, UnknownSystem
from veridic.graph.builder import build_graph
from veridic.graph.opening import settings_for
from veridic.graph.systems import SYSTEMS, system_named
from veridic.knowledge.base import open_knowledge
from veridic.ports.judgements import Strictness
from veridic.ports.shapes import Result
from veridic.settings import Settings
from veridic.sources.passages import Page

QUESTION = "When was the Alder Bridge opened?"
UNKNOWN = "Who painted the Sistine Chapel?"
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
INVENTED = "The Alder Bridge was opened in 1955 by Emil Stark."
PAINTED = "Michelangelo painted the Sistine Chapel in four years."
CHAPEL = Page("p1", "Sistine Chapel", "https://example.org/chapel", PAINTED)
ANSWERED = {
    "standard_rag": "unverified",
    "naive_write_back": "unverified",
    "crag": "unverified",
    "llm_judge_crag": "unverified",
    "bidirectional_rag": "accepted",
    "self_rag": "accepted",
    "hybrid_self_rag": "accepted",
    "adaptive": "accepted",
    "veridic": "accepted",
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", chat=ScriptedChat(always=TRUE, follows_instructions=True))


def asked(world: World, system: str, question: str = QUESTION, **choices: Any) -> tuple[list[str], Result]:
    """The nodes that ran and the result."""
    return world.path_of(question, system, **choices)


def test_every_system_is_tried_here() -> None:
    assert ANSWERED.keys() == SYSTEMS.keys()


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_answers_from_the_documents_under_its_own_name(world: World, name: str) -> None:
    steps, result = asked(world, name)
    assert (result["system"], result["outcome"]) == (name, ANSWERED[name])
    assert "1932" in result["answer"]
    assert {citation["url"] for one in result["sentences"] for citation in one["citations"]} >= {"Alder Bridge"}
    assert steps[0] == "analyze"
    assert steps[-1] == "log"


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_says_that_it_does_not_know_where_its_model_does(world: World, name: str) -> None:
    world.chat = ScriptedChat(always="I don't know.", follows_instructions=True)
    assert asked(world, name, UNKNOWN)[1]["outcome"] == "abstained"


@pytest.mark.parametrize("name", ["bidirectional_rag", "self_rag", "hybrid_self_rag", "adaptive", "veridic"])
def test_what_checks_sentences_accepts_no_invention(world: World, name: str) -> None:
    world.chat = ScriptedChat(always=INVENTED, follows_instructions=True)
    _, result = asked(world, name)
    assert not (result["outcome"] in ("accepted", "corrected") and "1955" in result["answer"])


@pytest.mark.parametrize("name", ["standard_rag", "crag"])
def test_what_checks_nothing_says_so(world: World, name: str) -> None:
    world.chat = ScriptedChat(always=INVENTED, follows_instructions=True)
    _, result = asked(world, name)
    assert (result["outcome"], result["answer"], result["reason"]) == (
        "unverified", INVENTED, "Nothing is checked here.",
    )  # fmt: skip


class QuotesFrom(OverlapReader):
    """Verifies a sentence without a short answer from another probability."""

    def __init__(self, least: float) -> None:
        super().__init__()
        self._least = least

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        return self._least


@pytest.mark.parametrize(("least", "verified"), [(0.0, True), (2.0, False)])
@pytest.mark.parametrize("name", ["hybrid_self_rag", "adaptive", "self_rag"])
def test_a_quotation_is_verified_where_a_sentence_may_be(world: World, name: str, least: float, verified: bool) -> None:
    world.chat, world.reader = None, QuotesFrom(least)
    assert (asked(world, name)[1]["outcome"] == "accepted") == verified


@pytest.mark.parametrize("name", ["crag", "adaptive"])
def test_what_corrects_goes_outside_when_the_documents_do_not_help(world: World, name: str) -> None:
    world.chat = ScriptedChat(always=PAINTED)
    world.sources = {"web": FakeSource("web", [CHAPEL])}
    steps, result = asked(world, name, UNKNOWN)
    assert "search" in steps
    assert result["answer"] == PAINTED
    assert [one["source"] for one in result["sources"]["sent"]] == ["web"]


def test_crag_asks_sources_beside_the_documents_where_the_method_says_so(world: World) -> None:
    world.sources = {"web": FakeSource("web", [CHAPEL])}
    crag = system_named("crag")
    beside = replace(crag, method=replace(crag.method, search="beside"))
    for system, path in ((crag, ["retrieve", "evaluate"]), (beside, ["retrieve", "rewrite", "search", "evaluate"])):
        graph = build_graph(world.resources(), system=system)
        result = graph.invoke({"question": QUESTION}, context=Context())["result"]
        assert result["path"][1:] == [*path, "refine", "generate", "finish"]
        assert (result["action"], "1932" in result["answer"]) == ("correct", True)


@pytest.mark.parametrize("name", ["crag", "self_rag", "adaptive"])
def test_a_passage_that_may_be_read_is_kept_for_a_reader_alone(world: World, name: str) -> None:
    world.evaluator = OverlapEvaluator(upper=1.1, lower=0.99, passage=0.4)
    half = "When was the Alder Bridge painted with tar?"
    assert asked(world, "veridic", half, max_retries=0)[1]["documents"] != []
    assert asked(world, name, half, max_retries=0)[1]["documents"] == []


class TestLlmJudgeCrag:
    """The chat model grades each passage; one yes is enough, and what cannot be read passes nothing."""

    def test_its_own_chat_model_grades_and_writes(self, world: World) -> None:
        chat = GradingChat(lambda prompt: by_overlap(prompt) if "grade" in prompt.system else TRUE)
        world.chat = chat
        steps, result = asked(world, "llm_judge_crag")
        assert "rewrite" not in steps
        assert (result["outcome"], result["answer"]) == ("unverified", TRUE)
        assert {grade["graded"] for grade in result["grades"]}
        assert result["judges"]["grader"] is not None
        assert result["judges"]["grader"]["calls"] == result["usage"]["calls"] - 1

    def test_no_is_searched_for_outside_and_graded_again(self, world: World) -> None:
        world.chat = GradingChat(lambda prompt: by_overlap(prompt) if "grade" in prompt.system else PAINTED)
        world.sources = {"web": FakeSource("web", [CHAPEL])}
        steps, result = asked(world, "llm_judge_crag", "Who painted the Sistine Chapel in four years?")
        assert steps.count("evaluate") == 2
        assert result["answer"] == PAINTED
        assert [one["url"] for one in result["documents"]] == [CHAPEL.url]

    def test_without_a_chat_model_it_is_refused(self, world: World) -> None:
        world.chat = None
        with pytest.raises(InvalidSetting, match="extractive is none"):
            asked(world, "llm_judge_crag")
        settings = Settings.load(kb=str(world.path), model="extractive")
        with pytest.raises(InvalidSetting, match="extractive is none"):
            settings_for(SYSTEMS["llm_judge_crag"], settings)


@pytest.mark.parametrize("name", SYSTEMS)
def test_its_paper_says_where_each_number_is_from(name: str) -> None:
    system = SYSTEMS[name]
    assert system.title
    assert system.source
    assert all(number.source and number.here for number in system.numbers)
    assert system.numbers or name == "veridic"


def test_a_systems_defaults_are_its_own_and_a_runs_choices_win() -> None:
    schema = SYSTEMS["hybrid_self_rag"].schema
    assert (schema().candidates, schema().fact_score, schema(candidates=2).candidates) == (3, 0.5, 2)
    assert Context().candidates == 1
    assert schema.model_json_schema()["properties"]["candidates"]["maximum"] == 4


def test_an_unknown_system_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownSystem, match="self_rag"):
        system_named("self_rg")


def test_naive_write_back_learns_whatever_was_said(world: World) -> None:
    world.chat = ScriptedChat(always=INVENTED, follows_instructions=True)
    _, result = asked(world, "naive_write_back")
    assert result["write_back"] is not None
    assert result["write_back"]["written"]
    held = world.resources().knowledge.text_of(result["write_back"]["record_id"])
    assert held == INVENTED
    assert asked(world, "naive_write_back", write_back=False)[1]["write_back"]["written"] is False  # type: ignore[index]


def test_bidirectional_rag_learns_only_what_is_grounded(world: World) -> None:
    world.settings = {"min_novelty": 0.0, "max_generated": 1.0}
    rephrased = "Mayor Clara Voss opened the Alder Bridge in 1932."
    world.chat = ScriptedChat([rephrased, INVENTED], follows_instructions=True)
    learned = asked(world, "bidirectional_rag")[1]["write_back"]
    refused = asked(world, "bidirectional_rag")[1]["write_back"]
    assert learned is not None
    assert refused is not None
    assert (learned["written"], refused["written"]) == (True, False)


def test_what_learns_unchecked_begins_with_a_copy_and_leaves_the_users_own_alone(world: World) -> None:
    world.knowledge().close()
    settings = Settings.load(kb=str(world.path), model="extractive")
    own = settings_for(SYSTEMS["naive_write_back"], settings)
    assert Path(own.kb) == world.path.with_name("kb.naive_write_back.sqlite")
    copied = open_knowledge(Path(own.kb), "default", HashingEmbedder())
    assert copied.corpus.status().documents == len(world.texts)
    graph = build_graph(replace(world.resources(), settings=own, knowledge=copied.corpus), system="naive_write_back")
    graph.invoke({"question": QUESTION})
    assert copied.corpus.status().documents == len(world.texts) + 1
    assert world.knowledge().corpus.status().documents == len(world.texts)
    assert settings_for(SYSTEMS["naive_write_back"], settings) == own
    assert copied.corpus.status().documents == len(world.texts) + 1


def test_what_learns_nothing_unchecked_or_is_told_to_stays_on_the_users_own(world: World) -> None:
    settings = Settings.load(kb=str(world.path), model="extractive")
    assert settings_for(SYSTEMS["veridic"], settings) is settings
    told = Settings.load(kb=str(world.path), model="extractive", own_kb=False)
    assert settings_for(SYSTEMS["naive_write_back"], told) is told
