"""What the base judge reads: passages beside questions, from written documents, reader's rows and labelled pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from veridic.text.answers import coverage
from veridic.text.sentences import sentences
from veridic_lab.drafts.examples import Example, decided, premise_for
from veridic_lab.drafts.hands import Asked, Document
from veridic_lab.training.pairs import Pair, held_out
from veridic_lab.training.reading.asked import labelled_readings
from veridic_lab.training.reading.rows import DECISIONS, Reading, shown
from veridic_lab.training.reading.taken import cut_out, elsewhere
from veridic_lab.training.sets import labelled_files
from veridic_lab.training.splits import focused

WHOLE = 0.3
"""Share of the written questions that are asked of the piece without its answer, and not of the one with it."""
READ = {
    "squadshifts_new_wiki": 1.0,
    "squadshifts_amazon": 0.3,
    "squadshifts_reddit": 0.3,
    "qamr": 0.1,
    "timeqa": 1.0,
    "nq_gold": 1.0,
    "qed": 1.0,
    "boolq": 0.5,
    "condaqa": 0.2,
    "strategyqa": 0.3,
}
"""Share of each reader's set that is read."""
GRADED = {"qnli": 3_000, "selqa": 3_000, "stackexchange": 1_500, "musique": 1_500, "2wiki": 1_500, "qed": 1_000}
"""Labelled passages of each set, at most."""
CUT_OUT = 0.1
"""Share of the rows whose answering sentences are cut out; of those asked of another text."""
ELSEWHERE = 0.2


def of_documents(documents: Sequence[Document], seed: int = 7) -> Iterator[Example]:
    """Every question of written documents beside the piece nearest to it, answered or not."""
    rng = np.random.default_rng(seed)
    for document in documents:
        for asked in document.asked:
            if (polar := decided(asked)) >= 0:
                yield _read(document, asked.question, decision=polar, relevant=1)
            elif asked.span:
                yield from _spans(document, asked, rng)
        for question in document.unanswered:
            yield _read(document, question, answered=0, relevant=0)


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
            yield replace(held, own="\n".join(left), answers=(), answered=0, relevant=0)


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
    """Rows that a reader learns from, some with their answer taken away, and labelled passages; shuffled.

    What the small reader and evaluator hold out is left out here too.
    """
    rng = np.random.default_rng(seed)
    found: list[Example] = []
    for name, rows in labelled_readings(data).items():
        own = [row for row in rows if not held_out(row.key)]
        chosen = rng.permutation(len(own))[: int(READ[name] * len(own))]
        found += [of_reading(one) for at in chosen for one in (_taken_away(own[at], own, rng) or own[at],)]
    for name, most in GRADED.items():
        pairs = [pair for pair in labelled_files(data)[name] if not held_out(pair.key)]
        found += [of_pair(focused(pairs[at])) for at in rng.permutation(len(pairs))[:most]]
    return [found[at] for at in rng.permutation(len(found))]


def _taken_away(row: Reading, others: Sequence[Reading], rng: np.random.Generator) -> Reading | None:
    """For some rows: the text without the sentences that answer, or another text of the same set; else None."""
    chance = rng.random()
    if chance < CUT_OUT and row.places:
        return cut_out(row)
    if chance < CUT_OUT + ELSEWHERE and row.kind == "span":
        asked = [others[int(at)] for at in rng.integers(0, len(others), 40)]
        near = max(asked, key=lambda one: (one.key == row.key, coverage(row.question, one.text)))
        return elsewhere(row, near.title, near.text)
    return None
