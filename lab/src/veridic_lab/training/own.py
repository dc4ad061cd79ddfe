"""A calibration from anyone's labelled pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.errors import UsageError
from veridic.models.calibration import Calibration
from veridic.models.drift import quantiles
from veridic_lab.training.calibrate import Fitted, measured, scaled, with_points
from veridic_lab.training.curves import described
from veridic_lab.training.fitting import balanced_cut
from veridic_lab.training.pairs import Pair, read_pairs
from veridic_lab.training.scoring import Head, RawScorer
from veridic_lab.training.thresholds import CONTRADICTION, COSTS, SLACK, Costs, within

LEAST = 20
"""Pairs of each class that a head needs to be fitted."""

Floats = NDArray[np.float64]


def labelled_in(folder: Path) -> list[Pair]:
    """The labelled pairs of all JSONL files of a folder. Raises `UsageError` when there are too few."""
    files = sorted(path for ending in ("*.jsonl", "*.jsonl.gz") for path in folder.rglob(ending))
    labelled = [path for path in files if ".qa." not in path.name and ".corpus." not in path.name]
    pairs = [pair for path in labelled for pair in read_pairs(path)]
    if not any(_enough(pairs, head) for head in ("relevance", "nli")):
        raise UsageError(
            f"{folder} has too few labelled pairs.",
            f"At least {LEAST} positive and {LEAST} negative rows of one kind are needed.",
        )
    return pairs


def both_ways(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, and those of relevance once more as pairs of usefulness: few people label the two apart."""
    return [*pairs, *(replace(pair, task="usefulness") for pair in pairs if pair.task == "relevance")]


def calibrated_on(scorer: RawScorer, base: Calibration, heads: Sequence[Head], pairs: Sequence[Pair]) -> Fitted:
    """The base with scale, thresholds, AUC and ECE fitted anew for those heads that have enough pairs.

    Decisions are maxima: over the passages of a question, over the premises of a sentence.
    AUC and ECE are of the pairs that were fitted, and so are hopeful.
    """
    today = datetime.now(UTC).date().isoformat()
    found = Fitted(replace(base, date=today, fitted_on=sorted({pair.source for pair in pairs})))
    pairs = both_ways(pairs)
    for head in heads:
        if _enough(pairs, head):
            found = _refitted(scorer, found, head, [pair for pair in pairs if pair.task == head])
    return found


def _enough(pairs: Sequence[Pair], head: str) -> bool:
    positive = [pair.positive for pair in pairs if pair.task == head]
    return min(sum(positive), len(positive) - sum(positive)) >= LEAST


def _refitted(scorer: RawScorer, base: Fitted, head: Head, pairs: Sequence[Pair]) -> Fitted:
    logits = scorer.of(pairs)
    found = scaled(base.calibration, head, logits, [pair.label for pair in pairs])
    truth = np.array([pair.positive for pair in pairs])
    rows = found.of(head, logits).reshape(len(pairs), -1)
    found = measured(found, head, truth, rows[:, 0])
    points = POINTS[head]
    found = with_points(found, {name: points(pairs, truth, rows, costs) for name, costs in COSTS.items()})
    if head == "relevance":
        _, best = _maxima([pair.key for pair in pairs], truth, rows[:, 0])
        found = replace(found, quantiles={**found.quantiles, "question": quantiles(best)})
    kinds, passed, name, failed = CHOSEN[head]
    cuts = {passed: getattr(found.thresholds["normal"], name), failed: -np.inf}
    return Fitted(found, (*base.curves, *described(f"{head} pairs", kinds, truth, rows[:, 0], cuts)))


def _passage_points(pairs: Sequence[Pair], truth: NDArray[np.bool_], rows: Floats, costs: Costs) -> Mapping[str, float]:
    held, best = _maxima([pair.key for pair in pairs], truth, rows[:, 0])
    found = {"strip": balanced_cut(truth, rows[:, 0], costs.strip)}
    if 0 < held.sum() < len(held):
        upper = balanced_cut(held, best, costs.upper, slack=SLACK)
        lower = min(upper, balanced_cut(held, best, costs.lower))
        found |= {"upper": upper, "lower": lower}
    return within(**found)


def _answer_points(pairs: Sequence[Pair], truth: NDArray[np.bool_], rows: Floats, costs: Costs) -> Mapping[str, float]:
    held, best = _maxima([pair.key for pair in pairs], truth, rows[:, 0])
    return within(abstention=balanced_cut(held, best, costs.abstention)) if 0 < held.sum() < len(held) else {}


def _sentence_points(
    pairs: Sequence[Pair], truth: NDArray[np.bool_], rows: Floats, costs: Costs
) -> Mapping[str, float]:
    held, best = _maxima([f"{pair.key} {pair.second}" for pair in pairs], truth, rows[:, 0])
    found = {"support": balanced_cut(held, best, costs.support)} if 0 < held.sum() < len(held) else {}
    against = np.array([pair.label == CONTRADICTION for pair in pairs])
    if against.sum() >= LEAST:
        found["contradiction"] = balanced_cut(against, rows[:, 2], costs.contradiction)
    return within(**found)


def _maxima(keys: Sequence[str], truth: NDArray[np.bool_], scores: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Whether any pair of a key is positive, and the key's largest score."""
    distinct = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([distinct[key] for key in keys])
    held, best = np.zeros(len(distinct), dtype=bool), np.zeros(len(distinct))
    np.logical_or.at(held, groups, truth)
    np.maximum.at(best, groups, scores)
    return held, best


POINTS = {"relevance": _passage_points, "usefulness": _answer_points, "nli": _sentence_points}
CHOSEN = {
    "relevance": (("relevant", "irrelevant"), "kept", "strip", "dropped"),
    "usefulness": (("useful", "useless"), "given", "abstention", "not given"),
    "nli": (("true", "false"), "supported", "support", "not supported"),
}
"""What the classes are called, and what is said above and below which point."""
