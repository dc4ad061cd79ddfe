"""Readings as token windows with the places of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer

from veridic.models.windows import PairWindows, Window
from veridic_lab.training.batches import length_batches, pad
from veridic_lab.training.reading.rows import DECISIONS, Reading, shown

NOTHING = -1


@dataclass(frozen=True)
class ReadingBatch:
    """Inputs of the network, the rows they are made of and what is to be found."""

    inputs: dict[str, torch.Tensor]
    readings: list[Reading]
    windows: list[Window]
    indices: list[int]
    readable: torch.Tensor
    """[n, tokens], whether an answer may stand there."""
    starts: torch.Tensor
    """[n, answers], token places, `NOTHING` where there are fewer."""
    ends: torch.Tensor
    decision: torch.Tensor
    """[n], an index into `DECISIONS`; `NOTHING` for a row that is not about yes or no."""


class ReadingBatcher:
    """Cuts readings into batches of at most `budget` padded tokens; a text that is too long is read to its window."""

    def __init__(self, tokenizer: Tokenizer, *, budget: int) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._windows = PairWindows(tokenizer, "second")
        self._budget = budget

    def batches(self, rows: Sequence[Reading], *, seed: int | None = None) -> Iterator[ReadingBatch]:
        """Batches of like length, in random order where a seed is given."""
        windows = [group[0] for group in self._windows.of([(row.question, shown(row)) for row in rows])]
        for group in length_batches([len(window.tokens.ids) for window in windows], self._budget, seed):
            yield _batch([rows[i] for i in group], [windows[i] for i in group], group)


def _batch(rows: list[Reading], windows: list[Window], indices: list[int]) -> ReadingBatch:
    inputs = pad([window.tokens.ids for window in windows], [window.tokens.kinds for window in windows])
    readable = torch.zeros(inputs["input_ids"].shape, dtype=torch.bool)
    found: list[list[tuple[int, int]]] = []
    for number, (row, window) in enumerate(zip(rows, windows, strict=True)):
        skip = len(shown(row)) - len(row.text)
        first = window.first + sum(end <= skip for _, end in window.offsets)
        readable[number, first : window.first + len(window.offsets)] = True
        found.append([place for one in row.places if (place := _tokens(window, one[0] + skip, one[1] + skip))])
    most = max(1, max(map(len, found)))
    places = torch.full((2, len(rows), most), NOTHING)
    for number, own in enumerate(found):
        for at, (start, end) in enumerate(own):
            places[0, number, at], places[1, number, at] = start, end
    kinds = [DECISIONS.index(row.kind) if row.kind in DECISIONS else NOTHING for row in rows]
    return ReadingBatch(inputs, rows, windows, indices, readable, places[0], places[1], torch.tensor(kinds))


def _tokens(window: Window, start: int, end: int) -> tuple[int, int] | None:
    """The first and last token of the characters; None where the window does not have them all."""
    inside = [at for at, (left, right) in enumerate(window.offsets) if left < end and right > start]
    if not inside or window.offsets[inside[-1]][1] < end:
        return None
    return window.first + inside[0], window.first + inside[-1]
