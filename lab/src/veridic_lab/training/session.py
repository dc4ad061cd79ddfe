"""A training run and an export from the data folder to files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic.errors import UsageError
from veridic.models.embedder import OnnxEmbedder
from veridic_lab.training.loop import Plan, write_settings
from veridic_lab.training.metrics import mean_of
from veridic_lab.training.network import JudgeNetwork, freeze, load_base
from veridic_lab.training.pairs import Pair
from veridic_lab.training.reading.network import ReaderNetwork, to_judge
from veridic_lab.training.recipe import Recipe, held_out_of, is_standard, mixture_of, weights_of
from veridic_lab.training.refit import refit_usefulness
from veridic_lab.training.restore import restore, start_from
from veridic_lab.training.ship import base_folder, export_embedder, export_judge
from veridic_lab.training.tables import table
from veridic_lab.training.trainer import Trainer

CHECKED = 70
"""Pairs of a set that a check during training scores; large sets twice as many."""


def train_judge(recipe: Recipe, out: Path, *, base: Path | None, threads: int, plan: Mapping[str, Any]) -> float:
    """Train, resuming where `out` has a checkpoint; returns the mean held-out score of what is in `judge.pt`."""
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(int(plan["seed"]))
    base = base or base_folder()
    mixture = mixture_of(recipe, OnnxEmbedder(threads=threads), seed=int(plan["seed"]))
    network = load_base(base)
    if recipe.start:
        put_weights(network, recipe.start)
    freeze(network)
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    trainer = Trainer(network, tokenizer, Plan(**plan), out)
    told = {"base": base.name, "start": recipe.start and recipe.start.name, "left_out": sorted(recipe.without)}
    more = {"plan": dict(plan), "keep": recipe.keep}
    write_settings(out, mixture.train, mixture.test, weights_of(recipe), **told, **more)
    held = checked(mixture.test)
    trainer.finish(mixture.train, weights_of(recipe), held, keep=recipe.keep)
    if is_standard(recipe.data):
        refit_usefulness(network, trainer.batcher, mixture.train, weights_of(recipe))
    torch.save(network.state_dict(), out / "judge.pt")
    return mean_of(list(trainer.scores(held).values()))


def put_weights(network: JudgeNetwork, start: Path) -> None:
    """Weights of a checkpoint, or of an exported folder, a judge's or a reader's."""
    card = start / "card.json"
    if card.is_file() and json.loads(card.read_text(encoding="utf-8")).get("kind") == "reader":
        reader = ReaderNetwork(network.encoder)
        restore(reader, start)
        to_judge(reader, network)
        return
    start_from(network, start)


def checked(test: Mapping[str, Sequence[Pair]]) -> dict[str, list[Pair]]:
    """A small sample of each held-out set, relevance balanced."""
    rng = np.random.default_rng(1)
    sample: dict[str, list[Pair]] = {}
    for name, pairs in test.items():
        count = 2 * CHECKED if name in ("mnli", "snli", "rules") else CHECKED
        shuffled = [pairs[i] for i in rng.permutation(len(pairs))]
        if shuffled and shuffled[0].asks:
            sides = [[p for p in shuffled if p.label == label][: count // 2] for label in (0, 1)]
            shuffled = [pair for side in sides for pair in side]
        if len({pair.label for pair in shuffled}) > 1:
            sample[name] = shuffled[:count]
    return sample


def export_from(data: Path, checkpoint: Path, out: Path, *, base: Path | None, kind: str) -> dict[str, Any]:
    """Export a checkpoint as the judge, or the base as the embedder.

    Raises `UsageError` for a checkpoint that stands in no folder of a run.
    """
    base = base or base_folder()
    if kind == "embedder":
        texts = [pair.second for pairs in held_out_of(data).values() for pair in pairs[:60]]
        return export_embedder(base, out, texts)
    settings, progress = (of_run(checkpoint, name) for name in ("settings.json", "progress.json"))
    network = load_base(base)
    put_weights(network, checkpoint)
    standard = is_standard(data)
    about = {
        "base": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0" if base == base_folder() else base.name,
        "trained": settings,
        **(table(__package__, "sources") if standard else {}),
        "steps": progress["step"],
        "held_out": progress["history"][-1] if progress["history"] else {},
    }
    return export_judge(network, base, out, _mixed(held_out_of(data)), about)


def of_run(checkpoint: Path, name: str) -> dict[str, Any]:
    """What the run that a checkpoint is of wrote beside it."""
    try:
        return dict(json.loads((checkpoint.parent / name).read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise UsageError(
            f"There is no {name} beside {checkpoint}.", "Export a checkpoint where `veridic train` wrote it."
        ) from error


def _mixed(held: Mapping[str, Sequence[Pair]], count: int = 1200) -> list[Pair]:
    pairs = [pair for pairs in held.values() for pair in pairs]
    return [pairs[i] for i in np.random.default_rng(2).permutation(len(pairs))[:count]]
