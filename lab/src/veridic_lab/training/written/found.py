"""What the questions of written documents retrieve: pieces as the graph cuts them, and which of them answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from veridic.evidence.evidence import decompose
from veridic.knowledge.base import open_knowledge
from veridic.knowledge.ingest import ingest
from veridic.ports.embedding import Embedder
from veridic.ports.shapes import Passage
from veridic.text.answers import tokens
from veridic.text.sentences import sentences
from veridic_lab.training.written.documents import Asked, Written

NEVER = float("inf")
DEPTH = 24
"""Passages that are retrieved for a question."""
SAID = 0.6
"""Share of the words of the place that answers from which a sentence is taken to be it."""


@dataclass(frozen=True)
class Piece:
    """A passage or a strip of one."""

    passage: Passage
    text: str
    answering: tuple[tuple[int, int], ...]
    """The characters of the sentences that answer the question; none where it does not."""


@dataclass(frozen=True)
class Found:
    """A question with the passages it retrieves, the nearest first, and the strips of each."""

    group: str
    """The document's, by which splits are made."""
    asked: Asked
    passages: tuple[tuple[Piece, tuple[Piece, ...]], ...]


def found_for(documents: Sequence[Written], embedder: Embedder, beside: Sequence[Written] = ()) -> Iterator[Found]:
    """Every question asked of a knowledge base that holds all documents, read as files are; none of those beside."""
    with TemporaryDirectory(prefix="veridic-written-") as folder:
        named = {str(_file(Path(folder).resolve(), one)): one for one in documents}
        others = [_file(Path(folder).resolve(), one) for one in beside]
        corpus = open_knowledge(Path(folder) / "written.sqlite", "default", embedder).corpus
        ingest([*map(Path, named), *others], corpus)
        for own, document in named.items():
            retrieved = corpus.search([one.question for one in document.asked], limit=DEPTH, deadline=NEVER)
            for asked, passages in zip(document.asked, retrieved, strict=True):
                yield Found(document.group, asked, tuple(_cut(passage, asked, own) for passage in passages))


def _file(folder: Path, document: Written) -> Path:
    """Its text as a file; what has no heading is called by the file's name."""
    hand, _, name = document.key.partition(":")
    path = folder / hand / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(document.text, encoding="utf-8")
    return path


def _cut(passage: Passage, asked: Asked, own: str) -> tuple[Piece, tuple[Piece, ...]]:
    own_asked = asked if passage["url"] == own else None
    whole = Piece(passage, passage["text"], answering(passage["text"], own_asked))
    strips = (strip["text"] for strip in decompose(passage))
    return whole, tuple(Piece(passage, text, answering(text, own_asked)) for text in strips)


def answering(text: str, asked: Asked | None) -> tuple[tuple[int, int], ...]:
    """The characters of the sentences of a text that answer a question.

    Of a row of a table, which is told in a sentence for each value, those that call the row and give its answer, or
    any value where it has none; else the sentence that says most of the place that answers, if it says enough of it.
    """
    if asked is None or not asked.place:
        return ()
    told = [(one, set(tokens(one.text))) for one in sentences(text)]
    if asked.place.startswith("|"):
        first, *others = (set(tokens(cell)) for cell in asked.place.strip("| ").split("|"))
        given = [set(tokens(answer)) for answer in asked.answers] or [one for one in others if one]
        return tuple((one.start, one.end) for one, said in told if first <= said and any(g <= said for g in given))
    wanted = set(tokens(asked.place))
    shares = [(len(wanted & said) / len(wanted), one) for one, said in told]
    most, best = max(shares, key=lambda share: share[0], default=(0.0, None))
    return ((best.start, best.end),) if best and most >= SAID else ()


def places_of(text: str, asked: Asked, evidence: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The characters of the answers in the sentences that answer; none where they are told in other words there."""
    found = ((text.find(answer, start, end), answer) for start, end in evidence for answer in asked.answers)
    return tuple((at, at + len(answer)) for at, answer in found if at >= 0)
