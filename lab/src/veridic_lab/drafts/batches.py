"""Examples as the base judge's tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer

from veridic_lab.drafts.examples import Example

MOST = 256
"""Tokens of an example."""
MOST_FIRST = 110
"""Tokens of question and statement, of which the premise or passage has what is left."""
TOKENS = 2_048
"""Tokens of a batch, padding included."""
UNKNOWN = -1
"""What an example does not say."""


@dataclass(frozen=True)
class Batch:
    """Examples of about one length; those of one question are together. `UNKNOWN` where an example says nothing."""

    places: list[int]
    input_ids: torch.Tensor
    attention_mask: torch.Tensor
    own_mask: torch.Tensor
    labels: torch.Tensor
    groups: torch.Tensor
    marks: torch.Tensor
    """[n, tokens]: 1 at wrong tokens of a statement, 0 at right ones."""
    answered: torch.Tensor
    starts: torch.Tensor
    """[n, answers] tokens at which an answer starts; `ends` its last ones."""
    ends: torch.Tensor
    decisions: torch.Tensor
    relevant: torch.Tensor

    @property
    def inputs(self) -> dict[str, torch.Tensor]:
        """What the network takes."""
        return {"input_ids": self.input_ids, "attention_mask": self.attention_mask, "own_mask": self.own_mask}


@dataclass(frozen=True)
class Pieces:
    """One example: ids, where the text that is judged or read is, wrong tokens, answers."""

    ids: list[int]
    own: tuple[int, int]
    marks: list[int]
    answers: list[tuple[int, int]]
    offsets: list[tuple[int, int]]
    """Characters of each token of the text that is judged or read."""


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
        """`<s> question </s> statement </s> premise </s>`, or `<s> question </s> passage </s>`."""
        question = self._ids(example.question)[: MOST_FIRST // 2] if example.question else []
        head = [self.begin, *(([*question, self.end]) if question else [])]
        own = self.tokenizer.encode(example.own, add_special_tokens=False)
        room = MOST - len(head) - 1 if example.reads else MOST_FIRST - len(question)
        told, offsets = own.ids[:room], own.offsets[:room]
        premise = [] if example.reads else [*self._ids(example.premise)[: MOST - len(head) - len(told) - 2], self.end]
        answers = [(len(head) + a, len(head) + b) for a, b in _answers(example, offsets)]
        inside = (len(head), len(head) + len(told))
        return Pieces([*head, *told, self.end, *premise], inside, _marks(example, own, len(told)), answers, offsets)

    def batches(self, examples: Sequence[Example], seed: int | None = None) -> Iterator[Batch]:
        """All examples, each once; shuffled by the seed, in their order without one."""
        rng = np.random.default_rng(seed)
        units = _units(examples)
        order = rng.permutation(len(units)) if seed is not None else np.arange(len(units))
        for start in range(0, len(order), 1_024):
            chunk = [
                [(at, self.pieces(examples[at])) for at in units[number]] for number in order[start : start + 1_024]
            ]
            chunk.sort(key=lambda unit: max(len(one.ids) for _, one in unit))
            groups = list(_grouped(chunk))
            for at in rng.permutation(len(groups)) if seed is not None else range(len(groups)):
                yield self._batch(groups[at], examples)

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def _batch(self, group: list[tuple[int, Pieces]], examples: Sequence[Example]) -> Batch:
        length = max(len(one.ids) for _, one in group)
        most = max(1, max(len(one.answers) for _, one in group))
        ids = torch.full((len(group), length), self.pad)
        mask, own, marks = torch.zeros_like(ids), torch.zeros_like(ids), torch.full_like(ids, UNKNOWN)
        answers = torch.full((2, len(group), most), UNKNOWN)
        for row, (_, one) in enumerate(group):
            ids[row, : len(one.ids)] = torch.tensor(one.ids)
            mask[row, : len(one.ids)] = 1
            own[row, one.own[0] : one.own[1]] = 1
            marks[row, one.own[0] : one.own[0] + len(one.marks)] = torch.tensor(one.marks, dtype=marks.dtype)
            for at, place in enumerate(one.answers):
                answers[:, row, at] = torch.tensor(place)
        rows = [examples[at] for at, _ in group]
        names = {name: number for number, name in enumerate(dict.fromkeys(row.group for row in rows))}
        return Batch(
            places=[at for at, _ in group],
            input_ids=ids,
            attention_mask=mask,
            own_mask=own,
            labels=torch.tensor([row.label for row in rows]),
            groups=torch.tensor([names[row.group] if row.group else UNKNOWN for row in rows]),
            marks=marks,
            answered=torch.tensor([_answered(row, one) for row, (_, one) in zip(rows, group, strict=True)]),
            starts=answers[0],
            ends=answers[1],
            decisions=torch.tensor([row.decision for row in rows]),
            relevant=torch.tensor([row.relevant for row in rows]),
        )


def _units(examples: Sequence[Example]) -> list[list[int]]:
    """Examples that stay together: neighbours of one group; each other one alone."""
    units = groupby(range(len(examples)), key=lambda at: examples[at].group or at)
    return [list(own) for _, own in units]


def _answered(row: Example, one: Pieces) -> int:
    """Whether the passage holds the answer; unknown where it stands beyond what is read."""
    return UNKNOWN if row.answered == 1 and not one.answers else row.answered


def _marks(example: Example, own: Encoding, count: int) -> list[int]:
    if not example.marked:
        return []
    start, end = example.wrong or (0, 0)
    return [int(a < end and b > start) for a, b in own.offsets[:count]]


def _answers(example: Example, offsets: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """First and last token of each answer that stands in what is read."""
    for start, end in example.answers:
        inside = [at for at, (left, right) in enumerate(offsets) if left < end and right > start]
        if inside and offsets[inside[-1]][1] >= end:
            yield inside[0], inside[-1]


def _grouped(chunk: Sequence[list[tuple[int, Pieces]]]) -> Iterator[list[tuple[int, Pieces]]]:
    group: list[tuple[int, Pieces]] = []
    for unit in chunk:
        longest = max(len(one.ids) for _, one in unit)
        if group and (len(group) + len(unit)) * longest > TOKENS:
            yield group
            group = []
        group += unit
    if group:
        yield group
