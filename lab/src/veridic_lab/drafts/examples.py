"""What the base judge learns from: statements beside what a document says, with the words that are wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from veridic.text.answers import nearest_first
from veridic.text.facts import words
from veridic.text.sentences import sentences
from veridic_lab.drafts.hands import Asked, Document, Draft, Statement
from veridic_lab.training.pairs import NLI_LABELS, Pair, find, held_out, read_pairs

WORDS = 120
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
BARE = 10
"""Words of a short answer, at most."""
SHOWN_QUESTION = 0.85
"""Share of the questions whose statements are shown with them."""


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
    """The statements of all drafts; those of a question share one premise."""
    rng = np.random.default_rng(seed)
    for document in documents:
        for asked in document.asked:
            question = asked.question if rng.random() < SHOWN_QUESTION else ""
            premise = premise_for(" ".join([asked.question, *(one.text for one in asked.drafts)]), document)
            for draft in asked.drafts:
                yield from of_draft(document, asked, draft, question, premise)
            for statement in bare_answers(document, asked):
                yield example_of(document, asked, statement, premise)


def bare_answers(document: Document, asked: Asked) -> Iterator[Statement]:
    """Short answers, which say something beside their question alone: the true one, and one that is not.

    Of a yes or no the other one; else what answers another question of the document and shares no word.
    """
    if (polar := decided(asked)) >= 0:
        for said, text in enumerate(("Yes.", "No.")):
            yield Statement(text, None if said == polar else (0, len(text) - 1))
        return
    others = sorted(
        (one for one in document.asked if one is not asked and one.span and decided(one) < 0),
        key=lambda one: one.kind != asked.kind,
    )
    for text in (asked.answer, *(one.answer for one in others[:1])):
        own = text == asked.answer
        if asked.span and len(text.split()) <= BARE and (own or not set(words(text)) & set(words(asked.answer))):
            yield Statement(text, None if own else (0, len(text)))


def decided(asked: Asked) -> int:
    """0 where the answer to a yes or no question is yes, 1 where it is no; -1 for other questions."""
    return polar(asked.answer) if asked.kind in ("yes-no", "may I") else -1


def polar(answer: str) -> int:
    """0 for an answer that begins with yes, 1 with no; -1 for others."""
    return {"yes": 0, "no": 1}.get(answer.strip().lower().split(" ")[0].strip(",.;:-"), -1)


def of_draft(document: Document, asked: Asked, draft: Draft, question: str, premise: str) -> Iterator[Example]:
    """What is known of a draft, and all of it where it has several sentences, beside one premise."""
    whole = [draft.whole()] if len(draft.statements()) > 1 else []
    for statement in [*draft.known(), *whole]:
        yield replace(example_of(document, asked, statement, premise), question=question)


def example_of(document: Document, asked: Asked, statement: Statement, premise: str = "") -> Example:
    """A statement of an answer; one with a wrong word is not entailed. Without a premise what is nearest to it."""
    return Example(
        own=statement.text,
        premise=premise or premise_for(f"{statement.text} {asked.question}", document),
        label=NLI_LABELS.index("not_entailment" if statement.wrong else "entailment"),
        question=asked.question,
        wrong=statement.wrong,
        marked=True,
        group=f"{document.key} {asked.question}",
        key=document.key,
    )


def premise_for(text: str, document: Document, most: int = WORDS) -> str:
    """What a document says that is nearest to a text, under its title; sentences in their order, `most` words."""
    places = [one.text for part in document.texts for one in sentences(part)]
    kept, room = set[int](), most
    for at in nearest_first(set(words(text)), [set(words(one)) for one in places]):
        room -= len(places[at].split())
        if room < 0 and kept:
            break
        kept.add(at)
    return "\n".join([document.title, *(places[at] for at in sorted(kept))])


def broad(data: Path, seed: int = 7) -> list[Example]:
    """Pairs of the broad sets; those of one premise side by side, the premises shuffled."""
    rng = np.random.default_rng(seed)
    by_premise = defaultdict[str, list[Example]](list)
    for name, most in BROAD.items():
        pairs = [pair for pair in read_pairs(find(data, name)) if not held_out(pair.key)]
        for at in rng.permutation(len(pairs))[:most]:
            one = of_statement(pairs[at])
            by_premise[one.group].append(one)
    groups = list(by_premise.values())
    return [one for at in rng.permutation(len(groups)) for one in groups[at]]


def of_statement(pair: Pair) -> Example:
    """A labelled pair of a premise and a statement."""
    premise = cut(pair.first, pair.second)
    return Example(pair.second, premise=premise, label=pair.label, group=f"{pair.source} {premise}", key=pair.source)


def cut(premise: str, statement: str) -> str:
    """A premise of at most `WORDS` words, by its sentences nearest to a statement."""
    if len(premise.split()) <= WORDS:
        return premise
    return premise_for(statement, Document("", "", (premise,), (), ())).lstrip("\n")
