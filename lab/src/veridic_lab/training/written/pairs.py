"""What the evaluator learns from written documents: what helps to answer a question, and what only comes near."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridic.evidence.evidence import headed
from veridic_lab.training.pairs import Pair
from veridic_lab.training.wording import Rng
from veridic_lab.training.written.documents import SOURCE
from veridic_lab.training.written.found import Found, Piece

WRONG = 3
"""Passages without the answer, and strips of them, that a question is judged beside, the nearest."""
SIFTED = 0.5
"""Share of the strips whose relevance is learned."""
NEAR = 2
"""Strips of the passage that answers, or comes nearest, which do not answer."""


def written_pairs(found: Sequence[Found], rng: Rng) -> tuple[list[Pair], list[Pair]]:
    """Pairs of relevance and of usefulness; strips are sifted by the one and told by the other."""
    made = [pair for one in found for pair in _pairs(one, rng)]
    strips = [replace(pair, task="usefulness") for pair in made if pair.part == "strip"]
    return [pair for pair in made if pair.part == "passage" or rng.random() < SIFTED], strips


def _pairs(found: Found, rng: Rng) -> Iterator[Pair]:
    if found.asked.place and not any(whole.answering for whole, _ in found.passages):
        return
    wrong = [whole for whole, _ in found.passages if not whole.answering][:WRONG]
    for piece in (*(whole for whole, _ in found.passages if whole.answering), *wrong):
        yield _pair(found, piece, "passage")
    first = next((strips for whole, strips in found.passages if whole.answering), found.passages[0][1])
    others = [strip for strip in first if not strip.answering]
    others += [strips[int(rng.integers(len(strips)))] for _, strips in found.passages[1:WRONG] if strips]
    answering = [strip for strip in first if strip.answering]
    for strip in (*answering[:1], *(others[int(i)] for i in rng.permutation(len(others))[:NEAR])):
        yield _pair(found, strip, "strip")


def _pair(found: Found, piece: Piece, part: str) -> Pair:
    return Pair(
        "relevance",
        found.asked.question,
        headed(piece.passage, piece.text),
        int(bool(piece.answering)),
        SOURCE,
        found.group,
        "",
        part,
    )
