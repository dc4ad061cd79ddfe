"""The systems that are compared: a wiring of the graph and a `Context` each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from veridic.context import Context
from veridic.errors import InvalidSetting, UsageError
from veridic.graph.builder import graph_of
from veridic.graph.opening import graded
from veridic.graph.wiring import Graph
from veridic.ports.shapes import Lesson, Result, StandingVote
from veridic.runtime.run import Resources
from veridic_lab.evaluation.presets import PRESETS, STANDARD_RAG, Preset, preset_of


@dataclass(frozen=True)
class System:
    """A compiled graph with the choices its runs are made with."""

    name: str
    graph: Graph
    context: Context


def open_systems(names: Sequence[str], resources: Resources, context: Context, *, k: int) -> list[System]:
    """The systems by name, on resources that forget; `k` is plain RAG's number of passages. Raises `UsageError`."""
    forgetful = forgetting(resources)
    return [System(name, _graph(preset_of(name), forgetful), context_of(name, context, k=k)) for name in names]


def _graph(preset: Preset, resources: Resources) -> Graph:
    given = graded(preset.system, preset.given(resources))
    return graph_of(preset.system, lambda: given)


def context_of(name: str, context: Context, *, k: int) -> Context:
    """The run's choices as a system takes them; nothing that is measured may be learned. Raises `UsageError`."""
    own = {"passages": k} if name == STANDARD_RAG else {}
    try:
        return Context(**{**context.model_dump(), **preset_of(name).choices, **own, "write_back": False})
    except InvalidSetting as error:
        raise UsageError(f"{name}: {error.problem}", error.mend) from error


def check_systems(names: Sequence[str], context: Context) -> None:
    """Raises `UsageError` when a system is unknown, cannot be as it is written, is named twice, or there is none."""
    for name in names:
        context_of(name, context, k=1)
    if not names or len(set(names)) < len(names):
        raise UsageError("The systems are none, or one is named twice.", f"Choose of {', '.join(PRESETS)}, by commas.")


def forgetting(resources: Resources) -> Resources:
    """The same resources without experience and decision log: no question may help the next one."""
    return replace(resources, experience=NoExperience(), decisions=NoDecisions())


class NoExperience:
    """Recalls and learns nothing."""

    def within(self, places: Sequence[str]) -> NoExperience:  # noqa: ARG002 - the protocol's
        """As little."""
        return self

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:  # noqa: ARG002 - the protocol's
        """No lessons."""
        return []

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep nothing."""

    def revise(self, run_id: str, verdict: StandingVote, *, deadline: float) -> bool:  # noqa: ARG002 - the protocol's
        """There is nothing to revise."""
        return False


class NoDecisions:
    """Keeps no rows."""

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep nothing."""
