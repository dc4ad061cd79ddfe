"""The tokens of a question that the base judge may read, whichever step spends them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from typing import Self

from veridic.ports.shapes import Usage
from veridic.runtime.ledger import Ledger


class OnBaseTokens:
    """A judge that is on the account of a step: what the run spent before counts."""

    def __init__(self, tokens: int) -> None:
        """`tokens` of a question are read, at most."""
        self._tokens = tokens
        self._ledger: Ledger | None = None

    def charged_to(self, ledger: Ledger) -> Self:
        """The same judge on the account of a step."""
        charged = copy(self)
        charged._ledger = ledger
        return charged

    def _affordable(self, sizes: Sequence[int], share: float = 1.0, least: int = 0) -> int:
        """How many of the first sizes fit under a share of the tokens, or `least` however large; they are charged."""
        ledger = self._ledger or Ledger()
        left = share * self._tokens - ledger.before.get("base_tokens", 0) - ledger.usage.get("base_tokens", 0)
        count = spent = 0
        for size in sizes:
            if count >= least and spent + size > left:
                break
            spent, count = spent + size, count + 1
        if spent:
            ledger.charge(Usage(base_tokens=spent))
        return count


def in_turn(groups: Sequence[Hashable]) -> Iterator[int]:
    """Places of things by the group of each: the first of every group, then the second of every, and so on."""
    own: dict[Hashable, list[int]] = {}
    for at, group in enumerate(groups):
        own.setdefault(group, []).append(at)
    for turn in range(max(map(len, own.values()), default=0)):
        yield from (places[turn] for places in own.values() if turn < len(places))
