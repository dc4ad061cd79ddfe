"""A training run of the reader from the data folder to files."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import SHIPPED
from veridic_lab.training.loop import Plan
from veridic_lab.training.metrics import mean_of
from veridic_lab.training.network import average, freeze, load_base
from veridic_lab.training.reading.mixture import WEIGHTS, ReadingMixture, build, labelled_readings
from veridic_lab.training.reading.network import ReaderNetwork, from_judge
from veridic_lab.training.reading.rows import Reading, split
from veridic_lab.training.reading.ship import export_reader
from veridic_lab.training.reading.trainer import ReaderTrainer
from veridic_lab.training.restore import restore
from veridic_lab.training.ship import base_folder, sources_of

CHECKED = 150
"""Held-out rows of a set that a check during training reads."""


@dataclass(frozen=True)
class ReaderRecipe:
    """One run's choices beside its plan."""

    data: Path
    start: Path | None = None
    """A reader's checkpoint or exported folder whose weights are the first ones; else the shipped judge's encoder."""
    keep: float = 0.0
    """Share of the first weights in the mean that training ends with, as in `veridic_lab.training.recipe`."""
    more: tuple[str, ...] = ()
    """Sets that may not ship, learned from beside."""
    without: frozenset[str] = frozenset()
    """Sets that are left out."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How often an epoch shows a set, where not as usual."""


def train_reader(recipe: ReaderRecipe, out: Path, *, base: Path | None, threads: int, plan: Mapping[str, Any]) -> float:
    """Train, resuming where `out` has a checkpoint; returns the mean held-out score of what is in `reader.pt`."""
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(int(plan["seed"]))
    base = base or base_folder()
    mixture = _mixture(recipe, threads, int(plan["seed"]))
    network = first_reader(base, recipe.start)
    first = {name: value.clone() for name, value in network.state_dict().items()}
    freeze(network, 0)
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    trainer = ReaderTrainer(network, tokenizer, Plan(**plan), out)
    if trainer.resume():
        sys.stderr.write(f"Resumed at step {trainer.state.step}.\n")
    _write_settings(out, recipe, plan, mixture)
    held = checked(mixture.test)
    trainer.run(mixture.train, {**WEIGHTS, **recipe.weights}, held)
    network.load_state_dict(torch.load(out / "best.pt", weights_only=True))
    average(network, first, recipe.keep)
    torch.save(network.state_dict(), out / "reader.pt")
    return mean_of(list(trainer.scores(held).values()))


def export_from(data: Path, checkpoint: Path, out: Path, *, base: Path | None) -> dict[str, Any]:
    """Export a checkpoint as a reader's folder; returns its card. It is calibrated afterwards."""
    base = base or base_folder()
    network = first_reader(base, checkpoint)
    _, held = split(labelled_readings(data))
    rows = [row for rows in checked(held).values() for row in rows]
    rows = [rows[i] for i in np.random.default_rng(2).permutation(len(rows))]
    progress = _read(checkpoint.parent / "progress.json")
    about = {
        "base": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, by way of the shipped judge's encoder",
        "trained": _read(checkpoint.parent / "settings.json"),
        **sources_of(__package__),
        "steps": progress["step"],
        "held_out": progress["history"][-1] if progress["history"] else {},
    }
    return export_reader(network, base, out, rows, about)


def first_reader(base: Path, start: Path | None) -> ReaderNetwork:
    """A reader with a checkpoint's weights, or on the shipped judge's encoder."""
    judge = load_base(base)
    restore(judge, SHIPPED / "judge")
    network = from_judge(judge)
    if start and start.is_dir():
        restore(network, start)
    elif start:
        saved = torch.load(start, weights_only=True)
        network.load_state_dict(saved.get("network", saved))
    return network


def checked(test: Mapping[str, Sequence[Reading]]) -> dict[str, list[Reading]]:
    """A small sample of each held-out set."""
    rng = np.random.default_rng(1)
    return {name: [rows[i] for i in rng.permutation(len(rows))[:CHECKED]] for name, rows in test.items()}


def _mixture(recipe: ReaderRecipe, threads: int, seed: int) -> ReadingMixture:
    found = build(recipe.data, OnnxEmbedder(threads=threads), seed=seed, more=recipe.more)
    return ReadingMixture({name: rows for name, rows in found.train.items() if name not in recipe.without}, found.test)


def _write_settings(out: Path, recipe: ReaderRecipe, plan: Mapping[str, Any], mixture: ReadingMixture) -> None:
    weights = {**WEIGHTS, **recipe.weights}
    sizes = {
        name: {"train": len(rows), "held_out": len(mixture.test.get(name, ())), "weight": weights.get(name, 1.0)}
        for name, rows in mixture.train.items()
    }
    settings = {
        "plan": dict(plan),
        "before": _trained(recipe.start),
        "keep": recipe.keep,
        "more": recipe.more,
        "sets": sizes,
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def _trained(start: Path | None) -> dict[str, Any] | None:
    """What made the first weights, as far as it is written beside them."""
    if start is None:
        return None
    place = start if start.is_dir() else start.parent
    names = ("card.json",) if start.is_dir() else ("settings.json", "progress.json")
    found = {key: told for name in names if (place / name).is_file() for key, told in _read(place / name).items()}
    return {key: found[key] for key in ("trained", "plan", "before", "step", "steps", "fingerprint") if key in found}


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
