"""What the critic reads beside a statement: of all that was found the sentences nearest to it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from veridic.evidence.evidence import place_of, strip_at
from veridic.ports.shapes import Strip
from veridic.text.answers import nearest_first
from veridic.text.facts import words
from veridic.text.sentences import sentences, without_code

WORDS = 120
"""Words of the nearest sentences that are read together, at most: of a premise that the base judge learned from."""
DOCUMENTS = 2
"""Documents that are read alone, too: they may disagree."""


@dataclass(frozen=True)
class Premise:
    """A text that may support a statement, and the sentences it is made of."""

    text: str
    strips: tuple[Strip, ...]

    @property
    def document(self) -> str:
        """The id of the only document that it is of; empty where it is of several."""
        documents = {strip["passage"]["document_id"] for strip in self.strips}
        return documents.pop() if len(documents) == 1 else ""


def premises_for(about: str, strips: Sequence[Strip]) -> list[Premise]:
    """The nearest sentences of the strips' passages as one text; where they are of several documents, of each as well.

    `about` is a statement, or the answer that statements are part of and its question: they share their premises. Code,
    which no judge here reads, is in none.
    """
    said, places = set(words(about)), _sentences_of(strips)
    together = _together(said, places)
    documents = list(dict.fromkeys(one["passage"]["document_id"] for one in together))
    apart = [
        _together(said, [one for one in places if one["passage"]["document_id"] == document])
        for document in documents[:DOCUMENTS]
        if len(documents) > 1
    ]
    return [Premise(_read_together(one), tuple(one)) for one in (together, *apart) if one]


def _together(said: Set[str], places: Sequence[Strip]) -> list[Strip]:
    """The sentences nearest to what is said, `WORDS` of them and one at the least, in the order in which they stand."""
    kept, room = set[int](), WORDS
    for at in nearest_first(said, [set(words(one["text"])) for one in places]):
        room -= len(places[at]["text"].split())
        if room < 0 and kept:
            break
        kept.add(at)
    return [one for at, one in enumerate(places) if at in kept]


def _sentences_of(strips: Sequence[Strip]) -> list[Strip]:
    """Every sentence of the strips' passages and of the strips themselves, each once, as a strip of its own."""
    whole = {strip["passage"]["id"]: strip["passage"] for strip in strips}
    pieces = [
        *((passage, passage["text"], passage["start"]) for passage in whole.values()),
        *((strip["passage"], strip["text"], strip["start"]) for strip in strips),
    ]
    kept = [(strip["passage"]["document_id"], strip["start"], strip["end"]) for strip in strips if strip["kept"]]
    found: dict[tuple[str, int], Strip] = {}
    for passage, text, start in pieces:
        for one in sentences(without_code(text)):
            place = passage["document_id"], start + one.start
            inside = any(place[0] == document and first <= place[1] < last for document, first, last in kept)
            told = strip_at(passage, place[1], text[one.start : one.end], passage["score"], kept=inside)
            found.setdefault(place, told)
    return list(found.values())


def _read_together(strips: Sequence[Strip]) -> str:
    """Strips one below the other, the heading that neighbours share once."""
    places = groupby(strips, key=lambda strip: place_of(strip["passage"]))
    return "\n".join("\n".join([*([head] if head else []), *(one["text"] for one in own)]) for head, own in places)
