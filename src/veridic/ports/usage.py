"""How what was consumed is added up."""

from __future__ import annotations

from collections.abc import Sequence

from veridic.ports.shapes import Grade, Usage


def merge_usage(old: Usage, new: Usage) -> Usage:
    """Add what was consumed, by kind."""
    return Usage(
        calls=old.get("calls", 0) + new.get("calls", 0),
        prompt_tokens=old.get("prompt_tokens", 0) + new.get("prompt_tokens", 0),
        completion_tokens=old.get("completion_tokens", 0) + new.get("completion_tokens", 0),
        judged_pairs=old.get("judged_pairs", 0) + new.get("judged_pairs", 0),
        base_tokens=old.get("base_tokens", 0) + new.get("base_tokens", 0),
        passage_calls=old.get("passage_calls", 0) + new.get("passage_calls", 0),
        statement_calls=old.get("statement_calls", 0) + new.get("statement_calls", 0),
    )


def merge_grades(old: Sequence[Grade], new: Sequence[Grade]) -> list[Grade]:
    """Add the grades that were asked for, and of the others the ones that are not listed yet, or otherwise."""
    merged = list(old)
    for grade in new:
        if grade["calls"] or not any(_same(grade, listed) for listed in merged):
            merged.append(grade)
    return merged


def _same(one: Grade, other: Grade) -> bool:
    return all(one[part] == other[part] for part in ("judge", "asked", "graded", "grade"))
