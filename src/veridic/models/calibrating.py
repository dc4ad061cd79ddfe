"""Fits a calibration of evaluator or critic to labelled pairs, head by head.

A scorer of the hub calibrates itself when it is first used: on one half of the trial's pairs, never the other.
"""

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridic.errors import UsageError
from veridic.models.calibration import Calibration
from veridic.models.fitting import (
    COSTS,
    SLACK,
    Costs,
    Floats,
    auc,
    balanced_cut,
    expected_calibration_error,
    fit_binary,
    fit_three,
    within,
)
from veridic.models.opened import HUB
from veridic.models.scorers import Scorer, TrainedCritic, TrainedEvaluator
from veridic.models.trial import shipped_pairs
from veridic.ports.judgements import Strictness, Thresholds
from veridic.runtime.kept import Kept

Which = Literal["both", "evaluator", "critic"]
Head = Literal["relevance", "usefulness", "nli"]
HEADS: Mapping[Which, tuple[Head, ...]] = {
    "both": ("relevance", "usefulness", "nli"),
    "evaluator": ("relevance", "usefulness"),
    "critic": ("nli",),
}
LABELS = ("entailment", "neutral", "contradiction", "not_entailment")
CONTRADICTION = LABELS.index("contradiction")
LEAST = 20
"""Pairs of each class that a head needs to be fitted."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Labelled:
    """A pair with its label: query and passage with 0 or 1, or premise and hypothesis with one of `LABELS`."""

    first: str
    second: str
    label: int
    asks: bool
    answers: str = ""
    """The question that a hypothesis answers, where it is known."""

    @property
    def positive(self) -> bool:
        """Whether the passage helps, or the premise entails."""
        return self.label == (1 if self.asks else 0)


def labelled_pairs(path: Path) -> list[Labelled]:
    """The pairs of a JSONL file, or of all those of a folder. Raises `UsageError`."""
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    return [pair for file in files for pair in _rows(file)]


def _rows(file: Path) -> Iterator[Labelled]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read.", "Name a JSONL file of labelled pairs, or a folder.") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _pair(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise UsageError(
                    f"{file}:{number} is no labelled pair.",
                    'Rows need "query", "passage", "label": 0 or 1, or "premise", "hypothesis", '
                    f'"label": one of {", ".join(LABELS)}.',
                ) from error


def _pair(row: Mapping[str, Any]) -> Labelled:
    if "passage" in row:
        return Labelled(str(row["query"]), str(row["passage"]), (0, 1).index(row["label"]), asks=True)
    return Labelled(str(row["premise"]), str(row["hypothesis"]), LABELS.index(row["label"]), asks=False)


def logits_of(scorer: TrainedEvaluator | TrainedCritic, pairs: Sequence[Labelled], head: Head) -> NDArray[np.float32]:
    """Of each pair the logits of the window that decides: the most relevant one, or the one that entails most."""
    found = list[NDArray[np.float32]]()
    for question, own in groupby(pairs, key=lambda pair: pair.answers):
        judge = scorer.hearing(question) if question and isinstance(scorer, TrainedCritic) else scorer
        texts = [(pair.first, pair.second) for pair in own]
        found += [deciding(rows, head) for rows in judge.logits(texts, head, deadline=float("inf"))]
    return np.array(found)


def deciding(rows: NDArray[np.float32], head: Head) -> NDArray[np.float32]:
    """The logits that decide among those of a pair's windows."""
    margin = rows[:, 0] - np.logaddexp(rows[:, 1], rows[:, 2]) if head == "nli" else rows
    found: NDArray[np.float32] = rows[int(margin.argmax())]
    return found


def scaled(base: Calibration, head: Head, logits: ArrayLike, labels: Sequence[int]) -> Calibration:
    """The base with the scale and offset of one head fitted."""
    scale, offset = fit_three(logits, labels) if head == "nli" else fit_binary(logits, labels)
    return replace(base, scale={**base.scale, head: scale}, offset={**base.offset, head: np.ravel(offset).tolist()})


def measured(base: Calibration, name: str, truth: ArrayLike, probabilities: ArrayLike) -> Calibration:
    """The base with AUC and ECE of these probabilities under a name."""
    ranking, error = auc(truth, probabilities), expected_calibration_error(truth, probabilities)
    return replace(base, auc={**base.auc, name: round(ranking, 4)}, ece={**base.ece, name: round(error, 4)})


def with_points(base: Calibration, points: Mapping[Strictness, Mapping[str, float]]) -> Calibration:
    """The base with these decision points in place of its own."""
    merged: dict[Strictness, Thresholds] = {
        name: replace(old, **points.get(name, {})) for name, old in base.thresholds.items()
    }
    return replace(base, thresholds=merged)


