"""What a step wrote and what a run came to, as attributes of their spans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridic.tracing.spans import Attributes
from veridic.tracing.watched import message

if TYPE_CHECKING:
    from veridic.ports.shapes import Result
    from veridic.ports.shapes.checking import CheckResult
    from veridic.state import StateUpdate

TOLD = ("action", "attempt", "retries", "stopped_by", "outcome")
"""Channels whose value is told as it is, where it is one."""
UNCOUNTED = ("messages", "path")
USED = {
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
    "calls": "veridic.usage.calls",
    "judged_pairs": "veridic.usage.judged_pairs",
}


def of_update(update: StateUpdate) -> Attributes:
    """How many items each list has that a step wrote, empty ones aside, what it decided, and what it consumed."""
    values: dict[str, Any] = {name: getattr(value, "value", value) for name, value in update.items()}
    told: dict[str, Any] = {
        f"veridic.count.{name}": len(value)
        for name, value in values.items()
        if value and isinstance(value, list) and name not in UNCOUNTED
    }
    told |= {f"veridic.{name}": values[name] for name in TOLD if values.get(name) is not None}
    return {**told, **_used(values.get("usage", {}))}


def of_result(update: StateUpdate, *, text: bool) -> Attributes:
    """What a run came to, if this step wrote it; with `text` what was asked or checked, and the answer."""
    if "result" in update:
        return {**_answered(update["result"]), **(_said(update["result"]) if text else {})}
    return _checked(update["report"], text=text) if "report" in update else {}


def _answered(result: Result) -> Attributes:
    told: dict[str, Any] = {
        "veridic.run_id": result["run_id"],
        "veridic.outcome": result["outcome"],
        "veridic.retries": result["retries"],
        "veridic.count.sentences": len(result["sentences"]),
        "veridic.count.documents": len(result["documents"]),
        "veridic.count.failures": len(result["failures"]),
        "veridic.count.sent": len(result["sources"]["sent"]),
        "veridic.write_back": bool(result["write_back"] and result["write_back"]["written"]),
        **_used(result["usage"]),
    }
    for name, value in (("confidence", result["confidence"]), ("stopped_by", result["stopped_by"])):
        if value is not None:
            told[f"veridic.{name}"] = value
    return told


def _said(result: Result) -> Attributes:
    return {
        "gen_ai.input.messages": message("user", result["question"]),
        "gen_ai.output.messages": message("assistant", result["answer"], finish_reason="stop"),
    }


def _checked(report: CheckResult, *, text: bool) -> Attributes:
    counts = {f"veridic.count.{verdict}": number for verdict, number in report["counts"].items()}
    said = {"gen_ai.input.messages": message("user", report["text"])} if text else {}
    told = {"veridic.run_id": report["run_id"], "veridic.outcome": report["outcome"]}
    return {**told, **counts, **_used(report["usage"]), **said}


def _used(usage: Mapping[str, Any]) -> Attributes:
    """Tokens, calls and judged pairs, as far as any were consumed."""
    return {told: usage[name] for name, told in USED.items() if usage.get(name)}
