"""`veridic train`, `export`, `calibrate`, `score` and `promote` for the reader, as plain functions."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from veridic.errors import MissingExtra, UsageError
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.reader import OnnxReader
from veridic.models.readers import open_reader
from veridic.settings import Settings
from veridic.training.pairs import Row, read_rows

if TYPE_CHECKING:
    from veridic.protocols import Reader
    from veridic.training.promotion import Verdict
    from veridic.training.reading.fit import FittedReader
    from veridic.training.reading.rows import Reading
    from veridic.training.reading.session import ReaderRecipe

CHUNK = 500
FEWEST = 100
"""Rows that a calibration needs, and a comparison."""
ASKED = 1200
"""Questions that a calibration on the standard sets asks."""
CALIBRATING = ("squadshifts_new_wiki", "timeqa", "qed", "boolq", "condaqa", "stated")
"""Held-out rows of these sets fit the confidence; what the bench asks never does."""


def train_reader(recipe: ReaderRecipe, out: Path, plan: Mapping[str, Any], *, base: Path | None, threads: int) -> float:
    """Train by the recipe, or go on where `out` was interrupted; returns the best mean held-out score."""
    _need("torch", "onnx")
    from veridic.training.reading import session

    return session.train_reader(recipe, out, base=base, threads=threads, plan=plan)


def export_reader(data: Path, checkpoint: Path, out: Path, *, base: Path | None) -> dict[str, Any]:
    """Write model, tokenizer, card and stored answers; returns the card. The reader is calibrated afterwards."""
    _need("torch", "onnx")
    from veridic.training.reading import session

    return session.export_from(data, checkpoint, out, base=base)


def calibrate_reader(
    data: Path, settings: Settings, *, out: Path, told: Callable[[int, int], None] = lambda _done, _all: None
) -> FittedReader:
    """Fit P(the short answer is right) of the settings' reader by asking labelled questions of a knowledge base.

    A folder with the standard sets is used as it is meant, held-out rows only; of any other folder every
    `*.reader.jsonl` row. Raises `UsageError` for fewer than 100 rows.
    """
    _need("sklearn")
    from veridic.training.reading.cases import answer_cases
    from veridic.training.reading.fit import fitted

    rows, others = _calibrating(data)
    if len(rows) < FEWEST:
        raise UsageError(f"{data} has {len(rows)} labelled readings.", f"At least {FEWEST} are needed.")
    reader = open_reader(settings, calibrated=False)
    with tempfile.TemporaryDirectory() as folder:
        cases = answer_cases(rows, others, reader, settings, Path(folder), told)
    found = fitted(cases, reader.fingerprint)
    found.calibration.write(out)
    return found


def score_reader(
    source: Path, settings: Settings, *, metrics: bool = False, out: IO[str] | None = None
) -> dict[str, float]:
    """Write each row of a JSONL file with what was read in its context; with `metrics` return how well.

    Rows have `question` and `context`; for metrics also `kind` and `answers`, as `veridic train reader` reads them.
    """
    from veridic.training.reading.measuring import measured
    from veridic.training.reading.rows import read_readings

    stream = out or sys.stdout
    reader = open_reader(settings)
    for row, found in _scored(list(read_rows(source)), reader):
        stream.write(json.dumps({**row, **found}, ensure_ascii=False) + "\n")
    return measured(reader, read_readings(source)) if metrics else {}


def promote_reader(new: Path, place: Path, data: Path, *, threads: int) -> Verdict:
    """Compare a reader with the one in its future place, or with the shipped one, and put it there if it is better."""
    from veridic.training import promotion

    old = place if place.is_dir() else SHIPPED / "reader"
    found = _compared(OnnxReader(old, threads=threads), OnnxReader(new, threads=threads), _held_out(data))
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


def _calibrating(data: Path) -> tuple[list[Reading], list[Reading]]:
    """The rows that are asked, and rows whose texts only stand beside."""
    from veridic.training.recipe import is_standard

    held = _held_out(data)
    if not is_standard(data):
        return [row for rows in held.values() for row in rows], []
    from veridic.training.reading.mixture import labelled_readings, stated_readings
    from veridic.training.reading.rows import split

    sets = {**labelled_readings(data), "stated": stated_readings(data)}
    train, test = split(sets)
    asked = _in_turn([_shuffled(test[name]) for name in CALIBRATING if name in test])[:ASKED]
    beside = [row for name in ("squadshifts_new_wiki", "nq_gold", "boolq") for row in train[name]]
    return asked, beside


def _held_out(data: Path) -> dict[str, list[Reading]]:
    """The rows of a folder that are never learned from, by set; all rows of one that is not the standard one."""
    from veridic.training.reading.mixture import labelled_readings
    from veridic.training.reading.rows import read_readings, split
    from veridic.training.recipe import is_standard

    if is_standard(data):
        return split(labelled_readings(data))[1]
    files = sorted(path for ending in ("*.reader.jsonl", "*.reader.jsonl.gz") for path in data.rglob(ending))
    return {path.name.split(".")[0]: read_readings(path) for path in files}


def _shuffled(rows: Sequence[Reading]) -> list[Reading]:
    import numpy as np

    return [rows[int(i)] for i in np.random.default_rng(4).permutation(len(rows))]


def _in_turn(groups: Sequence[Sequence[Reading]]) -> list[Reading]:
    """One of each group in turn, so that a limit takes as many of each."""
    longest = max(map(len, groups), default=0)
    return [group[place] for place in range(longest) for group in groups if place < len(group)]


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
    from veridic.training.promotion import WORST, Compared, Verdict
    from veridic.training.reading.measuring import measured

    found: list[Compared] = []
    for name, rows in sets.items():
        if len(rows) < FEWEST:
            continue
        before, after = measured(old, rows), measured(new, rows)
        measure = "f1" if "f1" in after else "decision"
        found.append(Compared(name, len(rows), before[measure], after[measure]))
    if not found:
        raise UsageError("There are no held-out readings to compare on.", f"A set needs {FEWEST}.")
    worse = [f"it loses {one.old - one.new:.3f} on {one.name}" for one in found if one.new < one.old - WORST]
    gain = sum(one.new - one.old for one in found)
    objections = [*worse, *(["its mean is not higher"] if gain <= 0 else [])]
    return Verdict(tuple(found), new.calibration.ece, tuple(objections))
