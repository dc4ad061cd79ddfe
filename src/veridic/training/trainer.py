"""The training loop: resumable, stopped early, ended in time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from tokenizers import Tokenizer

from veridic.training.batches import Batch, Batcher
from veridic.training.metrics import balanced_accuracy, mean_of
from veridic.training.mixture import epoch
from veridic.training.network import TWO_CLASS, JudgeNetwork, loss_of, set_dropout
from veridic.training.pairs import Pair
from veridic.training.soft import SoftLabels


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


class Trainer:
    """Trains a network on a weighted mixture, checking it on held-out pairs."""

    def __init__(
        self,
        network: JudgeNetwork,
        tokenizer: Tokenizer,
        plan: Plan,
        folder: Path,
        teacher: SoftLabels | None = None,
    ) -> None:
        """`folder` receives `last.pt`, `best.pt` and `progress.json`."""
        set_dropout(network, plan.dropout)
        self.teacher = teacher
        self.network = network
        self.plan = plan
        self.folder = folder
        self.batcher = Batcher(tokenizer, budget=plan.token_budget, max_tokens=plan.max_tokens)
        self.optimizer = torch.optim.AdamW(_groups(network, plan.weight_decay), lr=plan.learning_rate)
        self.state = Progressed()

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

    def run(
        self,
        train: Mapping[str, Sequence[Pair]],
        weights: Mapping[str, float],
        held: Mapping[str, Sequence[Pair]],
    ) -> Progressed:
        """Learn to the end of the plan; the best checked weights are in `best.pt`."""
        torch.manual_seed(self.plan.seed + self.state.step)
        self.folder.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic() - self.state.seconds
        with _progress() as bar:
            task = bar.add_task("train", total=1.0, step=self.state.step, loss=0.0, score=0.0)
            for batch in self._stream(train, weights):
                self.state.seconds = time.monotonic() - begun
                done = self.done()
                loss = self._learn(batch, done)
                bar.update(task, completed=done, step=self.state.step, loss=loss, score=self.state.best)
                if (done >= 1 or self.state.step % self.plan.check_every == 0) and self._check(held, loss):
                    break
                if done >= 1:
                    break
        return self.state

    def done(self) -> float:
        """The share of the plan that is behind, by steps or by time."""
        return max((self.state.step + 1) / self.plan.steps, self.state.seconds / (60 * self.plan.minutes))

    def _stream(self, train: Mapping[str, Sequence[Pair]], weights: Mapping[str, float]) -> Iterator[Batch]:
        skip = self.state.step
        for number in range(1_000_000):
            seed = self.plan.seed * 1000 + number
            pairs = epoch(train, weights, np.random.default_rng(seed))
            for batch in self.batcher.batches(pairs, seed=seed):
                if skip:
                    skip -= 1
                    continue
                yield batch

    def _learn(self, batch: Batch, done: float) -> float:
        self.network.train()
        rate = self.plan.learning_rate * min(done / self.plan.warmup, max(0.0, 1 - done) / (1 - self.plan.warmup))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = loss_of(self.network(**batch.inputs), batch.pairs, self.teacher)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.state.step += 1
        return float(loss.detach())

    def _check(self, held: Mapping[str, Sequence[Pair]], loss: float) -> bool:
        """Measure, save, and say whether to stop early; with nothing held out the newest weights are the best."""
        scores = self.scores(held)
        mean = mean_of(list(scores.values()))
        row = {"step": float(self.state.step), "loss": loss, "minutes": self.state.seconds / 60, "mean": mean, **scores}
        self.state.history.append(row)
        better = mean > self.state.best or not scores
        self.state.stale = 0 if better else self.state.stale + 1
        self.state.best = max(mean, self.state.best)
        self._save(better=better)
        return self.state.stale >= self.plan.patience

    def scores(self, held: Mapping[str, Sequence[Pair]]) -> dict[str, float]:
        """The score of every set that has pairs."""
        return {name: self.score(pairs) for name, pairs in held.items() if pairs}

    def score(self, pairs: Sequence[Pair]) -> float:
        """Balanced accuracy; three classes where the labels have three."""
        guess = np.zeros(len(pairs), dtype=int)
        truth = np.array([pair.label for pair in pairs])
        two = pairs[0].task == "nli" and bool((truth == TWO_CLASS).any())
        self.network.eval()
        with torch.inference_mode():
            for batch in self.batcher.batches(pairs):
                logits = self.network(**batch.inputs)[pairs[0].task]
                if pairs[0].asks:
                    guess[batch.indices] = (logits > 0).int().numpy()
                elif two:
                    guess[batch.indices] = (logits.softmax(-1)[:, 0] < 0.5).int().numpy()
                else:
                    guess[batch.indices] = logits.argmax(-1).numpy()
        return balanced_accuracy((truth > 0).astype(int) if two else truth, guess)

    def _save(self, *, better: bool) -> None:
        saved = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(saved, self.folder / "last.pt.part")
        (self.folder / "last.pt.part").replace(self.folder / "last.pt")
        text = json.dumps(asdict(self.state), indent=1)
        (self.folder / "progress.json").write_text(text + "\n", encoding="utf-8")
        if better:
            torch.save(saved["network"], self.folder / "best.pt")


def _groups(network: JudgeNetwork, decay: float) -> list[dict[str, object]]:
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