def summary(found: Calibration) -> Iterator[str]:
    """A calibration in a few lines."""
    yield f"scorer {found.fingerprint}, fitted {found.date}"
    for name, point in found.thresholds.items():
        told = {**vars(point), "passage": point.readable}
        yield f"{name}: {', '.join(f'{key} {value:.3f}' for key, value in told.items())}"
    yield f"AUC: {', '.join(f'{key} {value:.3f}' for key, value in found.auc.items())}"
    yield f"ECE: {', '.join(f'{key} {value:.3f}' for key, value in found.ece.items())}"


def refitted(
    base: Calibration, told: str, heads: Mapping[Head, tuple[Sequence[Labelled], NDArray[np.float32]]]
) -> Calibration:
    """The base with scale, thresholds, AUC and ECE of heads fitted to the pairs and logits of each.

    `told` says what pairs they are.
    """
    found = replace(base, date=datetime.now(UTC).date().isoformat(), fitted_on=[told])
    for head, (pairs, logits) in heads.items():
        found = scaled(found, head, logits, [pair.label for pair in pairs])
        rows = found.of(head, logits).reshape(len(pairs), -1)
        found = measured(found, head, [pair.positive for pair in pairs], rows[:, 0])
        found = decided(found, head, pairs, logits)
    return found


def decided(base: Calibration, head: Head, pairs: Sequence[Labelled], logits: NDArray[np.float32]) -> Calibration:
    """The base with the points fitted at which a head decides: on the best passage of a query, or premise."""
    truth = np.array([pair.positive for pair in pairs])
    rows = base.of(head, logits).reshape(len(pairs), -1)
    held, best = _maxima([pair.second if head == "nli" else pair.first for pair in pairs], truth, rows[:, 0])
    points = {name: _points(head, costs, pairs, rows, held, best) for name, costs in COSTS.items()}
    return with_points(base, points)


def _points(
    head: Head, costs: Costs, pairs: Sequence[Labelled], rows: Floats, held: NDArray[np.bool_], best: Floats
) -> dict[str, float]:
    """The decision points of a head that the pairs can fit."""
    both = 0 < held.sum() < len(held)
    points: dict[str, float] = {}
    if head == "relevance":
        points["strip"] = balanced_cut([pair.positive for pair in pairs], rows[:, 0], costs.strip)
        if both:
            points["upper"] = balanced_cut(held, best, costs.upper, slack=SLACK)
            points["lower"] = min(points["upper"], balanced_cut(held, best, costs.lower))
            points["passage"] = min(points["lower"], balanced_cut(held, best, costs.readable))
    elif both:
        name, cost = ("abstention", costs.abstention) if head == "usefulness" else ("support", costs.support)
        points[name] = balanced_cut(held, best, cost)
    against = [pair.label == CONTRADICTION for pair in pairs]
    if head == "nli" and sum(against) >= LEAST:
        points["contradiction"] = balanced_cut(against, rows[:, 2], costs.contradiction)
    return within(**points)


def _maxima(keys: Sequence[str], truth: NDArray[np.bool_], scores: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Whether any pair of a key is positive, and the key's largest score."""
    distinct = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    groups = np.array([distinct[key] for key in keys])
    held, best = np.zeros(len(distinct), dtype=bool), np.zeros(len(distinct))
    np.logical_or.at(held, groups, truth)
    np.maximum.at(best, groups, scores)
    return held, best


def self_calibrated(scorer: Scorer, which: Which, kept: Kept) -> Calibration:
    """The calibration that this scorer found of itself, before or now; once a process. Raises what judging raises."""
    pairs = fitting_pairs(which)
    key = f"{scorer.fingerprint}-{hashlib.sha256(repr(pairs).encode()).hexdigest()[:16]}"
    return HUB.once(key, lambda: _read(kept, key) or _found(scorer, which, pairs, kept, key))


def fitting_pairs(which: Which) -> list[Labelled]:
    """The pairs that ship to calibrate by: passages for an evaluator, statements for a critic."""
    asks = which == "evaluator"
    told = [one for one in shipped_pairs() if one.half == "fit" and (one.kind == "passage") == asks]
    missed = 0 if asks else LABELS.index("not_entailment")
    held = 1 if asks else LABELS.index("entailment")
    return [Labelled(one.first, one.second, held if one.label else missed, asks=asks) for one in told]


def _read(kept: Kept, key: str) -> Calibration | None:
    """What was kept; None where nothing was that can be read."""
    with suppress(TypeError, LookupError, AttributeError):
        return Calibration.made_of(kept.read(key))
    return None


def _found(scorer: Scorer, which: Which, pairs: Sequence[Labelled], kept: Kept, key: str) -> Calibration:
    _log.warning("A model of the hub calibrates itself on %d labelled pairs, once; what it finds is kept.", len(pairs))
    heads = HEADS[which]
    logits = logits_of(TrainedCritic(scorer) if which == "critic" else TrainedEvaluator(scorer), pairs, heads[0])
    told = "the trial's pairs that are there to calibrate by"
    found = refitted(Calibration.identity(scorer.fingerprint), told, dict.fromkeys(heads, (pairs, logits)))
    kept.keep(key, asdict(found))
    return found
