"""Short answers compared as SQuAD compares them: exact match and token F1 (Rajpurkar et al. 2016)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veridic.text.answers import tokens


def exact_match(answer: str, accepted: Sequence[str]) -> float:
    """1.0 when the answer is one of the accepted ones after normalisation, else 0.0."""
    return float(any(tokens(answer) == tokens(one) for one in accepted))


def token_f1(answer: str, accepted: Sequence[str]) -> float:
    """SQuAD's token F1 with the nearest accepted answer, in [0, 1]."""
    given = tokens(answer)
    return max(
        (
            harmonic((Counter(given) & Counter(wanted)).total(), len(given), len(wanted))
            for wanted in map(tokens, accepted)
        ),
        default=0.0,
    )


def harmonic(shared: float, given: float, wanted: float) -> float:
    """F1 of a number of shared things among those given and those wanted; 0.0 when nothing is shared."""
    return 2 * shared / (given + wanted) if shared else 0.0
