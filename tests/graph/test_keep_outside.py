"""What an accepted answer cites from outside is there when the next one is checked."""

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.source import FakeSource
from tests.graph.test_paths import QUESTION, SISTINE, TRUE, UNKNOWN
from tests.graph.world import World
from veridic.errors import StoreUnavailable
from veridic.knowledge.corpus import Corpus


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", sources={"wikipedia": FakeSource("wikipedia", [SISTINE])})


def kept(world: World) -> list[str]:
    return [one.title for one in world.knowledge().corpus.documents(kind="outside")]


def places(world: World, **context: Any) -> set[str]:
    """The places whose evidence a claim of the next answer was compared with."""
    world.chat = ScriptedChat([TRUE])
    report = world.ask(QUESTION, validate_claims="always", sources=(), **context)["fact_report"]
    assert report is not None
    return set(report["by_source"])


def test_it_is_kept_and_asked_about_claims_without_going_out(world: World) -> None:
    assert places(world) == {"corpus"}
    assert world.ask(UNKNOWN)["outcome"] == "corrected"
    assert kept(world) == ["Sistine Chapel"]
    assert places(world) == {"corpus", "outside"}


def test_ordinary_retrieval_does_not_see_it(world: World) -> None:
    world.ask(UNKNOWN)
    result = world.ask(UNKNOWN, sources=())
    assert result["outcome"] == "abstained"
    assert {document["kind"] for document in result["documents"]} <= {"human"}


@pytest.mark.parametrize(
    ("settings", "context"),
    [({"outside_days": 0}, {}), ({"write_back": "off"}, {}), ({}, {"write_back": False})],
)
def test_nothing_is_kept_when_nothing_may_be(world: World, settings: dict[str, object], context: Any) -> None:
    world.settings = settings
    assert world.ask(UNKNOWN, **context)["outcome"] == "corrected"
    assert kept(world) == []


def test_an_answer_from_the_documents_keeps_nothing(world: World) -> None:
    assert world.ask(QUESTION)["outcome"] == "accepted"
    assert kept(world) == []


def test_what_is_too_old_is_neither_asked_nor_kept(world: World) -> None:
    world.ask(UNKNOWN)
    world.clock.moved = 31 * 86_400.0
    assert places(world, time_budget=3600) == {"corpus"}


def test_a_store_that_cannot_keep_it_costs_no_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreUnavailable("The disk is full.", "Free some room.")

    monkeypatch.setattr(Corpus, "keep_outside", full)
    result = world.ask(UNKNOWN)
    assert result["outcome"] == "corrected"
    assert result["write_back"] is None
    assert [failure["node"] for failure in result["failures"]] == ["write_back"]
