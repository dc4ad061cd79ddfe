"""The judge's training: a weighted mixture of labelled pairs, checked on held-out ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic_lab.training.batches import Batch, Batcher
from veridic_lab.training.loop import Loop, Plan, Weights
from veridic_lab.training.metrics import balanced_accuracy
from veridic_lab.training.mixture import epoch
from veridic_lab.training.network import TWO_CLASS, JudgeNetwork, loss_of, set_dropout
from veridic_lab.training.pairs import Pair


class Trainer(Loop[Batch]):
    """Trains a network on a weighted mixture, checking it on held-out pairs."""

    network: JudgeNetwork

    def __init__(self, network: JudgeNetwork, tokenizer: Tokenizer, plan: Plan, folder: Path) -> None:
        """`folder` receives `last.pt`, `best.pt` and `progress.json`."""
        set_dropout(network, plan.dropout)
        super().__init__(network, plan, folder)
        self.batcher = Batcher(tokenizer, budget=plan.token_budget, max_tokens=plan.max_tokens)

    def epoch(self, train: Mapping[str, Sequence[Pair]], weights: Weights, seed: int) -> Iterator[Batch]:
        """See `Loop`."""
        return self.batcher.batches(epoch(train, weights, np.random.default_rng(seed)), seed=seed)

    def loss(self, batch: Batch) -> torch.Tensor:
        """The mean loss of a mixed batch."""
        return loss_of(self.network(**batch.inputs), batch.pairs)

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
