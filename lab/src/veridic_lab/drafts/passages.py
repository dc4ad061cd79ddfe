"""What the base judge reads: passages beside questions, from written documents, reader's rows and labelled pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from veridic.models.embedder import OnnxEmbedder
from veridic.text.sentences import sentences
from veridic_lab.drafts.examples import Example, premise_for
from veridic_lab.drafts.hands import Asked, Document
from veridic_lab.training.pairs import Pair
from veridic_lab.training.reading.rows import DECISIONS, Reading, shown

WHOLE = 0.3
"""Share of the written questions that are asked of the piece without its answer, and not of the one with it."""
READINGS = 24_000
PAIRS = 8_000


def of_documents(documents: Sequence[Document], seed: int = 7) -> Iterator[Example]:
    """Every question of written documents beside the piece nearest to it, answered or not."""
    rng = np.random.default_rng(seed)
    for document in documents:
        for asked in document.asked:
            if (decided := _decided(asked)) >= 0:
                yield _read(document, asked.question, decision=decided, relevant=1)
            elif asked.span:
                yield from _spans(document, asked, rng)
        for question in document.unanswered:
            yield _read(document, question, answered=0)


def _spans(document: Document, asked: Asked, rng: np.random.Generator) -> Iterator[Example]:
    """A question beside the piece that answers it; now and then beside the same one without the sentence that does."""
    piece = premise_for(f"{asked.question} {asked.span}", document)
    start = piece.find(asked.span)
    if start < 0:
        return
    held = Example(
        piece,
        question=asked.question,
        reads=True,
        answers=((start, start + len(asked.span)),),
        answered=1,
        relevant=1,
        key=document.key,
    )
    yield held
    if rng.random() < WHOLE:
        left = [one.text for one in sentences(piece) if asked.span not in one.text]
        if left and asked.span not in "\n".join(left):
            yield replace(held, own="\n".join(left), answers=(), answered=0, relevant=-1)


def _read(document: Document, question: str, *, answered: int = -1, decision: int = -1, relevant: int = -1) -> Example:
    return Example(
        premise_for(question, document),
        question=question,
        reads=True,
        answered=answered,
        decision=decision,
        relevant=relevant,
        key=document.key,
    )


def _decided(asked: Asked) -> int:
    """The index of the decision of a yes or no question; -1 for others."""
    first = asked.answer.strip().lower().split(" ")[0].strip(",.;:-") if asked.kind in ("yes-no", "may I") else ""
    return {"yes": 0, "no": 1}.get(first, -1)


def of_reading(row: Reading) -> Example:
    """A reader's row."""
    skip = len(shown(row)) - len(row.text)
    decided = DECISIONS.index(row.kind) if row.kind in DECISIONS else -1
    return Example(
        shown(row),
        question=row.question,
        reads=True,
        answers=tuple((start + skip, end + skip) for start, end in row.places),
        answered={"span": 1, "none": 0}.get(row.kind, -1),
        decision=decided,
        relevant=1 if row.kind in ("span", "yes", "no") else -1,
        key=row.key,
    )


def of_pair(pair: Pair) -> Example:
    """A labelled pair of a question and a passage."""
    return Example(pair.second, question=pair.first, reads=True, relevant=pair.label, key=pair.key)


def broad_passages(data: Path, seed: int = 7) -> list[Example]:
    """Rows of the reader's and the evaluator's own mixtures, shuffled; what they hold out is left out."""
    from veridic_lab.training import mixture as judged
    from veridic_lab.training.reading import mixture as read

    rng = np.random.default_rng(seed)
    embedder = OnnxEmbedder()
    rows = read.epoch(read.build(data, embedder).train, read.WEIGHTS, rng)
    pairs = [pair for pair in judged.epoch(judged.build(data, embedder).train, judged.WEIGHTS, rng) if pair.asks]
    found = [of_reading(rows[at]) for at in rng.permutation(len(rows))[:READINGS]]
    found += [of_pair(pairs[at]) for at in rng.permutation(len(pairs))[:PAIRS]]
    return [found[at] for at in rng.permutation(len(found))]
