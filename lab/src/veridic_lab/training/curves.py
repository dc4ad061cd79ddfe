"""What a calibration means in practice: risk against coverage, and who is taken for what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def risk_coverage(truth: ArrayLike, scores: ArrayLike, shares: Sequence[float] = SHARES) -> list[tuple[float, float]]:
    """For each coverage the risk: the share of false ones among so many of the highest scores."""
    truth = np.asarray(truth, dtype=bool)[np.argsort(-np.asarray(scores, dtype=float), kind="stable")]
    counts = [max(1, round(share * len(truth))) for share in shares]
    return [(share, float(1 - truth[:count].mean())) for share, count in zip(shares, counts, strict=True)]


def confusion(truth: ArrayLike, scores: ArrayLike, cuts: Mapping[str, float]) -> dict[str, tuple[int, int]]:
    """How many true and how many false ones fall to each name.

    `cuts` goes from the highest point down: a name is for what reaches its point and none before.
    """
    truth, scores = np.asarray(truth, dtype=bool), np.asarray(scores, dtype=float)
    free = np.ones(len(truth), dtype=bool)
    counts: dict[str, tuple[int, int]] = {}
    for name, cut in cuts.items():
        here = free & (scores >= cut)
        counts[name] = (int((here & truth).sum()), int((here & ~truth).sum()))
        free &= ~here
    return counts


def described(
    title: str, kinds: tuple[str, str], truth: ArrayLike, scores: ArrayLike, cuts: Mapping[str, float]
) -> Iterator[str]:
    """Both as lines of text; `kinds` names the true and the false ones."""
    yield title
    for name, (true, false) in confusion(truth, scores, cuts).items():
        yield f"  {name:<14} {true:>5} {kinds[0]}, {false:>5} {kinds[1]}"
    curve = "  ".join(f"{100 * share:.0f} %: {risk:.2f}" for share, risk in risk_coverage(truth, scores))
    yield f"  risk at coverage  {curve}"
