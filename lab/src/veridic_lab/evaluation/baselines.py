"""Two agents that no measure may praise: one that is always silent, one that pastes what was found first.

They call no chat model and no judge, so that they cost next to nothing beside the systems that are compared.
"""

from __future__ import annotations

from langgraph.graph import END, START

from veridic.evidence.evidence import CHARACTERS_PER_TOKEN, whole
from veridic.graph.systems import System
from veridic.graph.wiring import Step, Wiring
from veridic.nodes.give import give
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

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


ALWAYS_ABSTAINS = System(
    name="always_abstains",
    title="Says that it does not know",
    source=SOURCE,
    wiring=Wiring({START: "analyze", "analyze": "finish", "finish": END}, own={"finish": Step(give)}),
)
PASTES_BEST = System(
    name="pastes_best",
    title="Gives the passage that was found first",
    source=SOURCE,
    wiring=Wiring(
        {
            START: "analyze",
            "analyze": "retrieve",
            "retrieve": "take",
            "take": "generate",
            "generate": "finish",
            "finish": END,
        },
        own={"take": Step(paste), "finish": Step(give)},
    ),
    choices={"retrieval": "always"},
)
FLOORS = frozenset({ALWAYS_ABSTAINS.name, PASTES_BEST.name})
"""The systems that show what a measure is worth; where their errors come from explains nothing."""
