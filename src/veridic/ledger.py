"""What judging by a chat model consumes in one step of a run, every grade with it, and when a budget ends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal, Protocol, Self, TypedDict, TypeVar, runtime_checkable

from veridic.errors import BudgetSpent
from veridic.shapes import Failure, Grade, Usage

Budget = Literal["tokens", "calls"]
J = TypeVar("J")


def merge_usage(old: Usage, new: Usage) -> Usage:
    """Add what was consumed, by kind."""
    return Usage(
        calls=old.get("calls", 0) + new.get("calls", 0),
        prompt_tokens=old.get("prompt_tokens", 0) + new.get("prompt_tokens", 0),
        completion_tokens=old.get("completion_tokens", 0) + new.get("completion_tokens", 0),
        judged_pairs=old.get("judged_pairs", 0) + new.get("judged_pairs", 0),
    )


def merge_grades(old: Sequence[Grade], new: Sequence[Grade]) -> list[Grade]:
    """Add the grades that were asked for, and of those known from before the ones that are not listed yet."""
    merged = list(old)
    for grade in new:
        if grade["calls"] or not any(_same(grade, listed) for listed in merged):
            merged.append(grade)
    return merged


def _same(one: Grade, other: Grade) -> bool:
    return (one["judge"], one["asked"], one["graded"]) == (other["judge"], other["asked"], other["graded"])


class Account(TypedDict, total=False):
    """What a step consumed, as an update of the run's state; missing means nothing."""

    usage: Usage
    grades: list[Grade]


@dataclass
class Ledger:
    """The account of one step of one run; a step judges in one thread."""

    token_budget: float = inf
    call_budget: float = inf
    before: Usage = field(default_factory=Usage)
    """What the run had consumed when the step began."""
    usage: Usage = field(default_factory=Usage)
    grades: list[Grade] = field(default_factory=list)
    problems: list[Failure] = field(default_factory=list)
    """What was wrong with the replies of a chat model, each thing once."""

    def spent(self) -> Budget | None:
        """Which budget is used up; None when another call may be made."""
        used = merge_usage(self.before, self.usage)
        if used["prompt_tokens"] + used["completion_tokens"] >= self.token_budget:
            return "tokens"
        return "calls" if used["calls"] >= self.call_budget else None

    def check(self) -> None:
        """Raises `BudgetSpent` when no other call may be made."""
        if budget := self.spent():
            raise BudgetSpent(budget)

    def charge(self, usage: Usage) -> None:
        """Add what a call consumed."""
        self.usage = merge_usage(self.usage, usage)

    def account(self) -> Account:
        """What was consumed so far."""
        told: Account = {"usage": self.usage} if self.usage else {}
        return {**told, "grades": self.grades} if self.grades else told


@runtime_checkable
class Charging(Protocol):
    """A judge whose judgements cost calls: each step has it keep the step's own account."""

    def charged_to(self, ledger: Ledger) -> Self:
        """The same judge, keeping this account and its budgets."""
        ...


def charged(judge: J, ledger: Ledger) -> J:
    """The judge on this account; itself where its judgements cost no calls."""
    return judge.charged_to(ledger) if isinstance(judge, Charging) else judge
