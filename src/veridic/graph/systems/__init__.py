"""The systems by name: each a method of a paper as a graph of our nodes, with its numbers and their source."""

from collections.abc import Mapping

from veridic.errors import UnknownSystem, nearest_of
from veridic.graph.systems.adaptive import ADAPTIVE
from veridic.graph.systems.bidirectional_rag import BIDIRECTIONAL_RAG
from veridic.graph.systems.crag import CRAG, LLM_JUDGE_CRAG
from veridic.graph.systems.hybrid_self_rag import HYBRID_SELF_RAG
from veridic.graph.systems.self_rag import SELF_RAG
from veridic.graph.systems.standard_rag import NAIVE_WRITE_BACK, STANDARD_RAG
from veridic.graph.systems.system import Number, System
from veridic.graph.systems.veridic import VERIDIC

SYSTEMS: Mapping[str, System] = {
    system.name: system
    for system in (
        VERIDIC,
        STANDARD_RAG,
        NAIVE_WRITE_BACK,
        CRAG,
        SELF_RAG,
        HYBRID_SELF_RAG,
        BIDIRECTIONAL_RAG,
        ADAPTIVE,
        LLM_JUDGE_CRAG,
    )
}


def system_named(name: str) -> System:
    """The system of this name. Raises `UnknownSystem`."""
    if name not in SYSTEMS:
        mend = f"{nearest_of(name, SYSTEMS)} Choose of {', '.join(SYSTEMS)}."
        raise UnknownSystem(f"There is no system {name!r}.", mend)
    return SYSTEMS[name]


__all__ = ["SYSTEMS", "Number", "System", "system_named"]
