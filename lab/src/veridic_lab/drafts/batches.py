"""Examples as the base judge's tokens: a first text in a row with the second texts that are held against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
from tokenizers import Encoding, Tokenizer

from veridic_lab.drafts.examples import Example

MOST_FIRST = 300
"""Tokens of a first text: question and premise, or question."""
MOST_QUESTION = 60
MOST_SECOND = {True: 230, False: 110}
"""Tokens of a second text: of a passage, and of a statement."""
MOST_SECONDS = 12
"""Second texts of a row."""
TOKENS = 2_048
"""Tokens of a batch, unless it is told otherwise."""
UNKNOWN = -1
"""What an example does not say."""

Place = tuple[int, int]


@dataclass(frozen=True)
class Batch:
    """Rows of about one length, and their second texts. `UNKNOWN` where an example says nothing."""

    at: list[int]
    """Of each second text the number of its example."""
    input_ids: torch.Tensor
    places: torch.Tensor
    parts: torch.Tensor
    rows: torch.Tensor
    own: torch.Tensor
    labels: torch.Tensor
    groups: torch.Tensor
    marks: torch.Tensor
    """[m, tokens]: 1 at wrong tokens of a statement, 0 at right ones."""
    answered: torch.Tensor
    starts: torch.Tensor
    """[m, answers] tokens at which an answer starts; `ends` its last ones."""
    ends: torch.Tensor
    decisions: torch.Tensor
    relevant: torch.Tensor

    @property
    def inputs(self) -> dict[str, torch.Tensor]:
        """What the network takes."""
        names = ("input_ids", "places", "parts", "rows", "own")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Second:
    """A second text: the number of its example, ids, wrong tokens, and answers by token from its beginning."""

    at: int
    ids: list[int]
    marks: list[int]
    answers: list[Place]
    offsets: list[Place]
    """Characters of each token but the one that ends it."""


@dataclass(frozen=True)
class Row:
    """A first text, and its second ones."""

    first: list[int]
    seconds: list[Second]

    @property
    def size(self) -> int:
        """Tokens."""
        return len(self.first) + sum(len(one.ids) for one in self.seconds)


class Batcher:
    """Tokenizes once a call; lengths near each other go together."""

    def __init__(self, tokenizer: Tokenizer, tokens: int = TOKENS) -> None:
        """A tokenizer without padding and truncation of its own; `tokens` of a batch, padding included."""
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.tokenizer, self.tokens = tokenizer, tokens
        first = "<s>" if tokenizer.token_to_id("<s>") is not None else "[CLS]"
        last = "</s>" if first == "<s>" else "[SEP]"
        self.begin, self.end = int(tokenizer.token_to_id(first) or 0), int(tokenizer.token_to_id(last) or 0)
        self.pad = tokenizer.token_to_id("<pad>") or tokenizer.token_to_id("[PAD]") or 0

    def batches(self, examples: Sequence[Example], seed: int | None = None) -> Iterator[Batch]:
        """All examples, each once; shuffled by the seed, in their order without one."""
        rng = np.random.default_rng(seed)
        units = _units(examples)
        order = rng.permutation(len(units)) if seed is not None else np.arange(len(units))
        for start in range(0, len(order), 512):
            rows = [self._row(units[number], examples) for number in order[start : start + 512]]
            for group in length_batches([row.size for row in rows], self.tokens, seed and seed + start):
                yield self._batch([rows[at] for at in group], examples)

    def _row(self, unit: Sequence[int], examples: Sequence[Example]) -> Row:
        """`<s> question </s> premise </s> statement </s> …`, or `<s> question </s> passage </s>`."""
        one = examples[unit[0]]
        first = [self.begin]
        if one.question:
            first += [*self._ids(one.question)[:MOST_QUESTION], self.end]
        if not one.reads:
            first += [*self._ids(one.premise)[: MOST_FIRST - len(first)], self.end]
        return Row(first, [self._second(at, examples[at]) for at in unit])

    def _second(self, at: int, example: Example) -> Second:
        own = self.tokenizer.encode(example.own, add_special_tokens=False)
        most = MOST_SECOND[example.reads]
        offsets = own.offsets[:most]
        answers = list(_answers(example, offsets))
        return Second(at, [*own.ids[:most], self.end], _marks(example, own, len(offsets)), answers, offsets)

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def _batch(self, rows: Sequence[Row], examples: Sequence[Example]) -> Batch:
        length = max(row.size for row in rows)
        seconds = [(number, one) for number, row in enumerate(rows) for one in row.seconds]
        ids = torch.full((len(rows), length), self.pad)
        places, parts = torch.zeros_like(ids), torch.full_like(ids, UNKNOWN)
        own = torch.zeros((len(seconds), length), dtype=torch.int64)
        marks = torch.full_like(own, UNKNOWN)
        most = max(1, max(len(one.answers) for _, one in seconds))
        answers = torch.full((2, len(seconds), most), UNKNOWN)
        number = 0
        for at, row in enumerate(rows):
            end = len(row.first)
            ids[at, :end], places[at, :end], parts[at, :end] = torch.tensor(row.first), torch.arange(end), 0
            for part, one in enumerate(row.seconds, 1):
                start, end = end, end + len(one.ids)
                ids[at, start:end], parts[at, start:end] = torch.tensor(one.ids), part
                places[at, start:end] = torch.arange(len(row.first), len(row.first) + len(one.ids))
                own[number, start:end] = 1
                marks[number, start : start + len(one.marks)] = torch.tensor(one.marks, dtype=marks.dtype)
                for which, place in enumerate(one.answers):
                    answers[:, number, which] = torch.tensor(place) + start
                number += 1
        found = [examples[one.at] for _, one in seconds]
        names = {name: count for count, name in enumerate(dict.fromkeys(one.group for one in found))}
        return Batch(
            at=[one.at for _, one in seconds],
            input_ids=ids,
            places=places,
            parts=parts,
            rows=torch.tensor([at for at, _ in seconds]),
            own=own,
            labels=torch.tensor([one.label for one in found]),
            groups=torch.tensor([names[one.group] if one.group else UNKNOWN for one in found]),
            marks=marks,
            answered=torch.tensor([_answered(one, told) for one, (_, told) in zip(found, seconds, strict=True)]),
            starts=answers[0],
            ends=answers[1],
            decisions=torch.tensor([one.decision for one in found]),
            relevant=torch.tensor([one.relevant for one in found]),
        )


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


def _units(examples: Sequence[Example]) -> list[list[int]]:
    """Examples that share a row: neighbours of one first text; each other one alone."""
    units = groupby(range(len(examples)), key=lambda at: _first(examples[at]) or at)
    found = [list(own) for _, own in units]
    return [own[start : start + MOST_SECONDS] for own in found for start in range(0, len(own), MOST_SECONDS)]


def _first(example: Example) -> tuple[str, str] | None:
    return None if example.reads or not example.group else (example.question, example.premise)


def _answered(example: Example, one: Second) -> int:
    """Whether the passage holds the answer; unknown where it stands beyond what is read."""
    return UNKNOWN if example.answered == 1 and not one.answers else example.answered


def _marks(example: Example, own: Encoding, count: int) -> list[int]:
    if not example.marked:
        return []
    start, end = example.wrong or (0, 0)
    return [int(a < end and b > start) for a, b in own.offsets[:count]]


def _answers(example: Example, offsets: Sequence[Place]) -> Iterator[Place]:
    """First and last token of each answer that stands in what is read."""
    for start, end in example.answers:
        inside = [at for at, (left, right) in enumerate(offsets) if left < end and right > start]
        if inside and offsets[inside[-1]][1] >= end:
            yield inside[0], inside[-1]
