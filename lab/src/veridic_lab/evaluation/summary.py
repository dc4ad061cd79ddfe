"""The numbers of a run: every metric of every system with its interval, and the pairs against the first system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from veridic.errors import UsageError
from veridic.models.fitting import resamples
from veridic_lab.bootstrap import Floats, Statistic, interval
from veridic_lab.evaluation.journal import rows_in
from veridic_lab.evaluation.metric import Metric, verdict
from veridic_lab.evaluation.metrics import metrics_of
from veridic_lab.evaluation.plan import ROWS, Plan, read_plan
from veridic_lab.evaluation.scores import Score, scored

Scores = Mapping[str, Sequence[Score]]
"""By system, each in the plan's order of questions."""


def read_scores(out: Path, plan: Plan) -> dict[str, list[Score]]:
    """The scores of a run's rows, by system. Raises `UsageError` when there are none."""
    order = {identifier: place for place, identifier in enumerate(plan.identity.questions)}
    by_system: dict[str, dict[str, Score]] = {name: {} for name in plan.identity.systems}
    for row in rows_in(out / ROWS) if (out / ROWS).exists() else ():
        if row["system"] in by_system and row["question"]["id"] in order:
            by_system[row["system"]].setdefault(row["question"]["id"], scored(row))
    if not any(by_system.values()):
        raise UsageError(f"{out} holds no rows yet.", "Run the same `veridic eval run` again; it goes on.")
    return {
        name: sorted(found.values(), key=lambda score: order[score.question.id]) for name, found in by_system.items()
    }


def summarised(out: Path) -> dict[str, Any]:
    """What `veridic eval run --json` prints."""
    plan = read_plan(out)
    scores = read_scores(out, plan)
    metrics = metrics_of(plan.identity.suite)
    first, *others = plan.identity.systems
    return {
        "schema_version": 1,
        "suite": plan.identity.suite,
        "model": plan.identity.model,
        "seed": plan.identity.seed,
        "questions": {name: len(found) for name, found in scores.items()},
        "planned": len(plan.identity.questions),
        "systems": {name: of_system(found, metrics) for name, found in scores.items()},
        "paired": {name: of_pair(scores[first], scores[name], metrics) for name in others},
    }


def of_system(scores: Sequence[Score], metrics: Mapping[str, Metric]) -> dict[str, Any]:
    """`{metric: {value, low, high, n}}`, n the questions that count; a metric that nothing counts for is null."""
    weights = resamples([score.question.group for score in scores])
    found: dict[str, Any] = {}
    for name, metric in metrics.items():
        one = interval(metric.of(scores), weights)
        found[name] = {**vars(one), "n": _number(metric, scores)} if one else None
    return found


def of_pair(first: Sequence[Score], other: Sequence[Score], metrics: Mapping[str, Metric]) -> dict[str, Any]:
    """`{metric: {difference, low, high, n, verdict}, ratio_p50: {value, low, high}}` on the questions both answered.

    A difference is the other system's value less the first's.
    """
    both = {score.question.id for score in first} & {score.question.id for score in other}
    ours = [score for score in other if score.question.id in both]
    theirs = [score for score in first if score.question.id in both]
    weights = resamples([score.question.group for score in theirs])
    found: dict[str, Any] = {}
    for name, metric in metrics.items():
        number = min(_number(metric, ours), _number(metric, theirs))
        found[name] = _difference(metric, metric.of(ours), metric.of(theirs), weights, number)
    median = metrics["seconds_p50"]
    quotient = _joined(median.of(ours), median.of(theirs), np.divide)
    ratio = interval(quotient, weights)
    return {**found, "ratio_p50": vars(ratio) if ratio else None}


def _difference(
    metric: Metric, ours: Statistic, theirs: Statistic, weights: Floats, number: int
) -> dict[str, Any] | None:
    found = interval(_joined(ours, theirs, np.subtract), weights)
    if found is None:
        return None
    said = verdict(metric.better, found.value, found.low, found.high, number)
    return {"difference": found.value, "low": found.low, "high": found.high, "n": number, "verdict": said}


def _number(metric: Metric, scores: Sequence[Score]) -> int:
    return sum(metric.counts(score) for score in scores)


def _joined(ours: Statistic, theirs: Statistic, join: Any) -> Statistic:  # noqa: ANN401 - a numpy ufunc
    return lambda weights: join(ours(weights), theirs(weights))
