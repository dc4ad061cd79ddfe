"""`veridic score`, as a plain function."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal

from veridic.errors import UsageError
from veridic.evidence.alterations import alteration
from veridic.models.by_settings import open_judges
from veridic.ports.judging import Critic, RetrievalEvaluator
from veridic.settings import Settings
from veridic_lab.training.metrics import auc, balanced_accuracy, expected_calibration_error
from veridic_lab.training.pairs import Row, read_rows

CHUNK = 2000
NEVER = float("inf")


def score(
    head: Literal["evaluator", "critic"],
    source: Path,
    settings: Settings,
    *,
    metrics: bool = False,
    out: IO[str] | None = None,
) -> dict[str, float]:
    """Write each row of a JSONL file with its scores and the decision at the fitted point.

    With `metrics` the rows must have labels, and the result holds balanced accuracy, AUC, ECE.
    """
    stream = out or sys.stdout
    evaluator, critic = open_judges(settings)
    truth: list[bool] = []
    scores: list[float] = []
    decided: list[bool] = []
    for rows in _chunks(read_rows(source)):
        scored = _relevance(evaluator, rows) if head == "evaluator" else _entailment(critic, rows)
        for row, found in zip(rows, scored, strict=True):
            stream.write(json.dumps({**row, **found}, ensure_ascii=False) + "\n")
            if metrics:
                truth.append(_positive(row))
                scores.append(float(found["relevance" if head == "evaluator" else "entailment"]))
                decided.append(bool(found["decision"]))
    if not metrics:
        return {}
    return {
        "pairs": float(len(truth)),
        "balanced_accuracy": balanced_accuracy(truth, decided),
        "auc": auc(truth, scores),
        "ece": expected_calibration_error(truth, scores),
    }


def _relevance(evaluator: RetrievalEvaluator, rows: Sequence[Row]) -> Iterator[Mapping[str, float | bool]]:
    strip = evaluator.thresholds("normal").strip
    for found in evaluator.score(_texts(rows, "query", "passage"), deadline=NEVER):
        yield {"relevance": found.probability, "decision": found.probability >= strip}


def _entailment(critic: Critic, rows: Sequence[Row]) -> Iterator[Mapping[str, float | bool]]:
    """As in the graph, a near copy in which something was changed is not supported, whatever the critic says."""
    support = critic.thresholds("normal").support
    pairs = _texts(rows, "premise", "hypothesis")
    for (premise, hypothesis), found in zip(pairs, critic.judge(pairs, deadline=NEVER), strict=True):
        yield {
            "entailment": found.entailment,
            "neutral": found.neutral,
            "contradiction": found.contradiction,
            "decision": found.entailment >= support and alteration(hypothesis, premise) is None,
        }


def _texts(rows: Sequence[Row], first: str, second: str) -> list[tuple[str, str]]:
    try:
        return [(str(row[first]), str(row[second])) for row in rows]
    except KeyError as error:
        raise UsageError(f"A row has no {error} field.", f"Each row needs {first!r} and {second!r}.") from error


def _positive(row: Row) -> bool:
    if "label" not in row:
        raise UsageError("A row has no 'label'.", "Metrics need labelled rows.")
    return row["label"] in (1, True, "1", "entailment", "supported")


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
