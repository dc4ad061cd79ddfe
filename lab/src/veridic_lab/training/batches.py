"""Tokenised pairs in batches of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer

from veridic_lab.training.pairs import Pair


@dataclass(frozen=True)
class Batch:
    """Inputs of the network and the pairs they are made of."""

    inputs: dict[str, torch.Tensor]
    pairs: list[Pair]
    indices: list[int]


def length_batches(lengths: Sequence[int], budget: int, seed: int | None = None) -> list[list[int]]:
    """Indices in batches of like length whose padded size stays within `budget` tokens; in random order with a seed.

    A text longer than the budget is a batch of its own.
    """
    batches: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not batches or lengths[index] * (len(batches[-1]) + 1) > budget:
            batches.append([])
        batches[-1].append(index)
    return batches if seed is None else [batches[i] for i in np.random.default_rng(seed).permutation(len(batches))]


class Batcher:
    """Cuts pairs into batches of at most `budget` padded tokens."""

    def __init__(self, tokenizer: Tokenizer, *, budget: int, max_tokens: int) -> None:
        self.tokenizer = tokenizer
        self.budget = budget
        self.max_tokens = max_tokens

    def batches(self, pairs: Sequence[Pair], *, seed: int | None = None) -> Iterator[Batch]:
        """Batches of like length, in random order where a seed is given."""
        ids, kinds = self._encode(pairs)
        for group in length_batches([len(i) for i in ids], self.budget, seed):
            yield Batch(pad([ids[i] for i in group], [kinds[i] for i in group]), [pairs[i] for i in group], group)

    def _encode(self, pairs: Sequence[Pair]) -> tuple[list[list[int]], list[list[int]]]:
        """Where a pair is too long, its longer text is cut: premise or passage."""
        self.tokenizer.enable_truncation(self.max_tokens, strategy="longest_first")
        self.tokenizer.no_padding()
        ids: list[list[int]] = []
        kinds: list[list[int]] = []
        for start in range(0, len(pairs), 2000):
            chunk = [(pair.first, pair.second) for pair in pairs[start : start + 2000]]
            for encoding in self.tokenizer.encode_batch(chunk):
                ids.append(encoding.ids)
                kinds.append(kinds_of(encoding))
        return ids, kinds


def kinds_of(encoding: Encoding) -> list[int]:
    """0 for the first text, 1 from the second text on, also where the tokenizer does not tell."""
    if any(encoding.type_ids) or 1 not in encoding.sequence_ids:
        return list(encoding.type_ids)
    start = encoding.sequence_ids.index(1)
    return [int(place >= start) for place in range(len(encoding.ids))]


def pad(ids: Sequence[Sequence[int]], kinds: Sequence[Sequence[int]]) -> dict[str, torch.Tensor]:
    """Rows of equal length with their mask."""
    width = max(map(len, ids))
    inputs = torch.zeros(3, len(ids), width, dtype=torch.long)
    for row, (tokens, types) in enumerate(zip(ids, kinds, strict=True)):
        inputs[0, row, : len(tokens)] = torch.tensor(tokens)
        inputs[1, row, : len(tokens)] = 1
        inputs[2, row, : len(tokens)] = torch.tensor(types)
    return dict(zip(("input_ids", "attention_mask", "token_type_ids"), inputs, strict=True))
