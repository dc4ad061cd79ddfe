"""Answers taken away: the sentence cut out, the text cut before it, another text in its place."""

from __future__ import annotations

from dataclasses import replace

from veridic.text.duplicates import coverage
from veridic.text.sentences import Span, sentences, windows
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.sets import holds_answer
from veridic_lab.training.wording import Rng, pick

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


def cut_before(row: Reading, rng: Rng) -> Reading | None:
    """A snippet that stops before the first answer, as search engines cut them."""
    first = min(start for start, _ in row.places)
    text = row.text[:first].rstrip()
    if len(text.split()) < 8 or holds_answer(text, row.answers):
        return None
    ending = pick(rng, ("", " ...", "…"))
    return replace(row, text=text + ending, places=(), kind="none", part="cut before")


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
    return _piece(row, next((one for one in pieces if one.start <= first < one.end), pieces[0]))


def shortened(row: Reading, rng: Rng) -> Reading:
    """The row with its text cut to a strip around its answer, as the graph cuts them; others as they are."""
    if not row.places:
        return row
    found = sentences(row.text)
    at = next((i for i, one in enumerate(found) if one.start <= row.places[0][0] < one.end), None)
    if at is None:
        return row
    start = max(0, at - int(rng.integers(0, 2)))
    end = min(len(found), at + 1 + int(rng.integers(0, 2)))
    return _piece(row, Span(row.text[found[start].start : found[end - 1].end], found[start].start, found[end - 1].end))


def _piece(row: Reading, piece: Span) -> Reading:
    kept = tuple(
        (start - piece.start, end - piece.start)
        for start, end in row.places
        if piece.start <= start and end <= piece.end
    )
    if row.kind == "span" and not kept:
        return row
    return replace(row, text=piece.text, places=kept)
