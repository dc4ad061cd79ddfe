"""Models that keep to no bounds: a run ends in its time, and says what was wrong."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tests.fakes.chat import ScriptedChat
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.endpoint import Endpoint
from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader
from tests.fakes.openai import openai_server
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import EmbedderFailed
from veridic.graph.builder import build_graph
from veridic.models.chat.by_name import open_chat
from veridic.ports.chat import Reply
from veridic.ports.file_limits import room
from veridic.ports.shapes import Result
from veridic.settings import Settings

QUESTION = "When was the Alder Bridge opened?"
WHY = "Why was the toll of the Alder Bridge abolished?"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with openai_server() as endpoint:
        yield endpoint


def written_by(server: Endpoint, world: World, question: str, **context: Any) -> Result:
    world.chat = open_chat(Settings.load(model="openai:tiny", base_url=server.url, follows_instructions="yes"))
    return world.ask(question, **context)


def told(result: Result) -> list[tuple[str, str]]:
    return [(failure["node"], failure["problem"]) for failure in result["failures"]]


def test_a_server_that_sends_megabytes_is_cut_and_the_result_says_so(world: World, server: Endpoint) -> None:
    server.pieces, server.keeps_to_limit = ["The toll was abolished after a strike. " * 300] * 1_000, False
    result = written_by(server, world, WHY, max_retries=0, answer_tokens=96)
    assert ("chat", "openai:tiny sent far more than the 96 tokens it was asked for.") in told(result)
    assert all(len(candidate["text"]) <= room(96) for candidate in result["candidates"])
    assert result["stopped_by"] != "time"


class Endless(ScriptedChat):
    """A model of one's own that takes no notice of how long its reply may be."""

    def write(self, *args: Any, **kwargs: Any) -> Reply:
        return Reply("The toll was abolished after a strike. " * 100_000, 1, 1, finished=True)


def test_a_model_of_ones_own_is_cut_too(world: World) -> None:
    world.chat = Endless(follows_instructions=True)
    result = world.ask(WHY, max_retries=0)
    assert ("chat", "scripted sent far more than the 96 tokens it was asked for.") in told(result)
    assert all(len(candidate["text"]) <= room(96) for candidate in result["candidates"])


class Stuck:
    """A judge that answers when it is let go, whatever its deadline."""

    released: threading.Event
    done: bool = False

    def _wait(self) -> None:
        assert self.released.wait(120)
        self.done = True


class StuckEvaluator(Stuck, OverlapEvaluator):
    def score(self, *args: Any, **kwargs: Any) -> Any:
        self._wait()


class StuckCritic(Stuck, OverlapCritic):
    def judge(self, *args: Any, **kwargs: Any) -> Any:
        self._wait()


class StuckReader(Stuck, OverlapReader):
    def read(self, *args: Any, **kwargs: Any) -> Any:
        self._wait()


@pytest.mark.parametrize(
    ("part", "kind", "node"),
    [
        ("evaluator", StuckEvaluator, "evaluate"),
        ("reader", StuckReader, "read"),
        ("critic", StuckCritic, "critique"),
    ],
)
def test_a_judge_that_takes_no_notice_of_its_deadline_is_not_waited_for(
    world: World, part: str, kind: Callable[[], Stuck], node: str
) -> None:
    judge = kind()
    judge.released = threading.Event()
    world.chat = ScriptedChat(always="The toll was abolished after a strike.", follows_instructions=True)
    graph = build_graph(world.resources(), judges={part: judge})
    result = graph.invoke({"question": QUESTION}, context=Context(time_budget=2.0))["result"]
    assert not judge.done
    judge.released.set()
    assert result["outcome"] in ("unverified", "abstained")
    assert result["stopped_by"] == "time"
    assert f"A judge failed in {node}: No answer from a judge in the time given." in result["reason"]


class StuckUsefulness(Stuck, OverlapEvaluator):
    def usefulness(self, *args: Any, **kwargs: Any) -> Any:
        self._wait()


def test_writing_that_waits_for_a_judge_ends_with_the_time(world: World) -> None:
    judge = StuckUsefulness()
    judge.released = threading.Event()
    world.sifter = judge
    result = world.graph(system="self_rag").invoke({"question": QUESTION}, context=Context(time_budget=1.0))["result"]
    judge.released.set()
    assert (result["outcome"], result["stopped_by"]) == ("abstained", "time")
    assert {node for node, _ in told(result)} == {"write_segments"}


