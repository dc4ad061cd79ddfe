"""Answers taken away: the sentence cut out, another text in its place; and long texts cut to what answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veridic.text.answers import coverage
from veridic.text.sentences import sentences, windows
from veridic_lab.training.pairs import normalised
from veridic_lab.training.reading.rows import Reading

LONGEST = 110
"""Words of a text that is learned from."""
FEWEST = 3
"""Sentences of a text from which half can be taken."""


def cut_out(row: Reading) -> Reading | None:
    """The row without the sentences that hold its answer; None where nothing, or the answer, is left."""
    left = [one.text for one in sentences(row.text) if not holds_answer(one.text, row.answers)]
    text = " ".join(left)
    if len(text.split()) < 8 or holds_answer(text, row.answers):
        return None
    return replace(row, text=text, places=(), kind="none", part="cut out")


def left_open(row: Reading) -> Reading | None:
    """A yes or no question beside its text without the sentences nearest to it by words: undecided.

    None where too little is left. Nobody marked the sentence that decides; it is nearly always among these.
    """
    found = [one.text for one in sentences(row.text)]
    if row.kind not in ("yes", "no") or len(found) < FEWEST:
        return None
    near = sorted(range(len(found)), key=lambda at: -coverage(row.question, found[at]))[: len(found) // 2]
    text = " ".join(one for at, one in enumerate(found) if at not in near)
    if len(text.split()) < 8:
        return None
    return replace(row, text=text, kind="undecided", part="left open")


def elsewhere(row: Reading, title: str, text: str) -> Reading | None:
    """The question beside another text; None where the text holds the answer."""
    if row.kind in ("yes", "no", "undecided"):
        return replace(row, title=title, text=text, places=(), kind="undecided", part="elsewhere")
    if holds_answer(f"{title} {text}", row.answers):
        return None
    return replace(row, title=title, text=text, places=(), kind="none", part="elsewhere")


def focused(row: Reading, words: int = LONGEST) -> Reading:
    """The row with a long text cut to the piece around its first answer, or to its beginning."""
    if len(row.text.split()) <= words:
        return row
    pieces = windows(row.text, most=60, words=words)
    first = row.places[0][0] if row.places else 0
    piece = next((one for one in pieces if one.start <= first < one.end), pieces[0])
    inside = [(start, end) for start, end in row.places if piece.start <= start and end <= piece.end]
    if row.kind == "span" and not inside:
        return row
    return replace(row, text=piece.text, places=tuple((at - piece.start, to - piece.start) for at, to in inside))


def holds_answer(text: str, answers: Sequence[str]) -> bool:
    """Whether one of the answers stands in the text as words."""
    padded = f" {normalised(text)} "
    return any(f" {normalised(answer)} " in padded for answer in answers if normalised(answer))
