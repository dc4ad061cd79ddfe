"""`veridic score`: the rows of a JSONL file written back with what a judge or the reader says of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal

from veridic.errors import UsageError
from veridic.models.by_settings import open_judges, open_reader
from veridic.models.fitting import auc, expected_calibration_error
from veridic.models.scorers import TrainedCritic, TrainedEvaluator
from veridic.ports.judging import Reader
from veridic.settings import Settings
from veridic_lab.training.metrics import balanced_accuracy
from veridic_lab.training.pairs import Row, read_rows
from veridic_lab.training.reading.measuring import measured
from veridic_lab.training.reading.rows import read_readings

CHUNK = 500
NEVER = float("inf")
Told = Mapping[str, Any]
Says = Callable[[Sequence[Row]], Iterator[Told]]


def score(
    judge: Literal["evaluator", "critic", "reader"],
    source: Path,
    settings: Settings,
    out: IO[str],
    *,
    metrics: bool = False,
) -> dict[str, float]:
    """Write each row with its scores, and the decision at the fitted point; with `metrics` return how well.

    For metrics the rows have labels: `label`, or for the reader `kind` and `answers`.
    """
    if judge == "reader":
        reader = open_reader(settings)
        _written(source, lambda rows: _read(reader, rows), out)
        return measured(reader, read_readings(source)) if metrics else {}
    evaluator, critic = open_judges(settings)
    says: Says = (
        (lambda rows: _relevance(evaluator, rows)) if judge == "evaluator" else (lambda rows: _entailment(critic, rows))
    )
    told = _written(source, says, out)
    return _measured(told, "relevance" if judge == "evaluator" else "entailment") if metrics else {}


def _written(source: Path, says: Says, out: IO[str]) -> list[Row]:
    rows, told = list(read_rows(source)), list[Row]()
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        for row, found in zip(chunk, says(chunk), strict=True):
            told.append({**row, **found})
            out.write(json.dumps(told[-1], ensure_ascii=False) + "\n")
    return told


def _measured(told: Sequence[Row], name: str) -> dict[str, float]:
    truth = [_positive(row) for row in told]
    scores = [float(row[name]) for row in told]
    return {
        "pairs": float(len(truth)),
        "balanced_accuracy": balanced_accuracy(truth, [bool(row["decision"]) for row in told]),
        "auc": auc(truth, scores),
        "ece": expected_calibration_error(truth, scores),
    }


def _positive(row: Row) -> bool:
    if "label" not in row:
        raise UsageError("A row has no 'label'.", "Metrics need labelled rows.")
    return row["label"] in (1, True, "1", "entailment", "supported")


def _relevance(evaluator: TrainedEvaluator, rows: Sequence[Row]) -> Iterator[Told]:
    strip = evaluator.thresholds("normal").strip
    for found in evaluator.score(_texts(rows, "query", "passage"), deadline=NEVER):
        yield {"relevance": found.probability, "decision": found.probability >= strip}


def _entailment(critic: TrainedCritic, rows: Sequence[Row]) -> Iterator[Told]:
    support = critic.thresholds("normal").support
    pairs = _texts(rows, "premise", "hypothesis")
    for found in critic.judge(pairs, deadline=NEVER):
        three = {name: getattr(found, name) for name in ("entailment", "neutral", "contradiction")}
        yield {**three, "decision": found.entailment >= support}


def _read(reader: Reader, rows: Sequence[Row]) -> Iterator[Told]:
    asked = _texts(rows, "question", "context")
    pairs = [
        (question, f"{row.get('title', '')}\n{context}") for row, (question, context) in zip(rows, asked, strict=True)
    ]
    for (_, text), found in zip(pairs, reader.read(pairs, deadline=NEVER), strict=True):
        best = found.spans[0] if found.spans else None
        read = {"read": text[best.start : best.end] if best else "", "margin": best.margin if best else None}
        yield {**read, "yes": found.yes, "no": found.no, "undecided": found.undecided}


def _texts(rows: Sequence[Row], first: str, second: str) -> list[tuple[str, str]]:
    try:
        return [(str(row[first]), str(row[second])) for row in rows]
    except KeyError as error:
        raise UsageError(f"A row has no {error} field.", f"Each row needs {first!r} and {second!r}.") from error
