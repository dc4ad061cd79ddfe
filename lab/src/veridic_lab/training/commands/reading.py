"""`veridic train`, `export`, `calibrate`, `score` and `promote` for the reader, as plain functions."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from veridic.errors import MissingExtra, UsageError
from veridic.models.by_settings import open_reader
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.reader import OnnxReader
from veridic.settings import Settings
from veridic_lab.training.pairs import Row, read_rows

if TYPE_CHECKING:
    from veridic.ports.judging import Reader
    from veridic_lab.training.promotion import Verdict
    from veridic_lab.training.reading.fit import FittedReader
    from veridic_lab.training.reading.rows import Reading
    from veridic_lab.training.reading.session import ReaderRecipe

CHUNK = 500
FEWEST = 100
"""Rows that a calibration needs, and a comparison."""


def train_reader(recipe: ReaderRecipe, out: Path, plan: Mapping[str, Any], *, base: Path | None, threads: int) -> float:
    """Train by the recipe, or go on where `out` was interrupted; returns the best mean held-out score."""
    _need("torch", "onnx")
    from veridic_lab.training.reading import session

    return session.train_reader(recipe, out, base=base, threads=threads, plan=plan)


def export_reader(data: Path, checkpoint: Path, out: Path, *, base: Path | None) -> dict[str, Any]:
    """Write model, tokenizer, card and stored answers; returns the card. The reader is calibrated afterwards."""
    _need("torch", "onnx")
    from veridic_lab.training.reading import session

    return session.export_from(data, checkpoint, out, base=base)


def calibrate_reader(
    data: Path, settings: Settings, *, out: Path, told: Callable[[int, int], None] = lambda _done, _all: None
) -> FittedReader:
    """Fit P(the short answer is right) of the settings' reader by asking labelled questions of a knowledge base.

    A folder with the standard sets is used as it is meant, held-out rows only; of any other folder every
    `*.reader.jsonl` row. Raises `UsageError` for fewer than 100 rows.
    """
    _need("sklearn")
    from veridic_lab.training.reading.asked import asked_rows
    from veridic_lab.training.reading.cases import answer_cases
    from veridic_lab.training.reading.fit import fitted

    rows, others = asked_rows(data)
    if len(rows) < FEWEST:
        raise UsageError(f"{data} has {len(rows)} labelled readings.", f"At least {FEWEST} are needed.")
    reader = open_reader(settings, calibrated=False)
    with tempfile.TemporaryDirectory() as folder:
        cases = answer_cases(rows, others, reader, settings, Path(folder), told)
    if not cases:
        raise UsageError(f"For none of the questions in {data} was a text found that helps to answer.")
    found = fitted(cases, reader.fingerprint)
    found.calibration.write(out)
    return found


def score_reader(
    source: Path, settings: Settings, *, metrics: bool = False, out: IO[str] | None = None
) -> dict[str, float]:
    """Write each row of a JSONL file with what was read in its context; with `metrics` return how well.

    Rows have `question` and `context`; for metrics also `kind` and `answers`, as `veridic train reader` reads them.
    """
    from veridic_lab.training.reading.measuring import measured
    from veridic_lab.training.reading.rows import read_readings

    stream = out or sys.stdout
    reader = open_reader(settings)
    for row, found in _scored(list(read_rows(source)), reader):
        stream.write(json.dumps({**row, **found}, ensure_ascii=False) + "\n")
    return measured(reader, read_readings(source)) if metrics else {}


def promote_reader(new: Path, place: Path, data: Path, *, threads: int) -> Verdict:
    """Compare a reader with the one in its future place, or with the shipped one, and put it there if it is better."""
    from veridic_lab.training import promotion
    from veridic_lab.training.reading.asked import held_out_readings

    old = place if place.is_dir() else SHIPPED / "reader"
    found = _compared(OnnxReader(old, threads=threads), OnnxReader(new, threads=threads), held_out_readings(data))
    if found.promoted:
        promotion.promote(new, place)
    return found


def reader_summary(found: FittedReader) -> str:
    """A calibration in a few lines, with its curve."""
    calibration = found.calibration
    lines = [
        f"reader {calibration.fingerprint}, fitted {calibration.date}",
        f"AUC {calibration.auc:.3f}, ECE {calibration.ece:.3f}",
        "asked: " + ", ".join(f"{name} {count}" for name, count in calibration.fitted_on.items()),
        *(f"{kind:<13} " + "  ".join(f"{w:+.3f}" for w in weights) for kind, weights in calibration.weights.items()),
    ]
    return "\n".join((*lines, *found.curves))


def _need(*modules: str) -> None:
    try:
        for name in modules:
            __import__(name)
    except ImportError as error:
        raise MissingExtra("This needs torch and scikit-learn.", "Run `pip install 'veridic[train]'`.") from error


def _scored(rows: Sequence[Row], reader: Reader) -> Iterator[tuple[Row, dict[str, Any]]]:
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        if missing := next((name for row in chunk for name in ("question", "context") if name not in row), ""):
            raise UsageError(f"A row has no {missing!r} field.", "Each row needs 'question' and 'context'.")
        pairs = [(row["question"], f"{row.get('title', '')}\n{row['context']}") for row in chunk]
        for row, pair, found in zip(chunk, pairs, reader.read(pairs, deadline=float("inf")), strict=True):
            best = found.spans[0] if found.spans else None
            yield (
                row,
                {
                    "read": pair[1][best.start : best.end] if best else "",
                    "margin": best.margin if best else None,
                    "yes": found.yes,
                    "no": found.no,
                    "undecided": found.undecided,
                },
            )


def _compared(old: OnnxReader, new: OnnxReader, sets: Mapping[str, Sequence[Reading]]) -> Verdict:
    """Both on held-out rows: F1 of spans, balanced accuracy of decisions. Raises `UsageError` for too few rows."""
    from veridic_lab.training.promotion import WORST, Compared, Verdict
    from veridic_lab.training.reading.measuring import measured

    found: list[Compared] = []
    for name, rows in sets.items():
        if len(rows) < FEWEST:
            continue
        before, after = measured(old, rows), measured(new, rows)
        measure = next((name for name in ("f1", "decision") if name in after), None)
        if measure is None:
            continue
        found.append(Compared(name, len(rows), before[measure], after[measure]))
    if not found:
        raise UsageError("There are no held-out readings to compare on.", f"A set needs {FEWEST}.")
    worse = [f"it loses {one.old - one.new:.3f} on {one.name}" for one in found if one.new < one.old - WORST]
    gain = sum(one.new - one.old for one in found)
    objections = [*worse, *(["its mean is not higher"] if gain <= 0 else [])]
    return Verdict(tuple(found), new.calibration.ece, tuple(objections))
