"""Statements and premises as the base judge's tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer

from veridic_lab.drafts.examples import Example

MOST = 256
"""Tokens of a pair."""
MOST_STATEMENT = 110
"""Tokens of question and statement, of which the premise has what is left."""
TOKENS = 3_072
"""Tokens of a batch, padding included."""


@dataclass(frozen=True)
class Batch:
    """Examples of about one length."""

    places: list[int]
    input_ids: torch.Tensor
    attention_mask: torch.Tensor
    statement_mask: torch.Tensor
    labels: torch.Tensor
    marks: torch.Tensor
    """1 at wrong tokens, 0 at right ones, -1 where nothing is known."""

    @property
    def inputs(self) -> dict[str, torch.Tensor]:
        """What the network takes."""
        return {
            "input_ids": self.input_ids,
            "attention_mask": self.attention_mask,
            "statement_mask": self.statement_mask,
        }


@dataclass(frozen=True)
class Pieces:
    """One example: ids, where the statement's are, and which of them are wrong."""

    ids: list[int]
    statement: tuple[int, int]
    marks: list[int]


class Batcher:
    """Tokenizes once a call; lengths near each other go together."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """A tokenizer without padding and truncation of its own."""
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.tokenizer = tokenizer
        first = "<s>" if tokenizer.token_to_id("<s>") is not None else "[CLS]"
        last = "</s>" if first == "<s>" else "[SEP]"
        self.begin, self.end = int(tokenizer.token_to_id(first) or 0), int(tokenizer.token_to_id(last) or 0)
        self.pad = tokenizer.token_to_id("<pad>") or tokenizer.token_to_id("[PAD]") or 0

    def pieces(self, example: Example) -> Pieces:
        """`<s> question </s> statement </s> premise </s>`; without a question it is left out."""
        question = self._ids(example.question)[: MOST_STATEMENT // 2] if example.question else []
        told = self.tokenizer.encode(example.statement, add_special_tokens=False)
        room = MOST_STATEMENT - len(question)
        head = [self.begin, *(([*question, self.end]) if question else [])]
        statement = told.ids[:room]
        premise = self._ids(example.premise)[: MOST - len(head) - len(statement) - 2]
        ids = [*head, *statement, self.end, *premise, self.end]
        return Pieces(ids, (len(head), len(head) + len(statement)), _marks(example, told, len(statement)))

    def batches(self, examples: Sequence[Example], seed: int | None = None) -> Iterator[Batch]:
        """All examples, each once; shuffled by the seed, in their order without one."""
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(examples)) if seed is not None else np.arange(len(examples))
        for start in range(0, len(order), 2_048):
            chunk = [(int(at), self.pieces(examples[at])) for at in order[start : start + 2_048]]
            chunk.sort(key=lambda one: len(one[1].ids))
            groups = list(_grouped(chunk))
            for at in rng.permutation(len(groups)) if seed is not None else range(len(groups)):
                yield self._batch(groups[at], examples)

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def _batch(self, group: list[tuple[int, Pieces]], examples: Sequence[Example]) -> Batch:
        length = max(len(one.ids) for _, one in group)
        ids = torch.full((len(group), length), self.pad)
        mask, statement = torch.zeros_like(ids), torch.zeros_like(ids)
        marks = torch.full_like(ids, -1)
        for row, (_, one) in enumerate(group):
            ids[row, : len(one.ids)] = torch.tensor(one.ids)
            mask[row, : len(one.ids)] = 1
            start, end = one.statement
            statement[row, start:end] = 1
            marks[row, start:end] = torch.tensor(one.marks)
        places = [at for at, _ in group]
        return Batch(places, ids, mask, statement, torch.tensor([examples[at].label for at in places]), marks)


def _marks(example: Example, told: Encoding, count: int) -> list[int]:
    if not example.marked:
        return [-1] * count
    start, end = example.wrong or (0, 0)
    return [int(a < end and b > start) for a, b in told.offsets[:count]]


def _grouped(chunk: Sequence[tuple[int, Pieces]]) -> Iterator[list[tuple[int, Pieces]]]:
    group: list[tuple[int, Pieces]] = []
    for one in chunk:
        if group and (len(group) + 1) * len(one[1].ids) > TOKENS:
            yield group
            group = []
        group.append(one)
    if group:
        yield group
