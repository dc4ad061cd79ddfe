"""Two agents that no measure may praise: one that is always silent, one that pastes what was found first.

They call no chat model and no judge, so that they cost next to nothing beside the systems that are compared.
"""

from __future__ import annotations

from itertools import pairwise

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.evidence.evidence import CHARACTERS_PER_TOKEN, whole
from veridic.graph.systems import System
from veridic.graph.wrapping import Around
from veridic.nodes.analyze import analyze
from veridic.nodes.find import find
from veridic.nodes.generate import generate
from veridic.nodes.give import give
from veridic.runtime.run import Run
from veridic.state import GraphState, InputState, OutputState, StateUpdate

SOURCE = "a floor for every measure"


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


def always_abstains(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Nothing between the question and the end."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.add_node("analyze", around.node(analyze))
    graph.add_node("finish", around.node(give))
    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "finish")
    graph.add_edge("finish", END)
    return graph


def pastes_best(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Retrieve, and give the first passage."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    nodes = {"analyze": analyze, "retrieve": find, "take": paste, "generate": generate, "finish": give}
    for name, node in nodes.items():
        graph.add_node(name, around.node(node))
    for before, after in pairwise([START, *nodes, END]):
        graph.add_edge(before, after)
    return graph


ALWAYS_ABSTAINS = System(
    name="always_abstains",
    title="Says that it does not know",
    source=SOURCE,
    build=always_abstains,
)
PASTES_BEST = System(
    name="pastes_best",
    title="Gives the passage that was found first",
    source=SOURCE,
    build=pastes_best,
    choices={"retrieval": "always"},
)
FLOORS = frozenset({ALWAYS_ABSTAINS.name, PASTES_BEST.name})
"""The systems that show what a measure is worth; where their errors come from explains nothing."""
