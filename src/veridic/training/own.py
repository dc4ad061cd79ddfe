"""A calibration from anyone's labelled pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridic.errors import UsageError
from veridic.models.calibration import Calibration
from veridic.protocols import Strictness, Thresholds
from veridic.training.fitting import balanced_cut, fit_binary, fit_three
from veridic.training.metrics import auc, expected_calibration_error
from veridic.training.pairs import Pair, read_pairs
from veridic.training.scoring import RawScorer
from veridic.training.thresholds import CONTRADICTION, COSTS, Costs

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


def calibrated_on(scorer: RawScorer, base: Calibration, pairs: Sequence[Pair]) -> Calibration:
    """The base with scale, thresholds, AUC and ECE fitted anew for the heads that have enough pairs.

    Decisions are maxima: over the passages of a question, over the premises of a sentence.
    AUC and ECE are of the pairs that were fitted, and so are hopeful.
    """
    found = replace(base, date=datetime.now(UTC).date().isoformat(), fitted_on=sorted({p.source for p in pairs}))
    for head in ("relevance", "nli"):
        chosen = [pair for pair in pairs if pair.task == head]
        if _enough(pairs, head):
            found = _refitted(scorer, found, head, chosen)
    return found


def _enough(pairs: Sequence[Pair], head: str) -> bool:
    positive = [pair.positive for pair in pairs if pair.task == head]
    return min(sum(positive), len(positive) - sum(positive)) >= LEAST


def _refitted(scorer: RawScorer, base: Calibration, head: str, pairs: Sequence[Pair]) -> Calibration:
    logits, labels = scorer.of(pairs), [pair.label for pair in pairs]
    if head == "relevance":
        scale, shift = fit_binary(logits, labels)
        offset = [shift]
    else:
        scale, offset = fit_three(logits, labels)
    scaled = replace(base, scale={**base.scale, head: scale}, offset={**base.offset, head: offset})
    truth = np.array([pair.positive for pair in pairs])
    rows = scaled.relevance(logits)[:, None] if head == "relevance" else scaled.nli(logits)
    points: dict[Strictness, Thresholds] = {
        name: replace(base.thresholds[name], **_points(head, pairs, truth, rows, costs))
        for name, costs in COSTS.items()
    }
    return replace(
        scaled,
        thresholds=points,
        auc={**base.auc, head: round(auc(truth, rows[:, 0]), 4)},
        ece={**base.ece, head: round(expected_calibration_error(truth, rows[:, 0]), 4)},
    )


def _points(head: str, pairs: Sequence[Pair], truth: NDArray[np.bool_], rows: Floats, costs: Costs) -> dict[str, Any]:
    if head == "relevance":
        held, best = _maxima([pair.key for pair in pairs], truth, rows[:, 0])
        found = {"strip": balanced_cut(truth, rows[:, 0], costs.strip)}
        if 0 < held.sum() < len(held):
            upper = balanced_cut(held, best, costs.upper)
            lower = min(upper, balanced_cut(held, best, costs.lower))
            found |= {"upper": upper, "lower": lower, "abstention": balanced_cut(held, best, costs.abstention)}
    else:
        held, best = _maxima([f"{pair.key} {pair.second}" for pair in pairs], truth, rows[:, 0])
        found = {"support": balanced_cut(held, best, costs.support)} if 0 < held.sum() < len(held) else {}
        against = np.array([pair.label == CONTRADICTION for pair in pairs])
        if against.sum() >= LEAST:
            found["contradiction"] = balanced_cut(against, rows[:, 2], costs.contradiction)
    return {name: round(float(np.clip(value, 0.01, 0.99)), 4) for name, value in found.items()}


def _maxima(keys: Sequence[str], truth: NDArray[np.bool_], scores: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Whether any pair of a key is positive, and the key's largest score."""
    distinct = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([distinct[key] for key in keys])
    held, best = np.zeros(len(distinct), dtype=bool), np.zeros(len(distinct))
    np.logical_or.at(held, groups, truth)
    np.maximum.at(best, groups, scores)
    return held, best