def says(*events: object) -> list[str]:
    """The lines of a stream of OpenAI's protocol whose chunks have these choices."""
    frame = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "tiny"}
    return [f"data: {json.dumps({**frame, 'choices': choices})}\n\n" for choices in events]


HALF = [{"index": 0, "delta": {"content": "The toll was"}, "finish_reason": None}]


@pytest.mark.parametrize(
    ("stream", "problem"),
    [
        ([*says(None), "data: [DONE]\n\n"], "openai:tiny ended its reply before the first word."),
        ([*says([]), "data: [DONE]\n\n"], "openai:tiny ended its reply before the first word."),
        (says(HALF), "openai:tiny broke off its reply."),
        (["data: {not json\n\n"], "did not take the request"),
        ([], "sent no stream for openai:tiny."),
    ],
    ids=["null choices", "no choices", "cut", "garbled", "nothing"],
)
def test_a_reply_that_is_none_is_named_in_the_result(
    world: World, server: Endpoint, stream: list[str], problem: str
) -> None:
    server.raw = stream
    result = written_by(server, world, QUESTION, max_retries=0)
    assert result["outcome"] == "accepted"
    assert problem in " ".join(one for _, one in told(result))


@pytest.mark.parametrize("when", ["at once", "in mid-stream"])
def test_a_connection_that_is_reset_is_named_and_the_answer_is_what_was_read(
    world: World, server: Endpoint, when: Literal["at once", "in mid-stream"]
) -> None:
    server.resets = when
    result = written_by(server, world, QUESTION, max_retries=0)
    assert (result["outcome"], "1932" in result["answer"]) == ("accepted", True)
    assert ("generate", f"{server.url} broke off its reply for openai:tiny.") in told(result)
    assert len(server.requests) == 2, "it was asked once more"


@pytest.mark.parametrize("how", ["reset", "cut", "null choices"])
def test_a_follow_up_is_made_whole_by_rule_where_the_model_breaks_off(world: World, server: Endpoint, how: str) -> None:
    server.resets, server.raw = ("at once", None) if how == "reset" else ("", says(HALF if how == "cut" else None))
    world.chat = open_chat(Settings.load(model="openai:tiny", base_url=server.url, follows_instructions="yes"))
    said = [HumanMessage(QUESTION), AIMessage("In 1932."), HumanMessage("And how long is it?")]
    result = world.graph().invoke({"messages": said}, context=Context(max_retries=0))["result"]
    assert "Alder Bridge" in result["standalone"]
    assert "chat" in [node for node, _ in told(result)]


def test_so_are_the_queries_of_another_attempt(world: World, server: Endpoint) -> None:
    server.resets = "at once"
    result = written_by(server, world, "Why did the Alder Bridge receive a medal?", max_retries=1)
    assert ("chat", f"{server.url} broke off its reply for openai:tiny.") in told(result)


class BrokenEmbedder(HashingEmbedder):
    """An embedder that raises what it likes once the documents are in."""

    broken = False

    def embed(self, texts: Sequence[str]) -> Any:
        if self.broken:
            raise RuntimeError("CUDA error: out of memory")
        return super().embed(texts)


def test_an_embedder_that_raises_is_named_as_one_of_our_errors(world: World) -> None:
    resources = world.resources()
    embedder = BrokenEmbedder()
    resources.knowledge.embedder = embedder  # type: ignore[attr-defined]
    graph = build_graph(replace(resources, embedder=embedder))
    embedder.broken = True
    with pytest.raises(EmbedderFailed, match=r"RuntimeError.*Try it alone"):
        graph.invoke({"question": QUESTION}, context=Context())


@pytest.mark.parametrize("most", [0, 1, 2])
def test_an_answer_that_never_holds_is_tried_again_as_often_as_the_run_allows(tmp_path: Path, most: int) -> None:
    wrong = ScriptedChat(always="The Alder Bridge was painted by Emil Stark in 1955.")
    world = World(tmp_path / "kb.sqlite", texts={"Bridge": "The Alder Bridge was opened in 1932."}, chat=wrong)
    steps, result = world.path_of("Why was the Alder Bridge painted?", max_retries=most, sources=())
    assert steps.count("critique") == most + 1
    assert (result["retries"], result["stopped_by"], result["outcome"]) == (most, "retries", "abstained")
