"""Two agents that no measure may praise: one that is always silent, one that pastes what was found first.

They call no chat model and no judge, so that they cost next to nothing beside the systems that are compared.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.evaluation.standard_rag import given, whole, wired
from veridic.graph.builder import Graph, adder
from veridic.nodes.analyze import analyze
from veridic.protocols import Resources, Run
from veridic.state import GraphState, InputState, OutputState, StateUpdate
from veridic.support.evidence import CHARACTERS_PER_TOKEN

ALWAYS_ABSTAINS = "always_abstains"
PASTES_BEST = "pastes_best"
FLOORS = frozenset({ALWAYS_ABSTAINS, PASTES_BEST})
"""The systems that show what a measure is worth; where their errors come from explains nothing."""


def always_abstains(resources: Resources) -> Graph:
    """The compiled graph: analyze, finish."""
    graph = StateGraph(GraphState, Context, input_schema=InputState, output_schema=OutputState)
    add = adder(graph, cache(lambda: resources))
    add("analyze", analyze)
    add("finish", abstain)
    for one, other in ((START, "analyze"), ("analyze", "finish"), ("finish", END)):
        graph.add_edge(one, other)
    return graph.compile(name=ALWAYS_ABSTAINS)


def pastes_best(resources: Resources) -> Graph:
    """Plain RAG without a chat model that reads the first passage only, and gives it as it stands."""
    return wired(PASTES_BEST, replace(resources, chat=None), paste)


def abstain(state: GraphState, run: Run) -> StateUpdate:
    """Say that nothing is known."""
    return given(state, run, None)


def paste(state: GraphState, run: Run) -> StateUpdate:
    """Take the first passage, as much of it as an answer may be long."""
    strips = [whole(document) for document in state["documents"][:1]]
    texts = [beginning(strip["text"], run.context.answer_tokens) for strip in strips]
    return {
        "strips": [
            {**strip, "text": text, "end": strip["start"] + len(text), "kept": True}
            for strip, text in zip(strips, texts, strict=True)
        ]
    }


def beginning(text: str, room: int) -> str:
    """As many whole words of a text as take at most `room` tokens."""
    most = CHARACTERS_PER_TOKEN * room
    return text if len(text) <= most else text[: most + 1].rpartition(" ")[0] or text[:most]
