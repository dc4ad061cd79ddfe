"""A training run and an export from the data folder to files."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic.models.embedder import OnnxEmbedder
from veridic.training.mixture import WEIGHTS, Mixture, build, held_out_pairs
from veridic.training.network import JudgeNetwork, freeze_words, load_base
from veridic.training.pairs import Pair
from veridic.training.ship import base_folder, export_embedder, export_judge
from veridic.training.sources import HELD_OUT, LICENCES, UNSEEN
from veridic.training.trainer import Plan, Trainer

CHECKED = 70
"""Pairs of a set that a check during training scores; large sets twice as many."""


def train_judge(data: Path, out: Path, *, base: Path | None, threads: int, plan: Mapping[str, Any]) -> float:
    """Train, resuming where `out` has a checkpoint; returns the best mean held-out score."""
    if threads:
        torch.set_num_threads(threads)
    torch.manual_seed(int(plan["seed"]))
    base = base or base_folder()
    mixture = build(data, OnnxEmbedder(threads=threads).embed, seed=int(plan["seed"]))
    network = load_base(base)
    freeze_words(network)
    out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(network, Tokenizer.from_file(str(base / "tokenizer.json")), Plan(**plan), out)
    if trainer.resume():
        sys.stderr.write(f"Resumed at step {trainer.state.step}.\n")
    settings = {"plan": dict(plan), "sets": _sizes(mixture)}
    (out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    return trainer.run(mixture.train, WEIGHTS, checked(mixture.test)).best


def checked(test: Mapping[str, Sequence[Pair]]) -> dict[str, list[Pair]]:
    """A small sample of each held-out set, relevance balanced."""
    rng = np.random.default_rng(1)
    sample: dict[str, list[Pair]] = {}
    for name, pairs in test.items():
        count = 2 * CHECKED if name in ("mnli", "snli", "rules") else CHECKED
        shuffled = [pairs[i] for i in rng.permutation(len(pairs))]
        if shuffled and shuffled[0].task == "relevance":
            sides = [[p for p in shuffled if p.label == label][: count // 2] for label in (0, 1)]
            shuffled = [pair for side in sides for pair in side]
        if len({pair.label for pair in shuffled}) > 1:
            sample[name] = shuffled[:count]
    return sample


def export_from(data: Path, checkpoint: Path, out: Path, *, base: Path | None, kind: str) -> dict[str, Any]:
    """Export a checkpoint as the judge, or the base as the embedder."""
    base = base or base_folder()
    held = held_out_pairs(data)
    if kind == "embedder":
        texts = [pair.second for name in ("qnli", "musique", "stackexchange") for pair in held[name][:100]]
        return export_embedder(base, out, texts)
    settings = json.loads((checkpoint.parent / "settings.json").read_text(encoding="utf-8"))
    network: JudgeNetwork = load_base(base)
    state = torch.load(checkpoint, weights_only=True)
    network.load_state_dict(state.get("network", state))
    progress = json.loads((checkpoint.parent / "progress.json").read_text(encoding="utf-8"))
    about = {
        "base": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
        "trained": settings,
        "licences": dict(LICENCES),
        "split": HELD_OUT,
        "never_trained_on": list(UNSEEN),
        "steps": progress["step"],
        "held_out": progress["history"][-1] if progress["history"] else {},
    }
    return export_judge(network, base, out, _mixed(held), about)


def _mixed(held: Mapping[str, Sequence[Pair]], count: int = 1200) -> list[Pair]:
    pairs = [pair for pairs in held.values() for pair in pairs]
    return [pairs[i] for i in np.random.default_rng(2).permutation(len(pairs))[:count]]


def _sizes(mixture: Mixture) -> dict[str, dict[str, float]]:
    return {
        name: {"train": len(pairs), "held_out": len(mixture.test[name]), "weight": WEIGHTS.get(name, 1.0)}
        for name, pairs in mixture.train.items()
    }
