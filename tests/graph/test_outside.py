"""Going outside: side by side, in a share of the time, with queries that differ and keep what the question names."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.context import OUTSIDE
from veridic.errors import SourceNotAsked, SourceUnavailable
from veridic.nodes.rewrite import TOO_LATE
from veridic.ports.sources import Found
from veridic.sources.passages import Page
from veridic.text.questions import keeps_entities

UNKNOWN = "Who painted the Sistine Chapel?"
SISTINE = Page(
    "web:Sistine", "Sistine Chapel", "https://example.org/s", "The Sistine Chapel was painted by Michelangelo."
)
ALL = ("web", "arxiv", "wikipedia")
NEVER = 30.0
"""Seconds after which a test that hangs gives up; none waits for them."""


class Meeting(FakeSource):
    """Answers when every source that shares its barrier is being asked."""

    def __init__(self, name: str, pages: Sequence[Page], barrier: threading.Barrier) -> None:
        super().__init__(name, pages)
        self._barrier = barrier

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        self._barrier.wait(NEVER)
        return super().search(query, limit=limit, deadline=deadline)


class Last(FakeSource):
    """Answers when the others have answered."""

    def __init__(self, name: str, others: Sequence["Announcing"]) -> None:
        super().__init__(name)
        self._others = others

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        if not all(other.answered.wait(NEVER) for other in self._others):
            raise SourceUnavailable("The others waited for this one.")
        return super().search(query, limit=limit, deadline=deadline)


class Announcing(FakeSource):
    """Says when it has answered."""

    def __init__(self, name: str, pages: Sequence[Page]) -> None:
        super().__init__(name, pages)
        self.answered = threading.Event()

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        found = super().search(query, limit=limit, deadline=deadline)
        self.answered.set()
        return found


class Timed(FakeSource):
    """Keeps the deadlines it was given."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.deadlines: list[float] = []

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        self.deadlines.append(deadline)
        return super().search(query, limit=limit, deadline=deadline)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def test_three_sources_are_asked_at_the_same_time(world: World) -> None:
    barrier = threading.Barrier(3)
    world.sources = {name: Meeting(name, [SISTINE], barrier) for name in ALL}
    result = world.ask(UNKNOWN, sources=ALL)
    assert result["sources"]["unavailable"] == []
    assert {sent["source"] for sent in result["sources"]["sent"]} == set(ALL)
    assert result["outcome"] == "corrected"


def test_a_slow_source_does_not_hold_the_others(world: World) -> None:
    others = [Announcing(name, [SISTINE]) for name in ("arxiv", "wikipedia")]
    world.sources = {"web": Last("web", others), **{other.name: other for other in others}}
    result = world.ask(UNKNOWN, sources=ALL)
    assert result["sources"]["unavailable"] == []
    assert result["outcome"] == "corrected"


def test_all_of_outside_ends_at_its_share_of_the_time(world: World) -> None:
    source = Timed("web")
    world.sources = {"web": source}
    before = time.time()
    world.ask(UNKNOWN, time_budget=100, max_retries=2)
    assert len(source.deadlines) > 1
    assert max(source.deadlines) <= time.time() + 100 * OUTSIDE
    assert min(source.deadlines) >= before + 100 * OUTSIDE
    assert len(set(source.deadlines)) == 1


def test_what_is_too_late_is_not_asked_and_said(world: World) -> None:
    source = FakeSource("web", [SISTINE])
    world.sources = {"web": source}
    world.clock.step = 65.0
    result = world.ask(UNKNOWN, time_budget=100)
    assert source.queries == []
    assert result["sources"]["unavailable"] == [{"source": "web", "reason": TOO_LATE}]
    assert result["sources"]["sent"] == []
    assert result["outcome"] == "abstained"


def test_each_correction_asks_otherwise_and_keeps_what_the_question_names(world: World) -> None:
    source = FakeSource("web")
    world.sources = {"web": source}
    question = "Who painted the Sistine Chapel in Rome before 1512?"
    result = world.ask(question, max_retries=3)
    assert len(source.queries) >= 3
    assert len(source.queries) == len(set(source.queries))
    assert all(keeps_entities(question, query) for query in source.queries)
    assert [sent["query"] for sent in result["sources"]["sent"]] == source.queries


def test_a_models_rewrite_that_loses_a_name_is_not_sent(world: World) -> None:
    source = FakeSource("web")
    world.sources = {"web": source}
    world.chat = ScriptedChat(always="who painted that ceiling in Italy", follows_instructions=True)
    world.ask(UNKNOWN, max_retries=1)
    assert source.queries
    assert all({"sistine", "chapel"} <= set(query.lower().rstrip("?").split()) for query in source.queries)


def test_a_run_cannot_use_more_than_the_settings_allow(world: World) -> None:
    source = FakeSource("wikipedia", [SISTINE])
    world.sources = {"wikipedia": source}
    result = world.ask(UNKNOWN, sources=("arxiv", "web"))
    assert source.queries == []
    assert result["sources"]["allowed"] == result["sources"]["sent"] == []


def test_a_query_that_may_have_left_is_listed_and_one_that_did_not_is_not(world: World) -> None:
    world.sources = {
        "web": FakeSource("web", error=SourceUnavailable("It broke off.")),
        "arxiv": FakeSource("arxiv", error=SourceNotAsked("Its turn comes too late.")),
    }
    result = world.ask(UNKNOWN, max_retries=0, sources=("web", "arxiv"))
    assert {gone["source"] for gone in result["sources"]["unavailable"]} == {"web", "arxiv"}
    assert {sent["source"] for sent in result["sources"]["sent"]} == {"web"}


def test_a_question_goes_to_every_allowed_source(world: World) -> None:
    world.sources = {name: FakeSource(name) for name in ALL}
    result = world.ask(UNKNOWN, max_retries=2)
    assert {sent["source"] for sent in result["sources"]["sent"]} == set(ALL)
    assert set(result["sources"]["allowed"]) == set(ALL)


def test_a_run_that_names_its_sources_asks_exactly_those(world: World) -> None:
    world.sources = {name: FakeSource(name) for name in ALL}
    result = world.ask(UNKNOWN, sources=("arxiv", "web"))
    assert {sent["source"] for sent in result["sources"]["sent"]} == {"arxiv", "web"}
