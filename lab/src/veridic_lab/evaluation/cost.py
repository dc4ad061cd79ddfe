"""What a run will cost, from a few questions asked beforehand. They are not measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridic.ports.chat import ChatModel
from veridic_lab.evaluation.measuring import asked
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.scripted import ScriptedWriter
from veridic_lab.evaluation.systems import System

ASKED = 2
"""Questions asked of each system; the first one also loads the models, its time is not counted when there are two."""


@dataclass(frozen=True)
class Cost:
    """Of one question, on average."""

    system: str
    seconds: float
    tokens: float
    calls: float


def costs(systems: Sequence[System], questions: Sequence[GoldQuestion], chat: ChatModel | None) -> list[Cost]:
    """One a system; models are warm afterwards."""
    return [_cost(system, questions[:ASKED], chat) for system in systems]


def _cost(system: System, questions: Sequence[GoldQuestion], chat: ChatModel | None) -> Cost:
    seconds, tokens, calls = [], [], []
    for question in questions:
        if isinstance(chat, ScriptedWriter):
            chat.turn(question)
        result, measured = asked(system, question)
        usage = result["usage"]
        seconds.append(measured["seconds"])
        tokens.append(usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0))
        calls.append(usage.get("calls", 0))
    warm = seconds[1:] or seconds
    return Cost(system.name, sum(warm) / len(warm), sum(tokens) / len(tokens), sum(calls) / len(calls))


def told_costs(costs: Sequence[Cost], asks: Mapping[str, int]) -> list[str]:
    """The lines that say what is to come; `asks` is how many questions each system still gets."""
    lines = [
        f"{cost.system}: {asks[cost.system]} questions, about {cost.seconds:.2f} s, {cost.tokens:.0f} tokens and "
        f"{cost.calls:.1f} calls each: {asks[cost.system] * cost.tokens:,.0f} tokens, "
        f"{asks[cost.system] * cost.calls:,.0f} calls"
        for cost in costs
    ]
    return [*lines, f"together about {in_words(sum(asks[cost.system] * cost.seconds for cost in costs))}"]


def in_words(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
