"""The systems by name: a preset, and choices of one's own after a colon.

`veridic:validate_claims=always,sources=wikipedia+arxiv` is the graph with two fields of `Context` set; those of
`Method` are set so too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from veridic.context import Context
from veridic.errors import InvalidSetting, UsageError
from veridic.graph.systems import SYSTEMS, System
from veridic.ports.method import NUMBERS
from veridic.runtime.run import Resources
from veridic_lab.evaluation.baselines import ALWAYS_ABSTAINS, FLOORS, PASTES_BEST

STANDARD_RAG = "standard_rag"


@dataclass(frozen=True)
class Preset:
    """A system, what it changes in the run's choices, and the resources it is given."""

    system: System
    choices: Mapping[str, Any]
    given: Callable[[Resources], Resources] = lambda resources: resources


PRESETS: Mapping[str, Preset] = {
    **{name: Preset(system, system.choices) for name, system in SYSTEMS.items()},
    ALWAYS_ABSTAINS.name: Preset(ALWAYS_ABSTAINS, {}),
    PASTES_BEST.name: Preset(PASTES_BEST, PASTES_BEST.choices, lambda resources: replace(resources, chat=None)),
}
"""What can be measured: the systems of the papers, and the floors."""


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
    if written and base in FLOORS:
        raise UsageError(f"{base} takes no choices of its own.", "Name it alone.")
    own = dict(_choice(piece, name) for piece in written.split(",")) if written else {}
    preset = PRESETS[base]
    numbers = {field: own.pop(field) for field in [*own] if field in NUMBERS}
    try:
        system = replace(preset.system, method=replace(preset.system.method, **numbers))
    except InvalidSetting as error:
        raise UsageError(f"{name}: {error.problem}", error.mend) from error
    return replace(preset, system=system if numbers else preset.system, choices={**preset.choices, **own})


def _choice(piece: str, name: str) -> tuple[str, Any]:
    """A field and its value as it is written; `Context` or `Method` reads it."""
    field, equals, value = (part.strip() for part in piece.partition("="))
    if not equals or field not in (*Context.model_fields, *NUMBERS):
        raise UsageError(f"{name}: {piece!r} sets no choice.", "Write NAME:field=value with a field of `--help`.")
    if field == "sources":
        return field, tuple(part for part in value.split("+") if part != "none")
    return field, value
