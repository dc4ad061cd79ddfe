"""How what was consumed is added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from veridic.ports.shapes import Grade, Usage


def merge_usage(old: Usage, new: Usage) -> Usage:
    """Add what was consumed, by kind."""
    earlier, later = cast("Mapping[str, int]", old), cast("Mapping[str, int]", new)
    return cast("Usage", {kind: earlier.get(kind, 0) + later.get(kind, 0) for kind in Usage.__annotations__})


def merge_grades(old: Sequence[Grade], new: Sequence[Grade]) -> list[Grade]:
    """Add the grades that were asked for, and of the others the ones that are not listed yet, or otherwise."""
    merged = list(old)
    for grade in new:
        if grade["calls"] or not any(_same(grade, listed) for listed in merged):
            merged.append(grade)
    return merged


def _same(one: Grade, other: Grade) -> bool:
    return all(one[part] == other[part] for part in ("judge", "asked", "graded", "grade"))
