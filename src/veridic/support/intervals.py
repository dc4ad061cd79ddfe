"""What a count says of the share behind it (Clopper and Pearson 1934): one-sided bounds at 95 %."""

from collections.abc import Callable
from math import comb

DOUBT = 0.05


def lower_bound(found: int, of: int) -> float:
    """The share in [0, 1] that is at least behind `found` of `of`; 0.0 of none."""
    return 0.0 if found == 0 else _solved(lambda share: _at_least(found, of, share) < DOUBT)


def upper_bound(found: int, of: int) -> float:
    """The share in [0, 1] that is at most behind `found` of `of`; 1.0 where all, or nothing, was looked at."""
    return 1.0 if found == of else _solved(lambda share: 1.0 - _at_least(found + 1, of, share) > DOUBT)


def _at_least(found: int, of: int, share: float) -> float:
    """P(at least `found` of `of`), each being so with probability `share`."""
    return 1.0 - sum(comb(of, one) * share**one * (1.0 - share) ** (of - one) for one in range(found))


def _solved(below: Callable[[float], bool]) -> float:
    """The share up to which a condition that ends once is true, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return low
