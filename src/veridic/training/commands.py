"""What `veridic train`, `export`, `calibrate` and `score` do, as plain functions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from veridic.errors import MissingExtra, UsageError
from veridic.models.calibration import Calibration
from veridic.models.embedder import OnnxEmbedder
from veridic.models.judges import judge_folder, open_judges
from veridic.models.onnx_encoder import SHIPPED
from veridic.protocols import Critic, RetrievalEvaluator
from veridic.settings import Settings
from veridic.training.metrics import auc, balanced_accuracy, expected_calibration_error
from veridic.training.pairs import Pair, Row, read_rows

if TYPE_CHECKING:
    from veridic.training.calibrate import Fitted
    from veridic.training.promotion import Verdict
    from veridic.training.recipe import Recipe
    from veridic.training.scoring import Head

AnyHead = Literal["both", "evaluator", "critic"]
HEADS: Mapping[AnyHead, tuple[Head, ...]] = {
    "both": ("relevance", "nli"),
    "evaluator": ("relevance",),
    "critic": ("nli",),
}
CHUNK = 2000
COMPARED = 400
"""Pairs of a set that two judges are compared on."""
NEVER = float("inf")


def _need_torch() -> None:
    try:
        import onnx
        import torch

        del onnx, torch
    except ImportError as error:
        raise MissingExtra("Training and export need torch.", "Run `pip install 'veridic[train]'`.") from error


def train(recipe: Recipe, out: Path, plan: Mapping[str, Any], *, base: Path | None = None, threads: int = 0) -> float:
    """Train the judge by the recipe, or go on where `out` was interrupted.

    Returns the best mean held-out balanced accuracy; `best.pt` in `out` is what to export.
    On a CPU that does other work `OMP_WAIT_POLICY=PASSIVE` saves half of the time, and
    `MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=4000000000` much of the rest.
    """
    _need_torch()
    from veridic.training.session import train_judge

    return train_judge(recipe, out, base=base, threads=threads, plan=plan)


def teach(recipe: Recipe, checkpoint: Path, out: Path, *, base: Path | None, seed: int, threads: int) -> int:
    """Write a teacher's soft labels of the recipe's pairs and of unlabelled ones; returns their number."""
    _need_torch()
    from veridic.training.session import write_soft_labels

    return write_soft_labels(recipe, checkpoint, out, base=base, seed=seed, threads=threads)


def promote(new: Path, place: Path, sets: Mapping[str, Sequence[Pair]], *, threads: int) -> Verdict:
    """Compare a judge with the one in its future place, or with the shipped one, and put it there if it is better."""
    from veridic.training import promotion

    old = place if place.is_dir() else SHIPPED / "judge"
    found = promotion.compare(old, new, sets, threads=threads)
    if found.promoted:
        promotion.promote(new, place)
    return found


def held_out_sets(data: Path | None, log: Path | None) -> dict[str, list[Pair]]:
    """What judges are compared on: held-out rows of a data folder and of a log."""
    from veridic.training.calibrate import sample
    from veridic.training.log import read_log
    from veridic.training.recipe import held_out_of, split_by_source

    found = held_out_of(data) if data else {}
    if log:
        found |= split_by_source(read_log(log).people).test
    return {name: sample(pairs, COMPARED) for name, pairs in found.items()}


def export(
    data: Path, checkpoint: Path, out: Path, *, base: Path | None = None, kind: Literal["judge", "embedder"] = "judge"
) -> dict[str, Any]:
    """Write model, tokenizer, card and stored answers to `out`; returns the card.

    The judge must be calibrated before it is used.
    """
    _need_torch()
    from veridic.training.session import export_from

    return export_from(data, checkpoint, out, base=base, kind=kind)


def calibrate(data: Path, settings: Settings, head: AnyHead = "both", *, out: Path) -> Fitted:
    """Fit scales and thresholds of the settings' judges on labelled data; write and return them.

    A folder with the standard sets is used as they are meant, held-out rows only, with
    decisions built over a merged corpus. Any other folder's JSONL pairs are used as they
    stand, over the judge's present calibration. Raises `UsageError` when both heads are
    asked for and have different weights: a file is one scorer's.
    """
    from veridic.training.calibrate import calibrated_on_standard
    from veridic.training.own import calibrated_on, labelled_in
    from veridic.training.recipe import is_standard
    from veridic.training.scoring import RawScorer

    scorer = RawScorer.open(settings)
    heads = HEADS[head]
    fingerprints = {scorer.fingerprint(name) for name in heads}
    if len(fingerprints) > 1:
        raise UsageError("Evaluator and critic are two models here.", "Calibrate each into a file of its own.")
    base = present(settings, fingerprints.pop())
    if is_standard(data):
        found = calibrated_on_standard(scorer, base, heads, data, OnnxEmbedder(threads=settings.threads).embed)
    else:
        found = calibrated_on(scorer, base, heads, labelled_in(data))
    found.calibration.write(out)
    return found


def present(settings: Settings, fingerprint: str) -> Calibration:
    """The scorer's calibration in the settings' files or beside its weights; without any the identity."""
    stored = [folder / "calibration.json" for folder in _folders(settings)]
    files = (*settings.calibration, *(path for path in stored if path.is_file()))
    return Calibration.among(files, fingerprint) or Calibration.identity(fingerprint)


def _folders(settings: Settings) -> list[Path]:
    return [judge_folder(settings), *(Path(name) for name in (settings.evaluator, settings.critic) if name)]


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
    support = critic.thresholds("normal").support
    for found in critic.judge(_texts(rows, "premise", "hypothesis"), deadline=NEVER):
        yield {
            "entailment": found.entailment,
            "neutral": found.neutral,
            "contradiction": found.contradiction,
            "decision": found.entailment >= support,
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


def summary(found: Fitted) -> str:
    """A calibration in a few lines, with its curves."""
    calibration = found.calibration
    lines = [f"scorer {calibration.fingerprint}, fitted {calibration.date}"]
    for name, point in calibration.thresholds.items():
        values = ", ".join(f"{key} {value:.3f}" for key, value in vars(point).items())
        lines.append(f"{name}: {values}")
    lines.append("AUC: " + ", ".join(f"{key} {value:.3f}" for key, value in calibration.auc.items()))
    lines.append("ECE: " + ", ".join(f"{key} {value:.3f}" for key, value in calibration.ece.items()))
    return "\n".join((*lines, *found.curves))
