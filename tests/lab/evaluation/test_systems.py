"""Systems by name: presets, choices of one's own, and what each of them really does."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.fakes.chat import ScriptedChat
from tests.fakes.source import FakeSource
from tests.graph.world import BRIDGE, World
from veridic.context import Context
from veridic.errors import UsageError
from veridic.ports.shapes import Result
from veridic.sources.passages import Page
from veridic_lab.evaluation.baselines import beginning
from veridic_lab.evaluation.presets import PRESETS, names_in, preset_of
from veridic_lab.evaluation.systems import check_systems, context_of, open_systems

PAGE = Page("p1", "Chapel", "https://example.org/chapel", "Michelangelo painted the Sistine Chapel in four years.")


@pytest.fixture
def world(tmp_path: Path) -> World:
    named = {name: FakeSource(name, [PAGE]) for name in ("wikipedia", "arxiv", "web")}
    return World(tmp_path / "kb.sqlite", sources=named)


def answer(world: World, name: str, question: str = "Who painted the Sistine Chapel?") -> Result:
    [system] = open_systems([name], world.resources(), Context(), k=1)
    return system.graph.invoke({"question": question}, context=system.context)["result"]


def test_a_list_keeps_choices_with_their_system() -> None:
    text = "standard_rag, veridic:validate_claims=always,sources=wikipedia+arxiv ,crag"
    assert names_in(text) == ("standard_rag", "veridic:validate_claims=always,sources=wikipedia+arxiv", "crag")
    check_systems(names_in(text), Context())


def test_choices_are_read_as_context_reads_them() -> None:
    chosen = context_of("hybrid_self_rag:candidates=2,sources=web", Context(max_retries=3), k=1)
    assert (chosen.candidates, chosen.sources) == (2, ("web",))
    method = preset_of("hybrid_self_rag:upper=0.9").system.method
    assert (method.upper, method.dense) == (0.9, "fallback")
    assert (chosen.validate_claims, chosen.max_retries, chosen.write_back) == ("always", 1, False)
    assert context_of("veridic:sources=none", Context(), k=1).sources == ()
    assert context_of("veridic", Context(max_retries=3), k=1).max_retries == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cragg", "no system 'cragg'"),
        ("veridic:speed=high", "sets no choice"),
        ("veridic:candidates", "sets no choice"),
        ("veridic:candidates=9", "less than or equal to 4"),
        ("veridic:sources=library", "sources"),
        ("pastes_best:passages=5", "no choices of its own"),
    ],
)
def test_a_system_that_cannot_be_is_refused(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check_systems([name], Context())


def test_a_system_named_twice_or_none_is_refused() -> None:
    for names in ([], ["veridic", "veridic"]):
        with pytest.raises(UsageError, match="named twice"):
            check_systems(names, Context())


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("veridic", ["arxiv", "web", "wikipedia"]),
        ("veridic:sources=none", []),
        ("veridic:sources=wikipedia", ["wikipedia"]),
    ],
)
def test_a_preset_asks_the_sources_it_says(world: World, name: str, asked: list[str]) -> None:
    found = answer(world, name)
    assert sorted({one["source"] for one in found["sources"]["sent"]}) == asked
    assert (found["outcome"] == "abstained") is (asked == [])


def test_the_papers_system_asks_its_sources_about_the_claims(world: World) -> None:
    world.chat = ScriptedChat(
        always="Michelangelo painted the Sistine Chapel in four years.", follows_instructions=True
    )
    found = answer(world, "hybrid_self_rag")
    assert {one["source"] for one in found["sources"]["sent"]} <= {"arxiv", "wikipedia"}
    assert found["sources"]["sent"]
    assert (found["outcome"], found["fact_report"]["fact_score"] > 0.5) == ("corrected", True)


def test_every_preset_answers_from_the_corpus(world: World) -> None:
    world.chat = ScriptedChat(always="Clara Voss opened the Alder Bridge.", follows_instructions=True)
    for name in PRESETS:
        assert answer(world, name, "Who opened the Alder Bridge?")["answer"], name


def test_one_floor_is_silent_and_the_other_pastes_what_is_found_first(world: World) -> None:
    chat = ScriptedChat(always="Clara Voss.", follows_instructions=True)
    world.chat = chat
    silent, pasted = (
        answer(world, name, "Who opened the Alder Bridge?") for name in ("always_abstains", "pastes_best")
    )
    assert (silent["outcome"], silent["documents"], silent["sentences"][0]["citations"]) == ("abstained", [], [])
    assert (pasted["outcome"], pasted["answer"], pasted["candidates"][0]["origin"]) == (
        "unverified",
        BRIDGE,
        "extractive",
    )
    assert {c["url"] for s in pasted["sentences"] for c in s["citations"]} == {"Alder Bridge"}
    assert silent["short_answer"] == pasted["short_answer"] == ""
    assert chat.prompts == []


def test_what_is_pasted_is_no_longer_than_an_answer_may_be(world: World) -> None:
    [system] = open_systems(["pastes_best"], world.resources(), Context(answer_tokens=16), k=1)
    found = system.graph.invoke({"question": "Who opened the Alder Bridge?"}, context=system.context)["result"]
    assert found["answer"] == "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is"
    assert BRIDGE.startswith(found["sentences"][0]["citations"][0]["quote"])


@settings(deadline=None)
@given(st.text("ab \n", max_size=60), st.integers(1, 12))
@example(" aaaa", 1)
def test_a_beginning_fits_and_is_whole_words_where_there_are_any(text: str, room: int) -> None:
    found = beginning(text, room)
    assert text.startswith(found)
    assert len(found) <= 4 * room
    assert not text or found or text.startswith(" ")
    assert found == text or " " not in text[: 4 * room + 1].lstrip(" ") or text[len(found)] == " "


def test_nothing_found_is_nothing_pasted(world: World) -> None:
    world.texts = {}
    assert answer(world, "pastes_best")["outcome"] == "abstained"
