"""A run as spans: one tree, with counts, scores, costs and outcome, and no text unless it is asked for."""

import asyncio
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from opentelemetry import trace
from opentelemetry.trace import StatusCode

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import BrokenCritic
from tests.fakes.source import FakeSource
from tests.graph.world import BRIDGE, World
from tests.tracing.conftest import Told
from veridic.context import Context
from veridic.errors import InvalidQuestion
from veridic.graph.checking import check_graph
from veridic.sources.passages import Page

QUESTION = "When was the Alder Bridge opened?"
UNKNOWN = "Who painted the Sistine Chapel?"
SISTINE = Page(
    "web:Sistine", "Sistine Chapel", "https://example.org/s", "The Sistine Chapel was painted by Michelangelo."
)
RUN = "invoke_agent veridic"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def writer() -> ScriptedChat:
    """Writes what the documents say in other words, so that the critic is asked."""
    return ScriptedChat(always="In 1932 the Alder Bridge was opened by mayor Clara Voss.", follows_instructions=True)


@pytest.mark.parametrize("how", ["invoke", "ainvoke", "stream"])
def test_all_spans_of_a_run_stand_in_one_tree(world: World, told: Told, how: str) -> None:
    world.chat = writer()
    world.settings = {"max_generated": 1.0}
    graph = world.graph()
    if how == "invoke":
        graph.invoke({"question": QUESTION})
    elif how == "ainvoke":
        asyncio.run(graph.ainvoke({"question": QUESTION}))
    else:
        list(graph.stream({"question": QUESTION}, stream_mode="custom"))
    lines = told.lines()
    assert {
        (RUN, "step retrieve", "retrieval documents"),
        (RUN, "step retrieve", "retrieval documents", "judge detector"),
        (RUN, "step evaluate", "judge evaluator"),
        (RUN, "step refine", "judge sifter"),
        (RUN, "step read", "judge reader"),
        (RUN, "step critique", "judge critic"),
        (RUN, "step write_back"),
        (RUN, "step log"),
    } <= lines
    assert {line[0] for line in lines} == {RUN}
    assert len({one.context.trace_id for one in told.all() if one.context}) == 1


def test_sources_asked_side_by_side_stand_in_their_own_steps(world: World, told: Told) -> None:
    world.sources = {name: FakeSource(name, [SISTINE]) for name in ("wikipedia", "web")}
    world.settings = {"sources": "wikipedia,web"}
    world.ask(UNKNOWN)
    assert {(RUN, "step search", f"retrieval {name}") for name in world.sources} <= told.lines()
    [found, _] = [one for name in world.sources for one in told.named(f"retrieval {name}")]
    assert (found["veridic.retrieval.passages"], found["veridic.retrieval.cached"]) == (1, False)


def test_spans_say_how_much_how_good_and_what_it_cost(world: World, told: Told) -> None:
    world.chat = writer()
    result = world.ask(QUESTION)
    [run] = told.named(RUN)
    assert (run["gen_ai.operation.name"], run["gen_ai.agent.name"]) == ("invoke_agent", "veridic")
    assert (run["veridic.outcome"], run["veridic.run_id"]) == (result["outcome"], result["run_id"])
    assert run["veridic.confidence"] == result["confidence"]
    chats = told.named("chat scripted")
    assert len(chats) == run["veridic.usage.calls"] == result["usage"]["calls"]
    for kind, used in (("input", "prompt_tokens"), ("output", "completion_tokens")):
        each = [one[f"gen_ai.usage.{kind}_tokens"] for one in chats]
        assert sum(each) == run[f"gen_ai.usage.{kind}_tokens"] == result["usage"][used]  # type: ignore[literal-required]
    graded = told.named("judge evaluator")[0]
    assert (graded["veridic.judge.pairs"], graded["veridic.judge.best"]) == (2, result["documents"][0]["score"])
    [found] = told.named("retrieval documents")
    assert (found["gen_ai.data_source.id"], found["veridic.retrieval.passages"]) == ("documents", 2)


def everything(told: Told) -> str:
    """All that leaves: names, attributes, events and status of every span."""
    return " ".join(one.to_json() for one in told.all())


WORDS = ("Alder", "opened", "mayor", "Clara")
"""Of question, document and answer."""


def test_no_text_leaves(world: World, told: Told) -> None:
    world.chat = ScriptedChat(always="The Alder Bridge was opened in 1932 by mayor Clara Voss.")
    world.ask("Why was the Alder Bridge opened by Clara Voss?")
    check_graph(world.resources()).invoke({"text": BRIDGE}, context=Context())
    with pytest.raises(InvalidQuestion):
        world.ask("")
    left = everything(told)
    assert not any(word in left for word in WORDS)


def test_what_fails_is_told_by_its_class(world: World, told: Told) -> None:
    world.chat, world.critic = writer(), BrokenCritic()
    world.ask(QUESTION)
    failed = [one for one in told.all() if one.status.status_code is StatusCode.ERROR]
    assert {one.name for one in failed} == {"judge critic", "step critique"}
    assert {(one.attributes or {})["error.type"] for one in failed} == {"JudgeFailed"}
    assert {(one.status.description, one.events) for one in failed} == {(None, ())}
    assert told.named(RUN)[0]["veridic.outcome"] == "unverified"


def test_a_run_that_fails_says_so(world: World, told: Told) -> None:
    with pytest.raises(InvalidQuestion):
        world.ask(" ")
    [run] = told.named(RUN)
    assert run["error.type"] == "InvalidQuestion"


def test_a_step_that_waits_for_a_person_has_not_failed(tmp_path: Path, told: Told) -> None:
    world = World(tmp_path / "kb", settings={"write_back": "review", "review": "interrupt", "max_generated": 1.0})
    graph = world.graph(checkpointer=InMemorySaver())
    state = graph.invoke({"question": QUESTION}, {"configurable": {"thread_id": "t"}})
    assert "__interrupt__" in state
    assert told.named("step review")
    assert not [one.name for one in told.all() if one.status.status_code is StatusCode.ERROR]


def test_a_run_stands_in_what_its_caller_does_and_leaves_the_caller_alone(world: World, told: Told) -> None:
    with told.tracer.start_as_current_span("caller") as caller:
        for _ in world.graph().stream({"question": QUESTION}):
            assert trace.get_current_span() is caller
    assert ("caller", RUN, "step evaluate", "judge evaluator") in told.lines()


def test_a_run_that_its_caller_leaves_ends(world: World, told: Told) -> None:
    parts = world.graph().stream({"question": QUESTION})
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    [run] = told.named(RUN)
    assert run["veridic.left"] is True
    assert not trace.get_current_span().get_span_context().is_valid


def test_a_text_that_is_checked_is_a_run_too(world: World, told: Told) -> None:
    check_graph(world.resources()).invoke({"text": BRIDGE}, context=Context())
    [run] = told.named("invoke_agent check")
    assert (run["veridic.outcome"], run["veridic.count.supported"]) == ("supported", 3)
    assert ("invoke_agent check", "step judge_claims", "judge critic") in told.lines()
