"""The reader's training loop and its checks on held-out rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic.models.fitting import auc
from veridic.text.answers import token_f1
from veridic_lab.training.loop import Loop, Plan, Weights
from veridic_lab.training.metrics import balanced_accuracy
from veridic_lab.training.network import set_dropout
from veridic_lab.training.reading.batches import ReadingBatch, ReadingBatcher
from veridic_lab.training.reading.mixture import epoch
from veridic_lab.training.reading.network import ReaderNetwork, log_places, reading_loss
from veridic_lab.training.reading.rows import DECISIONS, Reading, shown

LONGEST_SPAN = 24
"""Tokens of an answer."""


class ReaderTrainer(Loop[ReadingBatch]):
    """Trains a reader on a weighted mixture of rows."""

    network: ReaderNetwork

    def __init__(self, network: ReaderNetwork, tokenizer: Tokenizer, plan: Plan, folder: Path) -> None:
        """`folder` receives `last.pt`, `best.pt` and `progress.json`."""
        set_dropout(network, plan.dropout)
        super().__init__(network, plan, folder)
        self.batcher = ReadingBatcher(tokenizer, budget=plan.token_budget)

    def epoch(self, train: Mapping[str, Sequence[Reading]], weights: Weights, seed: int) -> Iterator[ReadingBatch]:
        """See `Loop`."""
        return self.batcher.batches(epoch(train, weights, np.random.default_rng(seed)), seed=seed)

    def loss(self, batch: ReadingBatch) -> torch.Tensor:
        """The mean loss of a mixed batch."""
        return reading_loss(self.network(**batch.inputs), batch)

    def scores(self, held: Mapping[str, Sequence[Reading]]) -> dict[str, float]:
        """F1 of the best span of each set with spans, AUC of "none" over all, balanced accuracy of decisions."""
        self.network.eval()
        found: dict[str, float] = {}
        margins: list[tuple[bool, float]] = []
        for name, rows in held.items():
            read = self.read(rows)
            margins += [(row.kind == "span", margin) for row, (_, margin, _) in zip(rows, read, strict=True)
                        if row.kind in ("span", "none")]  # fmt: skip
            spans = [token_f1(text, row.answers) for row, (text, _, _) in zip(rows, read, strict=True) if row.places]
            if spans:
                found[f"{name} F1"] = float(np.mean(spans))
            decided = [(row.kind, said) for row, (_, _, said) in zip(rows, read, strict=True) if row.kind in DECISIONS]
            if len({kind for kind, _ in decided}) > 1:
                truth = [DECISIONS.index(kind) for kind, _ in decided]
                found[f"{name} decided"] = balanced_accuracy(truth, [said for _, said in decided])
        found["none"] = auc(*zip(*margins, strict=True)) if margins else 0.0
        return found

    def read(self, rows: Sequence[Reading]) -> list[tuple[str, float, int]]:
        """Of each row the best span's text, its log-odds against none, and the decision."""
        self.network.eval()
        with torch.inference_mode():
            return read_with(self.network, self.batcher, rows)


def read_with(network: ReaderNetwork, batcher: ReadingBatcher, rows: Sequence[Reading]) -> list[tuple[str, float, int]]:
    """Of each row the best span's text, its log-odds against none, and the index of the decision."""
    found: list[tuple[str, float, int]] = [("", 0.0, 0)] * len(rows)
    for batch in batcher.batches(rows):
        logits = network(**batch.inputs)
        start, end = (log_places(logits[name], logits["null"], batch.readable).numpy() for name in ("start", "end"))
        decided = logits["decision"].argmax(-1).tolist()
        for number, index in enumerate(batch.indices):
            first, last, score = best_span(start[number, :-1], end[number, :-1])
            margin = score - start[number, -1] - end[number, -1]
            found[index] = (_text(batch, number, first, last), float(margin), decided[number])
    return found


def _text(batch: ReadingBatch, number: int, first: int, last: int) -> str:
    row, window = batch.readings[number], batch.windows[number]
    left, right = window.offsets[first - window.first][0], window.offsets[last - window.first][1]
    skip = len(shown(row)) - len(row.text)
    return row.text[left - skip : right - skip]


def best_span(start: np.ndarray, end: np.ndarray) -> tuple[int, int, float]:
    """First and last place of the likeliest span of at most `LONGEST_SPAN` tokens, and its log-probability."""
    both = start[:, None] + end[None, :]
    allowed = np.triu(np.ones_like(both, dtype=bool)) & ~np.triu(np.ones_like(both, dtype=bool), LONGEST_SPAN)
    both = np.where(allowed, both, -np.inf)
    first, last = np.unravel_index(int(both.argmax()), both.shape)
    return int(first), int(last), float(both[first, last])
