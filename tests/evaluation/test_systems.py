"""Systems by name: presets, choices of one's own, and what each of them really does."""

from pathlib import Path

import pytest

from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import UsageError
from veridic.evaluation.presets import PRESETS, names_in
from veridic.evaluation.systems import check_systems, context_of, open_systems
from veridic.shapes import Result
from veridic.sources.passages import Page

PAGE = Page("p1", "Chapel", "https://example.org/chapel", "Michelangelo painted the Sistine Chapel in four years.")
CEILING = "Who painted the ceiling of the Sistine Chapel?"
OFF = Page("p2", "Chapel", "https://example.org/off", "The chapel choir sings on Sundays at nine in the morning.")


@pytest.fixture
def world(tmp_path: Path) -> World:
    named = {name: FakeSource(name, [PAGE]) for name in ("wikipedia", "arxiv", "web")}
    return World(tmp_path / "kb.sqlite", sources=named)


def answer(world: World, name: str, question: str = "Who painted the Sistine Chapel?") -> Result:
    [system] = open_systems([name], world.resources(), Context(), k=1)
    return system.graph.invoke({"question": question}, context=system.context)["result"]


def test_a_list_keeps_choices_with_their_system() -> None:
    text = "standard_rag, veridic:validate_claims=always,sources=wikipedia+arxiv ,ungated"
    assert names_in(text) == ("standard_rag", "veridic:validate_claims=always,sources=wikipedia+arxiv", "ungated")
    check_systems(names_in(text), Context())


def test_choices_are_read_as_context_reads_them() -> None:
    chosen = context_of("hybrid_self_rag:candidates=2,sources=web,upper=0.9", Context(max_retries=3), k=1)
    assert (chosen.candidates, chosen.sources, chosen.upper) == (2, ("web",), 0.9)
    assert (chosen.validate_claims, chosen.max_retries, chosen.write_back) == ("always", 1, False)
    assert context_of("veridic:sources=none", Context(), k=1).sources == ()
    assert context_of("veridic", Context(max_retries=3), k=1).max_retries == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("crag", "no system 'crag'"),
        ("veridic:speed=high", "sets no choice"),
        ("veridic:candidates", "sets no choice"),
        ("veridic:candidates=9", "less than or equal to 4"),
        ("veridic:sources=library", "sources"),
        ("standard_rag:passages=5", "--k"),
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
        ("veridic", ["web", "wikipedia"]),
        ("veridic_closed", []),
        ("veridic_wikipedia", ["wikipedia"]),
        ("hybrid_self_rag", ["arxiv", "wikipedia"]),
        ("veridic:sources=web", ["web"]),
    ],
)
def test_a_preset_asks_the_sources_it_says(world: World, name: str, asked: list[str]) -> None:
    found = answer(world, name)
    assert sorted({one["source"] for one in found["sources"]["sent"]}) == asked
    assert (found["outcome"] == "abstained") is (asked == [])


def test_the_gate_is_what_ungated_and_trusting_lack(world: World) -> None:
    world.sources = {"web": FakeSource("web", [OFF])}
    gated, ungated, trusting = (answer(world, name, CEILING) for name in ("veridic", "ungated", "trusting"))
    assert OFF.url not in {one["url"] for one in gated["documents"]}
    assert OFF.url in {one["url"] for one in ungated["documents"]}
    assert [one["outcome"] for one in (gated, ungated, trusting)] == ["abstained", "abstained", "corrected"]


def test_every_preset_answers_from_the_corpus(world: World) -> None:
    for name in PRESETS:
        assert answer(world, name, "Who opened the Alder Bridge?")["answer"], name
