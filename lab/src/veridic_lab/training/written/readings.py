"""What a reader learns from written documents: answers where they are, "none" where only something near is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from veridic.evidence.evidence import place_of
from veridic_lab.training.reading.rows import Kind, Reading
from veridic_lab.training.reading.taken import focused
from veridic_lab.training.sets import holds_answer
from veridic_lab.training.wording import Rng
from veridic_lab.training.written.documents import SOURCE
from veridic_lab.training.written.found import Found, Piece, places_of

T = TypeVar("T")
WRONG = 2
"""Pieces without the answer beside which a question is read, the nearest."""
READ: dict[str, Kind] = {"span": "span", "yes": "yes", "no": "no", "undecided": "undecided", "none": "none"}
"""How the kinds of question are read; what sentences answer has no words to read."""


def written_readings(found: Sequence[Found], rng: Rng) -> list[Reading]:
    """Each question beside the passage and a strip that answer it, and beside the nearest that do not."""
    return [focused(row) for one in found if one.asked.kind in READ for row in _readings(one, rng)]


def _readings(found: Found, rng: Rng) -> Iterator[Reading]:
    pieces = [piece for whole, strips in found.passages for piece in (whole, *strips)]
    answering = [row for piece in pieces if piece.answering and (row := _answered(found, piece))]
    yield from answering[:1]
    yield from _drawn(answering[1:], 1, rng)
    nearest = [whole if rng.random() < 0.5 else _drawn(strips, 1, rng)[0] for whole, strips in found.passages if strips]
    wrong = (piece for piece in nearest if not piece.answering and not holds_answer(piece.text, found.asked.answers))
    open_kind: Kind = "undecided" if found.asked.kind in ("yes", "no", "undecided") else "none"
    for piece, _ in zip(wrong, range(WRONG), strict=False):
        yield replace(_row(found, piece), kind=open_kind)


def _answered(found: Found, piece: Piece) -> Reading | None:
    """The reading of a piece that answers; None where its words for the answer are not the document's."""
    row = _row(found, piece)
    if found.asked.kind in ("yes", "no"):
        return row
    places = places_of(piece.text, found.asked, piece.answering)
    return replace(row, places=places) if places else None


def _row(found: Found, piece: Piece) -> Reading:
    return Reading(
        question=found.asked.question,
        title=place_of(piece.passage),
        text=piece.text,
        places=(),
        kind=READ[found.asked.kind],
        source=SOURCE,
        key=found.group,
        part=SOURCE,
    )


def _drawn(among: Sequence[T], number: int, rng: Rng) -> list[T]:
    return [among[int(place)] for place in rng.permutation(len(among))[:number]]
