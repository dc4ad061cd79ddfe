"""What a count says of the share behind it (Clopper and Pearson 1934): one-sided bounds at 95 %."""

from collections.abc import Callable
from math import exp, lgamma, log, log1p

DOUBT = 0.05


def lower_bound(found: int, of: int) -> float:
    """The share in [0, 1] that is at least behind `found` of `of`; 0.0 of none."""
    return 0.0 if found == 0 else _solved(lambda share: _at_least(found, of, share) < DOUBT)


def upper_bound(found: int, of: int) -> float:
    """The share in [0, 1] that is at most behind `found` of `of`; 1.0 where all, or nothing, was looked at."""
    return 1.0 if found == of else _solved(lambda share: 1.0 - _at_least(found + 1, of, share) > DOUBT)


def _at_least(found: int, of: int, share: float) -> float:
    """P(at least `found` of `of`), each being so with probability `share`."""
    return 1.0 - sum(exp(_ways(of, one) + one * log(share) + (of - one) * log1p(-share)) for one in range(found))


def _ways(of: int, one: int) -> float:
    """The logarithm of how many ways there are to choose; the number itself passes any float from a thousand on."""
    return lgamma(of + 1) - lgamma(one + 1) - lgamma(of - one + 1)


def _solved(below: Callable[[float], bool]) -> float:
    """The share up to which a condition that ends once is true, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return low
