"""The systems that are compared: a wiring of the graph and a `Context` each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from veridic.context import Context
from veridic.errors import UsageError
from veridic.evaluation.standard_rag import standard_rag
from veridic.graph.builder import Graph, build_graph
from veridic.protocols import Resources
from veridic.state import Lesson, Result

STANDARD_RAG = "standard_rag"


@dataclass(frozen=True)
class Preset:
    """How a system is built from the resources, and what it changes in the run's choices."""

    build: Callable[[Resources], Graph]
    choices: Mapping[str, Any]


PRESETS: Mapping[str, Preset] = {
    STANDARD_RAG: Preset(standard_rag, {"retrieval": "always"}),
    "veridic": Preset(build_graph, {}),
}


@dataclass(frozen=True)
class System:
    """A compiled graph with the choices its runs are made with."""

    name: str
    graph: Graph
    context: Context


def open_systems(names: Sequence[str], resources: Resources, context: Context, *, k: int) -> list[System]:
    """The systems by name, on resources that forget; `k` is plain RAG's number of passages. Raises `UsageError`."""
    forgetful = forgetting(resources)
    return [System(name, preset_of(name).build(forgetful), context_of(name, context, k=k)) for name in names]


def context_of(name: str, context: Context, *, k: int) -> Context:
    """The run's choices as a system takes them; nothing that is measured may be learned."""
    own = {"passages": k} if name == STANDARD_RAG else {}
    return context.model_copy(update={"write_back": False, **preset_of(name).choices, **own})


def preset_of(name: str) -> Preset:
    """The preset of this name. Raises `UsageError`."""
    if name not in PRESETS:
        raise UsageError(f"There is no system {name!r}.", f"Choose of {', '.join(PRESETS)}.")
    return PRESETS[name]


def forgetting(resources: Resources) -> Resources:
    """The same resources without experience and decision log: no question may help the next one."""
    return replace(resources, experience=NoExperience(), decisions=NoDecisions())


class NoExperience:
    """Recalls and learns nothing."""

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:  # noqa: ARG002 - the protocol's
        """No lessons."""
        return []

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep nothing."""


class NoDecisions:
    """Keeps no rows."""

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep nothing."""
