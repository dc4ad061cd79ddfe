"""What the base judge learns from: statements beside what a document says, with the words that are wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veridic.text.facts import words
from veridic.text.sentences import sentences
from veridic_lab.drafts.hands import Asked, Document, Draft
from veridic_lab.training.pairs import NLI_LABELS, find, read_pairs

WORDS = 100
"""Words of a premise, at most: what is nearest to statement and question, in its order."""
BROAD = {
    "mnli.nli": 20_000,
    "snli.nli": 6_000,
    "fever_nli.nli": 8_000,
    "fool_me_twice.nli": 3_000,
    "contract_nli.nli": 2_000,
    "scifact.nli": 2_000,
    "factcheck_gpt.nli": 2_000,
    "attribution_bench.grounded": 2_000,
    "begin.grounded": 1_000,
    "halueval_qa.grounded": 1_000,
    "clapnq.grounded": 300,
}
"""Labelled sets whose licences let weights be shipped, and that no measure uses; so many pairs of each, at most."""
SHOWN_QUESTION = 0.7
"""Share of the statements that are shown with the question they answer."""

KEPT = 0.3
"""Share of the true statements of false drafts: they say what the true draft says."""


@dataclass(frozen=True)
class Example:
    """A statement beside a premise, or a passage beside a question; -1 where nothing is known."""

    own: str
    """The statement that is judged, or the passage that is read."""
    question: str = ""
    premise: str = ""
    """Of a statement."""
    label: int = -1
    """Of a statement: an index into `NLI_LABELS`."""
    wrong: tuple[int, int] | None = None
    """Characters of the statement that the premise does not support; None: unknown, or none."""
    marked: bool = False
    """Whether `wrong` is known, None included."""
    reads: bool = False
    """Whether it is a passage."""
    answers: tuple[tuple[int, int], ...] = ()
    """Characters of the passage that answer."""
    answered: int = -1
    """1: the answer stands there, 0: it does not."""
    decision: int = -1
    """0 yes, 1 no, 2 undecided."""
    relevant: int = -1
    """1 where the passage helps to answer, 0 where not."""
    group: str = ""
    """Statements of one question have one."""
    key: str = ""


def of_drafts(documents: Sequence[Document], seed: int = 7) -> Iterator[Example]:
    """The statements of every true draft, the wrong ones of false drafts, and some true ones."""
    rng = np.random.default_rng(seed)
    for document in documents:
        for asked in document.asked:
            for draft in asked.drafts:
                question = draft.question if rng.random() < SHOWN_QUESTION else ""
                found = of_draft(document, asked, draft, question)
                yield from (one for one in found if draft.true or one.wrong or rng.random() < KEPT)


def of_draft(document: Document, asked: Asked, draft: Draft, question: str) -> Iterator[Example]:
    """The statements of a draft; one with a wrong word is not entailed."""
    for statement in draft.statements():
        label = "not_entailment" if statement.wrong else "entailment"
        yield Example(
            own=statement.text,
            premise=premise_for(f"{statement.text} {asked.question}", document),
            label=NLI_LABELS.index(label),
            question=question,
            wrong=statement.wrong,
            marked=True,
            group=f"{document.key} {asked.question}",
            key=document.key,
        )


def premise_for(text: str, document: Document) -> str:
    """What a document says that is nearest to a text, under its title; sentences in their order, or the whole."""
    places = [one.text for part in document.texts for one in sentences(part)]
    kept, room = set[int](), WORDS
    for at in _nearest_first(set(words(text)), [set(words(one)) for one in places]):
        room -= len(places[at].split())
        if room < 0 and kept:
            break
        kept.add(at)
    return "\n".join([document.title, *(places[at] for at in sorted(kept))])


def _nearest_first(said: set[str], places: Sequence[set[str]]) -> list[int]:
    """Sentences by the words they share; a rare word weighs more, and a long sentence has some by chance."""
    held = Counter(word for own in places for word in own)
    worth = {word: math.log(1 + len(places) / count) for word, count in held.items()}
    near = [sum(worth[word] for word in said & own) / math.sqrt(len(own) or 1) for own in places]
    return sorted(range(len(places)), key=lambda at: (-near[at], at))


def broad(data: Path, seed: int = 7) -> list[Example]:
    """Pairs of the broad sets, shuffled."""
    rng = np.random.default_rng(seed)
    found: list[Example] = []
    for name, most in BROAD.items():
        pairs = list(read_pairs(find(data, name)))
        chosen = rng.permutation(len(pairs))[:most]
        found += [
            Example(
                pairs[at].second,
                premise=cut(pairs[at].first, pairs[at].second),
                label=pairs[at].label,
                key=pairs[at].source,
            )
            for at in chosen
        ]
    return [found[at] for at in rng.permutation(len(found))]


def cut(premise: str, statement: str) -> str:
    """A premise of at most `WORDS` words, by its sentences nearest to a statement."""
    if len(premise.split()) <= WORDS:
        return premise
    return premise_for(statement, Document("", "", (premise,), (), ())).lstrip("\n")
