"""The systems by name: a preset, and choices of one's own after a colon.

`veridic:validate_claims=always,sources=wikipedia+arxiv` is the graph with two fields of `Context` set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from veridic.context import Context
from veridic.errors import UsageError
from veridic.evaluation.baselines import ALWAYS_ABSTAINS, FLOORS, PASTES_BEST, always_abstains, pastes_best
from veridic.evaluation.standard_rag import standard_rag
from veridic.evaluation.trusting import trusting
from veridic.graph.builder import Graph, build_graph
from veridic.protocols import Resources

STANDARD_RAG = "standard_rag"


@dataclass(frozen=True)
class Preset:
    """How a system is built from the resources, and what it changes in the run's choices."""

    build: Callable[[Resources], Graph]
    choices: Mapping[str, Any]


PRESETS: Mapping[str, Preset] = {
    STANDARD_RAG: Preset(standard_rag, {"retrieval": "always"}),
    ALWAYS_ABSTAINS: Preset(always_abstains, {}),
    PASTES_BEST: Preset(pastes_best, {"retrieval": "always"}),
    "veridic": Preset(build_graph, {}),
    "veridic_closed": Preset(build_graph, {"sources": ()}),
    "veridic_wikipedia": Preset(build_graph, {"sources": ("wikipedia",)}),
    # Upper stays: at 0 every corpus is correct and nothing would ever be searched for outside.
    "ungated": Preset(build_graph, {"lower": 0.0, "strip": 0.0}),
    "trusting": Preset(trusting, {"lower": 0.0, "strip": 0.0}),
    # The paper: several answers, the most consistent one kept; all its claims checked against Wikipedia and
    # arXiv; below FactScore 0.5 dense retrieval and one regeneration.
    "hybrid_self_rag": Preset(
        build_graph,
        {
            "retrieval": "always",
            "validate_claims": "always",
            "candidates": 3,
            "max_retries": 1,
            "sources": ("wikipedia", "arxiv"),
        },
    ),
}


def names_in(text: str) -> tuple[str, ...]:
    """The systems of a list by commas; a piece `field=value` belongs to the system before it."""
    names: list[str] = []
    for piece in (piece.strip() for piece in text.split(",") if piece.strip()):
        if "=" in piece and ":" not in piece and names:
            names[-1] += f",{piece}"
        else:
            names.append(piece)
    return tuple(names)


def preset_of(name: str) -> Preset:
    """The preset of this name, with the choices written after a colon over its own. Raises `UsageError`."""
    base, _, written = name.partition(":")
    if base not in PRESETS:
        raise UsageError(f"There is no system {base!r}.", f"Choose of {', '.join(PRESETS)}.")
    if written and base == STANDARD_RAG:
        raise UsageError(f"{STANDARD_RAG} takes no choices of its own.", "Its number of passages is `--k`.")
    if written and base in FLOORS:
        raise UsageError(f"{base} takes no choices of its own.", "Name it alone.")
    own = dict(_choice(piece, name) for piece in written.split(",")) if written else {}
    preset = PRESETS[base]
    return Preset(preset.build, {**preset.choices, **own})


def _choice(piece: str, name: str) -> tuple[str, Any]:
    """A field and its value as it is written; `Context` reads it."""
    field, equals, value = (part.strip() for part in piece.partition("="))
    if not equals or field not in Context.model_fields:
        raise UsageError(f"{name}: {piece!r} sets no choice.", "Write NAME:field=value with a field of `--help`.")
    if field == "sources":
        return field, tuple(part for part in value.split("+") if part != "none")
    return field, value
