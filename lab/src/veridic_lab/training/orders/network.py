"""Fits the head that pools token states, by gradients written out: it is small, and no library has to be installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridic.models.attention_pooling import OUTSIDE, PoolingHead

Floats = NDArray[np.float32]
WIDTH, LOOKS = 96, 4
BATCH = 64
LONGEST = 48
"""Tokens of a text that are trained on."""
RATE, DECAY, WARM = 1.5e-3, 0.02, 0.1
UNSEEN_TOKENS, UNSEEN_UNITS = 0.1, 0.2
SMOOTHED = 0.01
MOMENTS = (0.9, 0.999)


@dataclass(frozen=True)
class Example:
    """The states of a text's tokens, whether it gives orders, and how much it counts."""

    states: NDArray[np.float16]
    orders: bool
    weight: float = 1.0


class Fit:
    """A head that learns by Adam, one batch after the other; the learning rate rises and falls once."""

    def __init__(self, states: int, steps: int, seed: int = 0) -> None:
        """Begin with small weights drawn by lot."""
        self._lot = np.random.default_rng(seed)
        self._steps, self._at = steps, 0
        self.weights = {
            "inner": self._small(states, WIDTH),
            "inner_offset": np.zeros(WIDTH, np.float32),
            "look": self._small(WIDTH, LOOKS),
            "out": self._small((LOOKS + 1) * WIDTH, 1)[:, 0],
            "out_offset": np.zeros(1, np.float32),
        }
        self._moments = {name: (np.zeros_like(held), np.zeros_like(held)) for name, held in self.weights.items()}

    def head(self) -> PoolingHead:
        """What was learned so far."""
        return PoolingHead(**self.weights)

    def step(self, batch: Sequence[Example]) -> float:
        """Learn from a batch; returns its loss before."""
        states, seen = self._padded(batch)
        truth = np.array([one.orders for one in batch], np.float32) * (1 - 2 * SMOOTHED) + SMOOTHED
        share = np.array([one.weight / len(batch) for one in batch], np.float32)
        loss, slopes = gradients(self.weights, states, seen, truth, share, self._dropped(states))
        self._move(slopes)
        return loss

    def _small(self, rows: int, columns: int) -> Floats:
        return self._lot.normal(0, 1 / np.sqrt(rows), (rows, columns)).astype(np.float32)

    def _padded(self, batch: Sequence[Example]) -> tuple[Floats, NDArray[np.bool_]]:
        longest = min(LONGEST, max(len(one.states) for one in batch))
        states = np.zeros((len(batch), longest, batch[0].states.shape[1]), np.float32)
        seen = np.zeros((len(batch), longest), bool)
        for row, one in enumerate(batch):
            length = min(longest, len(one.states))
            states[row, :length] = one.states[:length]
            seen[row, :length] = self._lot.random(length) >= UNSEEN_TOKENS
            seen[row, 0] = True
        return states, seen

    def _dropped(self, states: Floats) -> Floats:
        kept = self._lot.random((*states.shape[:2], WIDTH)) >= UNSEEN_UNITS
        return kept.astype(np.float32) / (1 - UNSEEN_UNITS)

    def _move(self, slopes: dict[str, Floats]) -> None:
        """Adam with decayed weights."""
        self._at += 1
        rate = RATE * min(self._at / (WARM * self._steps), (self._steps - self._at) / ((1 - WARM) * self._steps))
        first, second = MOMENTS
        for name, slope in slopes.items():
            mean, square = self._moments[name]
            mean += (1 - first) * (slope - mean)
            square += (1 - second) * (slope**2 - square)
            moved = (mean / (1 - first**self._at)) / (np.sqrt(square / (1 - second**self._at)) + 1e-8)
            self.weights[name] -= rate * (moved + DECAY * self.weights[name])


def gradients(
    weights: dict[str, Floats],
    states: Floats,
    seen: NDArray[np.bool_],
    truth: Floats,
    share: Floats,
    kept: Floats,
) -> tuple[float, dict[str, Floats]]:
    """The weighted cross-entropy of a batch, and its slope along every weight.

    `states` is [n, tokens, states], `seen` [n, tokens], `kept` multiplies the units, [n, tokens, width].
    """
    units = np.maximum(states @ weights["inner"] + weights["inner_offset"], 0) * kept
    looked = np.where(seen[..., None], units @ weights["look"], OUTSIDE)
    looks = np.exp(looked - looked.max(axis=1, keepdims=True))
    looks /= looks.sum(axis=1, keepdims=True)
    means = np.einsum("ntk,ntw->nkw", looks, units)
    best = np.where(seen[..., None], units, OUTSIDE).argmax(axis=1)
    highest = np.take_along_axis(units, best[:, None], axis=1)[:, 0]
    pooled = np.concatenate([means.reshape(len(means), -1), highest], axis=1)
    logits = np.clip(pooled @ weights["out"] + weights["out_offset"], -30, 30)
    said = 1 / (1 + np.exp(-logits))
    loss = -float((share * (truth * np.log(said) + (1 - truth) * np.log(1 - said))).sum())
    slope = share * (said - truth)
    into = np.outer(slope, weights["out"]).astype(np.float32)
    to_means = into[:, : means[0].size].reshape(means.shape)
    to_units = np.einsum("ntk,nkw->ntw", looks, to_means)
    np.put_along_axis(
        to_units, best[:, None], np.take_along_axis(to_units, best[:, None], 1) + into[:, None, means[0].size :], 1
    )
    to_looks = np.einsum("nkw,ntw->ntk", to_means, units)
    to_looked = looks * (to_looks - (looks * to_looks).sum(axis=1, keepdims=True))
    to_units += to_looked @ weights["look"].T
    to_inner = to_units * kept * (units > 0)
    flat = to_inner.reshape(-1, to_inner.shape[-1])
    return loss, {
        "inner": states.reshape(-1, states.shape[-1]).T @ flat,
        "inner_offset": flat.sum(axis=0),
        "look": np.einsum("ntw,ntk->wk", units, to_looked),
        "out": pooled.T @ slope,
        "out_offset": slope.sum(keepdims=True),
    }


def fitted(examples: Sequence[Example], epochs: int, seed: int = 0) -> PoolingHead:
    """The head that fits the examples after so many epochs."""
    count = -(-len(examples) // BATCH)
    fit = Fit(examples[0].states.shape[1], epochs * count + 1, seed)
    for batch in (batch for epoch in range(epochs) for batch in batches(examples, seed + epoch)):
        fit.step(batch)
    return fit.head()


def batches(examples: Sequence[Example], seed: int) -> Iterator[list[Example]]:
    """All examples once, in batches of about the same length, in an order drawn by lot."""
    lot = np.random.default_rng(seed)
    length = np.array([len(one.states) for one in examples]) + lot.random(len(examples)) * 8
    order = np.argsort(length)
    for start in lot.permutation(np.arange(0, len(order), BATCH)):
        yield [examples[place] for place in order[start : start + BATCH]]
