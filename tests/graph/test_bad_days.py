"""Bad days outside, met by the real clients on the whole graph: a run ends honestly and says which source was out."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.fakes.chat import ScriptedChat
from tests.graph import world as graph
from tests.sources.conftest import settings_for
from veridic.ports.shapes import Result
from veridic.settings import Settings
from veridic.sources.pace import PACE
from veridic.sources.registry import open_sources
from veridic_lab.evaluation.world import INJECTION, Behaviour, Served, World

QUESTION = "Who painted the Sistine Chapel?"
ROWS = [
    {
        "id": "1508.0001",
        "title": "Sistine Chapel",
        "text": "The Sistine Chapel in Rome was painted by Michelangelo. It took him four years of hard work.",
    },
    {"id": "1508.0002", "title": "Glacier", "text": "Glaciers are rivers of ice that move over rock."},
]
SOURCES = ("wikipedia", "arxiv", "web")
LASTING: tuple[Behaviour, ...] = ("drip", "drip_headers")
"""What only the deadline ends."""


@pytest.fixture
def served() -> Iterator[Served]:
    with World(ROWS).serve() as world:
        yield world


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PACE, "_wait", lambda seconds: None)


@pytest.fixture
def world(tmp_path: Path) -> graph.World:
    return graph.World(tmp_path / "kb.sqlite")


def ask(world: graph.World, settings: Settings, **context: Any) -> Result:
    world.sources, _ = open_sources(settings)
    return world.ask(QUESTION, **{"max_retries": 1, "sources": SOURCES, **context})


def out(result: Result) -> dict[str, str]:
    return {gone["source"]: gone["reason"] for gone in result["sources"]["unavailable"]}


def opened(served: Served, tmp_path: Path, **given: object) -> Settings:
    return settings_for(served, **{"sources": SOURCES, "cache": tmp_path, "cache_hours": 0, **given})


def test_on_a_good_day_the_answer_comes_from_outside(world: graph.World, served: Served, tmp_path: Path) -> None:
    result = ask(world, opened(served, tmp_path))
    assert result["outcome"] == "corrected"
    assert "Michelangelo" in result["answer"]
    assert out(result) == {}
    assert {sent["source"] for sent in result["sources"]["sent"]} == set(SOURCES)


@pytest.mark.parametrize("behaviour", sorted(set(get_args(Behaviour)) - {"injection"}))
def test_a_bad_day_ends_in_an_honest_outcome(
    world: graph.World, served: Served, tmp_path: Path, behaviour: Behaviour
) -> None:
    served.behaviour, served.redirect_to = behaviour, "http://127.0.0.1:9/"
    result = ask(world, opened(served, tmp_path), time_budget=4.0 if behaviour in LASTING else 120.0)
    assert result["outcome"] == "abstained"
    assert set(out(result)) == set(SOURCES)
    assert all(out(result).values())
    assert result["documents"] == []


@pytest.mark.parametrize("behaviour", ["bot_wall", "server_error", "truncated", "redirect"])
def test_a_bad_day_outside_costs_the_corpus_nothing(
    world: graph.World, served: Served, tmp_path: Path, behaviour: Behaviour
) -> None:
    world.evaluator = graph.OverlapEvaluator(upper=1.1)
    served.behaviour, served.redirect_to = behaviour, "http://127.0.0.1:9/"
    world.sources, _ = open_sources(opened(served, tmp_path))
    result = world.ask("When was the Alder Bridge opened?", max_retries=1, sources=SOURCES)
    assert "1932" in result["answer"]
    assert set(out(result)) == set(SOURCES)


def test_without_a_network(world: graph.World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> socket.socket:
        raise OSError(101, "Network is unreachable")

    def public(host: str, port: int, **_: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", port))]

    monkeypatch.setattr("urllib3.util.connection.create_connection", unreachable)
    monkeypatch.setattr(socket, "getaddrinfo", public)
    result = ask(world, Settings.load(sources=SOURCES, cache=tmp_path, tavily_api_key="key"))
    assert result["outcome"] == "abstained"
    assert set(out(result)) == set(SOURCES)
    assert "takes no connection" in out(result)["wikipedia"]


def test_without_names(world: graph.World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", nameless)
    result = ask(world, Settings.load(sources=SOURCES, cache=tmp_path, tavily_api_key="key"))
    assert result["outcome"] == "abstained"
    assert "cannot be resolved" in out(result)["arxiv"]
    assert set(out(result)) == set(SOURCES)


def test_a_key_that_is_revoked_in_the_middle_of_a_run(world: graph.World, tmp_path: Path) -> None:
    world.evaluator = graph.OverlapEvaluator(lower=0.5)
    off_topic = [{"id": "1", "title": "Chapel", "text": "A chapel is a small place of prayer, often within a church."}]
    with World(off_topic).serve() as served:
        served.behaviour, served.spared = "unauthorized", 1
        result = ask(world, opened(served, tmp_path, sources=("web",)))
        assert len(served.received) == 2
    assert result["outcome"] == "abstained"
    assert "401" in out(result)["web"]
    assert [sent["source"] for sent in result["sources"]["sent"]] == ["web", "web"]


def test_a_host_that_wants_to_be_left_alone_is_left_alone_by_the_next_run(
    world: graph.World, served: Served, tmp_path: Path
) -> None:
    served.behaviour, served.retry_after = "rate_limited", "600"
    settings = opened(served, tmp_path, sources=("wikipedia",))
    first = ask(world, settings)
    assert "429" in out(first)["wikipedia"]
    assert len(first["sources"]["sent"]) == len(served.received) == 1
    served.behaviour = None
    second = ask(world, settings)
    assert "left alone" in out(second)["wikipedia"]
    assert second["sources"]["sent"] == []
    assert len(served.received) == 1


def test_a_second_run_is_answered_from_the_cache_and_says_so(
    world: graph.World, served: Served, tmp_path: Path
) -> None:
    settings = opened(served, tmp_path, cache_hours=1)
    first = ask(world, settings)
    asked = len(served.received)
    second = ask(world, settings)
    assert len(served.received) == asked
    assert [sent["cached"] for sent in first["sources"]["sent"]] == [False] * 3
    assert [sent["cached"] for sent in second["sources"]["sent"]] == [True] * 3
    assert (second["answer"], second["outcome"]) == (first["answer"], first["outcome"])


@pytest.mark.parametrize("writer", [None, "Pwned.", INJECTION], ids=["extractive", "obedient", "echoing"])
def test_orders_in_a_page_change_nothing_and_go_nowhere(
    world: graph.World, served: Served, tmp_path: Path, writer: str | None
) -> None:
    world.chat = ScriptedChat(always=writer) if writer else None
    before = ask(world, opened(served, tmp_path))
    served.behaviour = "injection"
    after = ask(world, opened(served, tmp_path))
    assert (after["outcome"], after["answer"]) == (before["outcome"], before["answer"])
    assert after["sources"]["sent"] == before["sources"]["sent"]
    left = " ".join(f"{sent.path} {sent.params} {sent.body!r}" for sent in served.received)
    assert not [word for word in ("Pwned", "password", "collector") if word.lower() in left.lower()]
