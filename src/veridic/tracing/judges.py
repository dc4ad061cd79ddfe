"""Spans of the judges: one a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from veridic.tracing.spans import Attributes
from veridic.tracing.watching import Watched, watching

J = TypeVar("J")

PROBABILITY: Mapping[str, Callable[[Any], float]] = {
    "score": lambda verdict: verdict.probability,
    "usefulness": float,
    "judge": lambda verdict: verdict.entailment,
    "orders": float,
}
"""By the judge's method, what it says of one pair or text: that it helps, that it answers, that it follows, that it
gives orders."""


def judge(one: J, name: str) -> J:
    """A judge whose batches are spans `judge NAME`: how many pairs or texts, and the largest probability given."""
    return watching(one, _methods(name))


@cache
def _methods(name: str) -> Mapping[str, Watched]:
    answered = {method: _best(probability) for method, probability in PROBABILITY.items()} | {"read": _read}
    return {
        method: Watched(f"judge {name}", {"veridic.judge": name, "veridic.judge.method": method}, _pairs, told)
        for method, told in answered.items()
    }


def _pairs(pairs: Sequence[object], **_how: object) -> Attributes:
    return {"veridic.judge.pairs": len(pairs)}


def _best(probability: Callable[[Any], float]) -> Callable[[Sequence[Any]], Attributes]:
    return lambda verdicts: {"veridic.judge.best": max(map(probability, verdicts))} if verdicts else {}


def _read(readings: Sequence[Any]) -> Attributes:
    return {"veridic.judge.answers": sum(bool(one.spans) for one in readings)}
