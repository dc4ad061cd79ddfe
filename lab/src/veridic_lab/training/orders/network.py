"""Fits the head that pools token states: looks at a text's tokens, their means and the highest of each unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from veridic.models.detector import PoolingHead

WIDTH, LOOKS = 96, 4
BATCH = 64
LONGEST = 48
"""Tokens of a text that are trained on."""
RATE, DECAY, WARM = 1.5e-3, 0.02, 0.1
OUTSIDE = -1e4
"""The logit of a place where there is no token."""
UNSEEN_TOKENS, UNSEEN_UNITS = 0.1, 0.2
SMOOTHED = 0.01


@dataclass(frozen=True)
class Example:
    """The states of a text's tokens, whether it gives orders, and how much it counts."""

    states: NDArray[np.float16]
    orders: bool
    weight: float = 1.0


class Pooling(nn.Module):  # type: ignore[misc, unused-ignore]
    """The head in torch."""

    def __init__(self, states: int) -> None:
        super().__init__()
        self.inner = nn.Linear(states, WIDTH)
        self.drop = nn.Dropout(UNSEEN_UNITS)
        self.look = nn.Linear(WIDTH, LOOKS, bias=False)
        self.out = nn.Linear((LOOKS + 1) * WIDTH, 1)

    def forward(self, states: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        """A logit for each text of states [n, tokens, states]; `seen` [n, tokens] are its tokens."""
        units = self.drop(self.inner(states).relu())
        unseen = ~seen.unsqueeze(-1)
        looks = self.look(units).masked_fill(unseen, OUTSIDE).softmax(dim=1)
        means = torch.einsum("ntk,ntw->nkw", looks, units).flatten(1)
        highest = units.masked_fill(unseen, OUTSIDE).amax(dim=1)
        logits: torch.Tensor = self.out(torch.cat([means, highest], dim=1)).squeeze(1)
        return logits

    def head(self) -> PoolingHead:
        """What was learned, as it ships."""
        found = {name: value.detach().numpy() for name, value in self.named_parameters()}
        return PoolingHead(
            inner=found["inner.weight"].T,
            inner_offset=found["inner.bias"],
            look=found["look.weight"].T,
            out=found["out.weight"][0],
            out_offset=found["out.bias"],
        )


def fitted(examples: Sequence[Example], epochs: int, seed: int = 0) -> PoolingHead:
    """The head that fits the examples after so many epochs; the learning rate rises and falls once."""
    torch.manual_seed(seed)
    network = Pooling(examples[0].states.shape[1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    steps = epochs * -(-len(examples) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=steps + 1, pct_start=WARM, anneal_strategy="linear", cycle_momentum=False
    )
    for batch in (batch for epoch in range(epochs) for batch in batches(examples, seed + epoch)):
        truth = torch.tensor([one.orders for one in batch]) * (1 - 2 * SMOOTHED) + SMOOTHED
        share = torch.tensor([one.weight for one in batch])
        loss = nn.functional.binary_cross_entropy_with_logits(network(*padded(batch)), truth, weight=share)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        optimizer.step()
        schedule.step()
    return network.head()


def padded(batch: Sequence[Example]) -> tuple[torch.Tensor, torch.Tensor]:
    """The states of a batch, and which tokens are seen: a tenth of them, but never the first, is not."""
    longest = min(LONGEST, max(len(one.states) for one in batch))
    states = torch.zeros(len(batch), longest, batch[0].states.shape[1])
    seen = torch.zeros(len(batch), longest, dtype=torch.bool)
    for row, one in enumerate(batch):
        length = min(longest, len(one.states))
        states[row, :length] = torch.from_numpy(one.states[:length].astype(np.float32))
        seen[row, :length] = torch.rand(length) >= UNSEEN_TOKENS
        seen[row, 0] = True
    return states, seen


def batches(examples: Sequence[Example], seed: int) -> Iterator[list[Example]]:
    """All examples once, in batches of about the same length, in an order drawn by lot."""
    lot = np.random.default_rng(seed)
    length = np.array([len(one.states) for one in examples]) + lot.random(len(examples)) * 8
    order = np.argsort(length)
    for start in lot.permutation(np.arange(0, len(order), BATCH)):
        yield [examples[place] for place in order[start : start + BATCH]]
