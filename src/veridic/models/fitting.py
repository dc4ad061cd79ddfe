"""Fits the scale of scores and the points at which they decide, and says how good they are; numpy alone."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridic.ports.judgements import Strictness, Thresholds

Floats = NDArray[np.float64]
SLACK = 0.05
"""Costs are flat near their least: so much more is nearly the same."""
RESAMPLES = 2000
"""Draws for an interval, unless it is said how many."""


class Costs(Thresholds):
    """What a false positive costs at each decision point when a missed positive costs 1."""


COSTS: Mapping[Strictness, Costs] = {
    "loose": Costs(upper=0.5, lower=0.15, passage=0.05, strip=0.3, support=0.5, contradiction=3.0, abstention=0.4),
    "normal": Costs(upper=1.0, lower=0.3, passage=0.1, strip=0.3, support=1.5, contradiction=2.0, abstention=1.0),
    "strict": Costs(upper=2.0, lower=0.6, passage=0.2, strip=0.6, support=4.0, contradiction=1.0, abstention=2.5),
}
"""A false "correct" costs a search that was not made, a missed one a search that was not needed: as much, at normal
strictness. What is read in a strip or passage that is kept in vain is weighed again, so that it costs little."""


def sigmoid(log_odds: ArrayLike) -> Floats:
    """The probabilities of log-odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(log_odds, dtype=float), -40, 40))))


def probability(weights: Sequence[float], row: Sequence[float]) -> float:
    """The logistic function of an intercept and weighted signs."""
    return float(sigmoid(weights[0] + sum(weight * sign for weight, sign in zip(weights[1:], row, strict=True))))


def softmax(logits: ArrayLike) -> Floats:
    """The probabilities of choices whose logits stand in the last axis."""
    rows = np.asarray(logits, dtype=float)
    odds = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def fit_binary(logits: ArrayLike, truth: ArrayLike) -> tuple[float, float]:
    """Scale and offset that make sigmoid(scale * logit + offset) a probability."""
    z, y = np.asarray(logits, dtype=float), np.asarray(truth, dtype=float)

    def loss(point: Floats) -> float:
        shifted = np.exp(point[0]) * z + point[1]
        return float(np.mean(np.logaddexp(0, shifted) - y * shifted))

    log_scale, offset = _pattern_search(loss, (0.0, 0.0))
    return float(np.exp(log_scale)), float(offset)


def fit_three(logits: ArrayLike, labels: ArrayLike) -> tuple[float, list[float]]:
    """Scale and offsets of three classes; label 3 means one of the last two.

    Where no label tells the last two apart they keep their distance. A logit of -inf says that a scorer never chooses
    the last class; its rows are then one of the last two.
    """
    z, y = np.asarray(logits, dtype=float), np.asarray(labels, dtype=int)
    y = np.where((y == 2) & np.isneginf(z[:, 2]), 3, y)
    apart = bool(np.isin(y, (1, 2)).any())

    def loss(point: Floats) -> float:
        shifted = np.exp(point[0]) * z + np.array([point[1], 0.0, point[2] if apart else 0.0])
        logs = shifted - np.logaddexp.reduce(shifted, axis=1, keepdims=True)
        logs = np.column_stack([logs, np.logaddexp(logs[:, 1], logs[:, 2])])
        return float(-logs[np.arange(len(y)), y].mean())

    log_scale, first, last = _pattern_search(loss, (0.0, 0.0, 0.0))
    return float(np.exp(log_scale)), [float(first), 0.0, float(last)]


def _pattern_search(loss: Callable[[Floats], float], start: Sequence[float]) -> Floats:
    """A local minimum found by steps along each axis that shrink until nothing helps."""
    point = np.array(start, dtype=float)
    best, step = loss(point), 0.5
    while step > 1e-3:
        moved = False
        for axis in range(len(point)):
            for sign in (1, -1):
                trial = point.copy()
                trial[axis] += sign * step
                value = loss(trial)
                if value < best - 1e-9:
                    point, best, moved = trial, value, True
        if not moved:
            step /= 2
    return point


def balanced_cut(truth: ArrayLike, scores: ArrayLike, cost: float, *, slack: float = 0.0) -> float:
    """The threshold of least cost, as if both classes were equally frequent; halfway between scores.

    A missed positive costs 1, a false positive `cost`. Of those that cost as little, or with slack at most that share
    more, the highest: it says least.
    """
    truth, scores = np.asarray(truth, dtype=bool), np.asarray(scores, dtype=float)
    share = truth.mean() / max(1e-9, 1 - truth.mean())
    order = np.argsort(scores)
    truth, scores = truth[order], scores[order]
    missed = np.concatenate([[0], np.cumsum(truth)])
    wrong = np.concatenate([np.cumsum((~truth)[::-1])[::-1], [0]])
    costs = missed + cost * share * wrong
    costs[1:-1][scores[1:] == scores[:-1]] = np.inf
    place = int(np.flatnonzero(costs <= costs.min() * (1 + slack))[-1])
    if place == len(scores):
        return float(np.nextafter(scores[-1], np.inf))
    middle = float((scores[place - 1] + scores[place]) / 2) if place else float(scores[0])
    return middle if not place or middle > scores[place - 1] else float(scores[place])


def within(**points: float) -> dict[str, float]:
    """Points that leave room on both sides."""
    return {name: round(float(np.clip(value, 0.01, 0.99)), 4) for name, value in points.items()}


def auc(truth: ArrayLike, scores: ArrayLike) -> float:
    """The probability that a positive outranks a negative, ties by half; 0.5 with one class."""
    truth, scores = np.asarray(truth, dtype=bool), np.asarray(scores, dtype=float)
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return 0.5
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def expected_calibration_error(truth: ArrayLike, probabilities: ArrayLike, bins: int = 15) -> float:
    """The mean distance of confidence and frequency over equally filled bins."""
    truth, probabilities = np.asarray(truth, dtype=float), np.asarray(probabilities, dtype=float)
    order = np.argsort(probabilities, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    gaps = [len(p) * abs(truth[p].mean() - probabilities[p].mean()) for p in parts]
    return float(np.sum(gaps) / max(1, len(truth)))


def resamples(groups: Sequence[str], *, seed: int = 7, number: int = RESAMPLES) -> Floats:
    """Weights of shape (number, len(groups)): how often each question's group was drawn."""
    names = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    places = np.array([names[group] for group in groups], dtype=np.int64)
    rng = np.random.default_rng(seed)
    count = len(names)
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=number) if count else np.zeros((number, 0))
    return np.asarray(drawn[:, places], dtype=np.float64)
