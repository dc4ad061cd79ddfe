"""Whom `generate` asks for an answer, and when it asks nobody."""

from types import SimpleNamespace
from typing import Any, cast

from tests.fakes.chat import ScriptedChat
from tests.fakes.knowledge import passage
from veridic.context import Context
from veridic.evidence.evidence import decompose
from veridic.nodes.generate import generate
from veridic.ports.shapes import Failure, Strip
from veridic.runtime.run import Run
from veridic.state import StateUpdate

BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."


def update_of(chat: ScriptedChat, **changed: Any) -> StateUpdate:
    """What the node does with one kept strip, in a state that differs so."""
    state: dict[str, Any] = {
        "standalone": "How was the Alder Bridge opened?",
        "intent": "question",
        "needs_evidence": True,
        "attempt": 0,
        "strips": [Strip(**{**strip, "kept": True}) for strip in decompose(passage("d0", BRIDGE))],  # type: ignore[typeddict-item]
        "readings": [],
        "lessons": [],
        "unsettled": [],
        "failures": [],
        "candidates": [],
        "asked": [],
        "usage": {},
        "deadline": float("inf"),
        **changed,
    }
    resources = SimpleNamespace(chat=chat, clock=SimpleNamespace(now=lambda: 0.0), settings=SimpleNamespace())
    return generate(cast(Any, state), Run(Context(), cast(Any, resources), lambda _event: None))


def test_a_writer_that_failed_in_this_run_is_not_asked_again() -> None:
    chat = ScriptedChat(always="With a feast.", follows_instructions=True)
    failed = [Failure(node="generate", problem="It does not answer.", mend="Start it.")]
    assert [one["origin"] for one in update_of(chat, failures=failed)["candidates"]] == ["extractive"]
    assert chat.prompts == []


def test_a_writer_that_needs_evidence_is_not_asked_without_any() -> None:
    chat = ScriptedChat(always="With a feast.", follows_instructions=True)
    assert update_of(chat, strips=[])["candidates"] == []
    assert chat.prompts == []


def test_another_nodes_failure_keeps_nobody_from_writing() -> None:
    chat = ScriptedChat(always="With a feast.", follows_instructions=True)
    failed = [Failure(node="search", problem="It does not answer.", mend="Wait.")]
    assert "With a feast." in [one["text"] for one in update_of(chat, failures=failed)["candidates"]]


def test_a_writer_that_follows_no_instructions_is_not_asked_for_a_summary() -> None:
    small = ScriptedChat(always="With a feast.", follows_instructions=False)
    assert "With a feast." not in [one["text"] for one in update_of(small, intent="summary")["candidates"]]
    assert small.prompts == []
    capable = ScriptedChat(always="With a feast.", follows_instructions=True)
    assert "With a feast." in [one["text"] for one in update_of(capable, intent="summary")["candidates"]]
