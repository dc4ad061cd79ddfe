"""Questions asked of a real knowledge base, with what was read and whether it was right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from veridic.context import Context
from veridic.evidence.analysis import depth_of, near
from veridic.evidence.evidence import kept
from veridic.evidence.likeliest import Weighing
from veridic.evidence.reading import considered, texts_of
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.nodes.evaluate import evaluate
from veridic.nodes.refine import refine
from veridic.ports.judgements import AnswerSigns
from veridic.ports.judging import Reader
from veridic.resources import open_resources
from veridic.runtime.run import Resources, Run
from veridic.settings import EXTRACTIVE, Settings
from veridic.text.answers import tokens
from veridic.text.kinds import AnswerKind, answer_kind
from veridic_lab.squad import token_f1
from veridic_lab.training.pairs import fraction_of
from veridic_lab.training.reading.own_documents import SOURCE
from veridic_lab.training.reading.rows import COMPOSED, DECISIONS, Reading

HIDDEN = 0.35
"""Share of the questions whose own text is taken away."""
FORGIVEN = 12
"""Words of a short answer that may stand around an accepted one."""
ALIKE = 0.8
"""Token F1 from which a short answer is the accepted one in other words."""
NEVER = float("inf")
PART = 1 / 3
"""Share of the words of a long answer from which a part of it is right."""


@dataclass(frozen=True)
class AnswerCase:
    """One question, the answers that were considered, the clearest first, and which of them are right."""

    source: str
    kind: AnswerKind
    key: str
    answerable: bool
    found: tuple[tuple[AnswerSigns, bool], ...]
    short: bool = True
    """Whether a short answer may be right; else only sentences answer."""


def answer_cases(
    rows: Sequence[Reading],
    others: Sequence[Reading],
    reader: Reader,
    settings: Settings,
    folder: Path,
) -> list[AnswerCase]:
    """Ask every row's question of a knowledge base in `folder` that holds the texts of `rows` and `others`.

    Of a share of the rows the own text is left out of what is retrieved. Questions for which no strip passes are left
    out: there the graph abstains before it reads.
    """
    apart = {"kb": str(folder / "cases.sqlite"), "docs": None, "begin_with": None, "model": EXTRACTIVE}
    resources = open_resources(settings.model_copy(update=apart), reader=reader)
    texts = {text.url: text for text in map(text_of, (*rows, *others))}
    corpus = cast(Corpus, resources.knowledge)
    ingest_texts(texts.values(), corpus)
    return [case for row in rows for case in _case(row, reader, resources)]


def is_right(text: str, row: Reading) -> bool:
    """Whether a short answer is the row's: the decision, or one that is accepted with few words around it.

    So is a good part of a long one: where steps or reasons are asked for, the sentence around it says the rest.
    """
    if row.kind in DECISIONS:
        return text.lower() == row.kind
    said = tokens(text)
    accepted = [own for one in row.answers if (own := tokens(one))]
    inside = len(said) <= FORGIVEN and any(_stands_in(one, said) for one in accepted)
    part = any(_stands_in(said, one) and len(said) >= PART * len(one) for one in accepted)
    return inside or (bool(said) and part) or token_f1(text, row.answers) >= ALIKE


def _stands_in(one: Sequence[str], other: Sequence[str]) -> bool:
    return f" {' '.join(one)} " in f" {' '.join(other)} "


def is_hidden(row: Reading) -> bool:
    """Whether the row's own text is left out of what its question retrieves."""
    return row.source != SOURCE and fraction_of(f"hidden:{row.question}") < HIDDEN


def _case(row: Reading, reader: Reader, resources: Resources) -> Iterator[AnswerCase]:
    run = Run(Context(), resources, lambda _event: None)
    depth = depth_of(resources.embedder)
    [found] = resources.knowledge.search([row.question], limit=depth + 2, deadline=NEVER)
    seen = [one for one in found if not (is_hidden(row) and one["url"] == _url(row))][:depth]
    state: dict[str, Any] = {
        "standalone": row.question,
        "queries": [row.question],
        "searched": False,
        "asked_again": [],
        "findings": [],
        "documents": near(row.question, seen, resources.embedder),
        "rejected": [],
        "evidence": [],
        "readings": [],
        "failures": [],
        "deadline": NEVER,
    }
    for node in (evaluate, refine):
        state |= node(cast(Any, state), run)
    texts = texts_of(kept(state["strips"]), state["documents"])
    if not kept(state["strips"]):
        return
    said = reader.read([(row.question, text.shown) for text in texts], deadline=NEVER)
    kind = answer_kind(row.question)
    answers = Weighing(run, NEVER).weighed(row.question, considered(row.question, texts, said, kind))
    answerable = not is_hidden(row) and row.kind not in ("none", "undecided")
    right = [(one.signs, answerable and is_right(one.answer.text, row)) for one in answers]
    if right:
        yield AnswerCase(row.source, kind, row.key, answerable, tuple(right), row.part != COMPOSED)


def text_of(row: Reading) -> Text:
    """What a row's question is asked of, as it is stored; the same text is stored once."""
    return Text(url=_url(row), title=row.title, text=row.text)


def _url(row: Reading) -> str:
    return f"case:{sha256(f'{row.title}|{row.text}'.encode()).hexdigest()[:16]}"
