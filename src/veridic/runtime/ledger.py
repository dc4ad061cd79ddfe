"""The account of one step of a run: what it consumed, what it took out of the evidence, and what went wrong in it."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from math import inf
from typing import Literal, Self, TypedDict, TypeVar, cast

from veridic.errors import BudgetSpent
from veridic.ports.shapes import Failure, Flagged, Grade, Usage, merge_usage

Budget = Literal["tokens", "calls"]
J = TypeVar("J")


class Account(TypedDict, total=False):
    """What a step did beside its own, as an update of the run's state; missing means nothing."""

    usage: Usage
    grades: list[Grade]
    flagged: list[Flagged]
    failures: list[Failure]


@dataclass
class Ledger:
    """The account of one step of one run; a step judges in one thread."""

    token_budget: float = inf
    call_budget: float = inf
    before: Usage = field(default_factory=Usage)
    """What the run had consumed when the step began."""
    usage: Usage = field(default_factory=Usage)
    grades: list[Grade] = field(default_factory=list)
    flagged: list[Flagged] = field(default_factory=list)
    """What was taken out of the evidence that came in with this step."""
    problems: list[Failure] = field(default_factory=list)
    """A detector that failed, and what was wrong with the replies of a chat model."""

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

    def tell(self, failure: Failure) -> None:
        """Add what went wrong, each thing once."""
        if failure not in self.problems:
            self.problems.append(failure)

    def account(self) -> Account:
        """What there is so far."""
        told = {"usage": self.usage, "grades": self.grades, "flagged": self.flagged, "failures": self.problems}
        return cast("Account", {name: value for name, value in told.items() if value})


class OnAccount:
    """A judge whose judgements cost calls or tokens: they are charged to the account of a step, else to none."""

    _account: Ledger | None = None

    @property
    def _ledger(self) -> Ledger:
        return self._account or Ledger()

    def charged_to(self, ledger: Ledger) -> Self:
        """The same judge on the account of a step, within its budgets."""
        one = copy(self)
        one._account = ledger
        return one


def charged(judge: J, ledger: Ledger) -> J:
    """The judge on this account, by its `charged_to`; itself where its judgements cost no calls."""
    charged_to: Callable[[Ledger], J] | None = getattr(judge, "charged_to", None)
    return charged_to(ledger) if charged_to else judge
