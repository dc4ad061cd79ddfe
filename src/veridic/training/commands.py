"""What `veridic train`, `export`, `calibrate` and `score` do, as plain functions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from veridic.errors import MissingExtra, UsageError
from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxCritic, OnnxEvaluator, OnnxJudge
from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import SHIPPED
from veridic.training.metrics import auc, balanced_accuracy, expected_calibration_error
from veridic.training.pairs import Row, read_rows

if TYPE_CHECKING:
    from veridic.training.scoring import RawScorer

Head = Literal["evaluator", "critic"]
CHUNK = 2000


def _need_torch() -> None:
    try:
        import onnx
        import torch

        del onnx, torch
    except ImportError as error:
        raise MissingExtra("Training and export need torch.", "Run `pip install 'veridic[train]'`.") from error


def train(
    data: Path,
    out: Path,
    *,
    base: Path | None = None,
    steps: int = 6000,
    minutes: float = 90.0,
    learning_rate: float = 1.5e-4,
    seed: int = 7,
    threads: int = 0,
) -> float:
    """Train the judge on the data folder, or go on where `out` was interrupted.

    Returns the best mean held-out balanced accuracy; `best.pt` in `out` is what to export.
    On a CPU that does other work `OMP_WAIT_POLICY=PASSIVE` saves half of the time, and
    `MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=4000000000` much of the rest.
    """
    _need_torch()
    from veridic.training.session import train_judge

    return train_judge(
        data,
        out,
        base=base,
        threads=threads,
        plan={"steps": steps, "minutes": minutes, "learning_rate": learning_rate, "seed": seed},
    )


def export(
    data: Path, checkpoint: Path, out: Path, *, base: Path | None = None, kind: Literal["judge", "embedder"] = "judge"
) -> dict[str, Any]:
    """Write model, tokenizer, card and stored answers to `out`; returns the card.

    The judge must be calibrated before it is used.
    """
    _need_torch()
    from veridic.training.session import export_from

    return export_from(data, checkpoint, out, base=base, kind=kind)


def calibrate(
    data: Path, folder: Path = SHIPPED / "judge", *, out: Path | None = None, threads: int = 0
) -> Calibration:
    """Fit scales and thresholds on labelled data; write and return them.

    A folder with the standard sets is used as they are meant, held-out rows only, with
    decisions built over a merged corpus. Any other folder's JSONL pairs are used as they
    stand, over the judge's present calibration.
    """
    from veridic.training.scoring import RawScorer

    scorer = RawScorer(folder, threads=threads)
    if any(data.rglob("xquad_en.qa.jsonl*")):
        found = _standard(scorer, data, threads)
    else:
        from veridic.training.own import calibrated_on, labelled_in

        base = Calibration.read(folder / "calibration.json", scorer.judge.fingerprint)
        found = calibrated_on(scorer, base, labelled_in(data))
    found.write(out or folder / "calibration.json")
    return found


def _standard(scorer: RawScorer, data: Path, threads: int) -> Calibration:
    from veridic.training.calibrate import calibrated, scales
    from veridic.training.cases import question_cases, sentence_cases
    from veridic.training.mixture import held_out_pairs

    base = scales(scorer, held_out_pairs(data))
    questions = question_cases(data, OnnxEmbedder(threads=threads).embed)
    return calibrated(scorer, base, questions, sentence_cases(data))[0]


def score(
    head: Head,
    source: Path,
    *,
    folder: Path = SHIPPED / "judge",
    calibration: Path | None = None,
    metrics: bool = False,
    threads: int = 0,
    out: IO[str] | None = None,
) -> dict[str, float]:
    """Write each row of a JSONL file with its scores and the decision at the fitted point.

    With `metrics` the rows must have labels, and the result holds balanced accuracy, AUC, ECE.
    """
    stream = out or sys.stdout
    judge = OnnxJudge(folder, threads=threads, calibration=calibration)
    truth: list[bool] = []
    scores: list[float] = []
    decided: list[bool] = []
    for rows in _chunks(read_rows(source)):
        for row, found in zip(rows, _scored(head, judge, rows), strict=True):
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


def _scored(head: Head, judge: OnnxJudge, rows: Sequence[Row]) -> Iterator[Mapping[str, float | bool]]:
    never = float("inf")
    points = judge.calibration.thresholds["normal"]
    if head == "evaluator":
        for relevance in OnnxEvaluator(judge).score(_texts(rows, "query", "passage"), deadline=never):
            yield {"relevance": relevance.probability, "decision": relevance.probability >= points.strip}
        return
    for found in OnnxCritic(judge).judge(_texts(rows, "premise", "hypothesis"), deadline=never):
        yield {
            "entailment": found.entailment,
            "neutral": found.neutral,
            "contradiction": found.contradiction,
            "decision": found.entailment >= points.support,
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


def summary(found: Calibration) -> str:
    """A calibration in a few lines."""
    lines = [f"scorer {found.fingerprint}, fitted {found.date}"]
    for name, point in found.thresholds.items():
        values = ", ".join(f"{key} {value:.3f}" for key, value in vars(point).items())
        lines.append(f"{name}: {values}")
    lines.append("AUC: " + ", ".join(f"{key} {value:.3f}" for key, value in found.auc.items()))
    lines.append("ECE: " + ", ".join(f"{key} {value:.3f}" for key, value in found.ece.items()))
    return "\n".join(lines)
