"""The training loop: resumable, stopped early, ended in time."""

from __future__ import annotations

import json
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from torch import nn

from veridic_lab.training.metrics import mean_of
from veridic_lab.training.network import average

B = TypeVar("B")
Sets = Mapping[str, Sequence[Any]]
"""Rows by the name of their set."""
Weights = Mapping[str, float]
"""How often an epoch shows each set."""


@dataclass(frozen=True)
class Plan:
    """How long and how fast to learn."""

    steps: int = 6000
    minutes: float = 600.0
    """Learning ends, fully decayed, at `steps` or after `minutes`, whichever is first."""
    learning_rate: float = 1.5e-4
    warmup: float = 0.06
    token_budget: int = 2048
    max_tokens: int = 224
    weight_decay: float = 0.01
    dropout: float = 0.0
    """Of the encoder's states; the first epoch needs none, later ones overfit without."""
    bfloat16: bool = False
    """Multiply in bfloat16: twice as fast where the processor has AVX512-BF16 or AMX, slower elsewhere."""
    seed: int = 7
    check_every: int = 250
    patience: int = 5
    """Checks without a better held-out score before learning stops."""


@dataclass
class Progressed:
    """Where a run stands; written beside the weights."""

    step: int = 0
    seconds: float = 0.0
    best: float = 0.0
    stale: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


class Loop(ABC, Generic[B]):
    """Learns batch after batch and checks itself on held-out rows; what a batch is, a trainer says."""

    def __init__(self, network: nn.Module, plan: Plan, folder: Path) -> None:
        """`folder` receives `last.pt`, `best.pt` and `progress.json`."""
        self.network = network
        self.plan = plan
        self.folder = folder
        self.optimizer = torch.optim.AdamW(_groups(network, plan.weight_decay), lr=plan.learning_rate, fused=True)
        self.state = Progressed()

    @abstractmethod
    def loss(self, batch: B) -> torch.Tensor:
        """The mean loss of a batch."""

    def resume(self) -> bool:
        """Take up the run whose checkpoint is in the folder, if there is one."""
        path = self.folder / "last.pt"
        if not path.is_file():
            return False
        saved = torch.load(path, weights_only=True)
        self.network.load_state_dict(saved["network"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.state = Progressed(**json.loads((self.folder / "progress.json").read_text(encoding="utf-8")))
        return True

    @abstractmethod
    def epoch(self, train: Sets, weights: Weights, seed: int) -> Iterator[B]:
        """The batches of an epoch, the same for the same seed: each set as often as its weight says."""

    @abstractmethod
    def scores(self, held: Sets) -> dict[str, float]:
        """How well the network does on held-out rows."""

    def run(self, train: Sets, weights: Weights, held: Sets) -> Progressed:
        """Learn to the end of the plan; the best checked weights are in `best.pt`."""
        torch.manual_seed(self.plan.seed + self.state.step)
        self.folder.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic() - self.state.seconds
        epochs = (self.epoch(train, weights, 1000 * self.plan.seed + number) for number in count())
        with _progress() as bar:
            task = bar.add_task("train", total=1.0, step=self.state.step, loss=0.0, score=0.0)
            for batch in islice(chain.from_iterable(epochs), self.state.step, None):
                self.state.seconds = time.monotonic() - begun
                done = self.done()
                loss = self._step(batch, done)
                bar.update(task, completed=done, step=self.state.step, loss=loss, score=self.state.best)
                if (done >= 1 or self.state.step % self.plan.check_every == 0) and self._check(self.scores(held), loss):
                    break
                if done >= 1:
                    break
        return self.state

    def finish(self, train: Sets, weights: Weights, held: Sets, *, keep: float) -> None:
        """Learn, going on where the folder has a checkpoint; end with the best weights, drawn to the first ones."""
        first = {name: value.clone() for name, value in self.network.state_dict().items()}
        if self.resume():
            sys.stderr.write(f"Resumed at step {self.state.step}.\n")
        self.run(train, weights, held)
        self.network.load_state_dict(torch.load(self.folder / "best.pt", weights_only=True))
        average(self.network, first, keep)

    def done(self) -> float:
        """The share of the plan that is behind, by steps or by time."""
        return max((self.state.step + 1) / self.plan.steps, self.state.seconds / (60 * self.plan.minutes))

    def _step(self, batch: B, done: float) -> float:
        self.network.train()
        rate = self.plan.learning_rate * min(done / self.plan.warmup, max(0.0, 1 - done) / (1 - self.plan.warmup))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16, enabled=self.plan.bfloat16):
            loss = self.loss(batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.state.step += 1
        return float(loss.detach())

    def _check(self, scores: dict[str, float], loss: float) -> bool:
        """Save, and say whether to stop early; with nothing held out the newest weights are the best."""
        mean = mean_of(list(scores.values()))
        row = {"step": float(self.state.step), "loss": loss, "minutes": self.state.seconds / 60, "mean": mean, **scores}
        self.state.history.append(row)
        better = mean > self.state.best or not scores
        self.state.stale = 0 if better else self.state.stale + 1
        self.state.best = max(mean, self.state.best)
        self._save(better=better)
        return self.state.stale >= self.plan.patience

    def _save(self, *, better: bool) -> None:
        saved = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(saved, self.folder / "last.pt.part")
        (self.folder / "last.pt.part").replace(self.folder / "last.pt")
        text = json.dumps(asdict(self.state), indent=1)
        (self.folder / "progress.json").write_text(text + "\n", encoding="utf-8")
        if better:
            torch.save(saved["network"], self.folder / "best.pt")


def write_settings(out: Path, train: Sets, test: Sets, weights: Weights, **told: object) -> None:
    """Write what a run is made of: what is told of it, and how many rows each set has to learn from and held out."""
    sets = {
        name: {"train": len(rows), "held_out": len(test.get(name, ())), "weight": weights.get(name, 1.0)}
        for name, rows in train.items()
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "settings.json").write_text(json.dumps({**told, "sets": sets}, indent=1) + "\n", encoding="utf-8")


def _groups(network: nn.Module, decay: float) -> list[dict[str, object]]:
    wanted = [p for p in network.parameters() if p.requires_grad]
    return [
        {"params": [p for p in wanted if p.ndim > 1], "weight_decay": decay},
        {"params": [p for p in wanted if p.ndim <= 1], "weight_decay": 0.0},
    ]


def _progress() -> Progress:
    return Progress(
        *Progress.get_default_columns(),
        TimeElapsedColumn(),
        TextColumn("step {task.fields[step]} loss {task.fields[loss]:.3f} held-out {task.fields[score]:.3f}"),
        console=Console(stderr=True),
    )
