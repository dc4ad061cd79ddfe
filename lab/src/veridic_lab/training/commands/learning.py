"""`veridic train`, `teach`, `export` and `promote`, as plain functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from veridic.errors import MissingExtra
from veridic.models.onnx_encoder import SHIPPED
from veridic_lab.training.pairs import Pair

if TYPE_CHECKING:
    from veridic_lab.training.promotion import Verdict
    from veridic_lab.training.recipe import Recipe

COMPARED = 400
"""Pairs of a set that two judges are compared on."""


def _need_torch() -> None:
    try:
        import onnx
        import torch

        del onnx, torch
    except ImportError as error:
        raise MissingExtra("Training and export need torch.", "Run `pip install 'veridic[train]'`.") from error


def train(recipe: Recipe, out: Path, plan: Mapping[str, Any], *, base: Path | None = None, threads: int = 0) -> float:
    """Train the judge by the recipe, or go on where `out` was interrupted.

    Returns the mean held-out balanced accuracy of `judge.pt` in `out`, which is what to export.
    On a CPU that does other work `OMP_WAIT_POLICY=PASSIVE` saves half of the time, and
    `MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=4000000000` much of the rest.
    """
    _need_torch()
    from veridic_lab.training.session import train_judge

    return train_judge(recipe, out, base=base, threads=threads, plan=plan)


def teach(recipe: Recipe, checkpoint: Path, out: Path, *, base: Path | None, seed: int, threads: int) -> int:
    """Write a teacher's soft labels of the recipe's pairs and of unlabelled ones; returns their number."""
    _need_torch()
    from veridic_lab.training.session import write_soft_labels

    return write_soft_labels(recipe, checkpoint, out, base=base, seed=seed, threads=threads)


def promote(new: Path, place: Path, sets: Mapping[str, Sequence[Pair]], *, threads: int) -> Verdict:
    """Compare a judge with the one in its future place, or with the shipped one, and put it there if it is better."""
    from veridic_lab.training import promotion

    old = place if place.is_dir() else SHIPPED / "judge"
    found = promotion.compare(old, new, sets, threads=threads)
    if found.promoted:
        promotion.promote(new, place)
    return found


def held_out_sets(data: Path | None, log: Path | None) -> dict[str, list[Pair]]:
    """What judges are compared on: held-out rows of a data folder and of a log."""
    from veridic_lab.training.calibrate import sample
    from veridic_lab.training.log import read_log
    from veridic_lab.training.recipe import held_out_of, split_by_source

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
    from veridic_lab.training.session import export_from

    return export_from(data, checkpoint, out, base=base, kind=kind)
