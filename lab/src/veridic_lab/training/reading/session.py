"""A training run of the reader from the data folder to files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import SHIPPED
from veridic_lab.training.loop import Plan, write_settings
from veridic_lab.training.metrics import mean_of
from veridic_lab.training.network import freeze, load_base
from veridic_lab.training.reading.mixture import WEIGHTS, build, labelled_readings
from veridic_lab.training.reading.network import ReaderNetwork, from_judge
from veridic_lab.training.reading.rows import Reading, split
from veridic_lab.training.reading.ship import export_reader
from veridic_lab.training.reading.trainer import ReaderTrainer
from veridic_lab.training.recipe import Recipe
from veridic_lab.training.restore import restore, start_from
from veridic_lab.training.session import of_run
from veridic_lab.training.ship import base_folder
from veridic_lab.training.tables import table

CHECKED = 150
"""Held-out rows of a set that a check during training reads."""


def train_reader(recipe: Recipe, out: Path, *, base: Path | None, threads: int, plan: Mapping[str, Any]) -> float:
    """Train, resuming where `out` has a checkpoint; returns the mean held-out score of what is in `reader.pt`."""
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(int(plan["seed"]))
    base = base or base_folder()
    mixture = build(recipe.data, OnnxEmbedder(threads=threads), seed=int(plan["seed"]))
    train = {name: rows for name, rows in mixture.train.items() if name not in recipe.without}
    network = first_reader(base, recipe.start)
    freeze(network)
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    trainer = ReaderTrainer(network, tokenizer, Plan(**plan), out)
    weights = {**WEIGHTS, **recipe.weights}
    told = {"plan": dict(plan), "start": recipe.start and recipe.start.name, "keep": recipe.keep}
    write_settings(out, train, mixture.test, weights, **told)
    held = checked(mixture.test)
    trainer.finish(train, weights, held, keep=recipe.keep)
    torch.save(network.state_dict(), out / "reader.pt")
    return mean_of(list(trainer.scores(held).values()))


def export_from(data: Path, checkpoint: Path, out: Path, *, base: Path | None) -> dict[str, Any]:
    """Export a checkpoint as a reader's folder; returns its card. It is calibrated afterwards."""
    base = base or base_folder()
    network = first_reader(base, checkpoint)
    _, held = split(labelled_readings(data))
    rows = [row for rows in checked(held).values() for row in rows]
    rows = [rows[i] for i in np.random.default_rng(2).permutation(len(rows))]
    settings, progress = (of_run(checkpoint, name) for name in ("settings.json", "progress.json"))
    about = {
        "base": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, by way of the shipped judge's encoder",
        "trained": settings,
        **table(__package__, "sources"),
        "steps": progress["step"],
        "held_out": progress["history"][-1] if progress["history"] else {},
    }
    return export_reader(network, base, out, rows, about)


def first_reader(base: Path, start: Path | None) -> ReaderNetwork:
    """A reader with a checkpoint's weights, or on the shipped judge's encoder."""
    judge = load_base(base)
    restore(judge, SHIPPED / "judge")
    network = from_judge(judge)
    if start:
        start_from(network, start)
    return network


def checked(test: Mapping[str, Sequence[Reading]]) -> dict[str, list[Reading]]:
    """A small sample of each held-out set."""
    rng = np.random.default_rng(1)
    return {name: [rows[i] for i in rng.permutation(len(rows))[:CHECKED]] for name, rows in test.items()}
