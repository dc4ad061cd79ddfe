"""Questions of written documents and of held-out sets, with what tells whether a text or a short answer is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from veridic.evidence.quoting import stands_in
from veridic.evidence.telling import quoted
from veridic.knowledge.ingest import Text
from veridic.text.answers import tokens
from veridic.text.sentences import sentences
from veridic_lab.benchmarks.own_documents import gives
from veridic_lab.drafts.examples import decided
from veridic_lab.drafts.hands import Asked, Document
from veridic_lab.training.pairs import fraction_of
from veridic_lab.training.reading.asked import asked_rows
from veridic_lab.training.reading.cases import is_right, text_of
from veridic_lab.training.reading.rows import Reading

BRIEF = 2
"""Words of a sentence that may stand in an answer by chance."""
EVERY = 2
"""Of the held-out questions each second is asked."""
HIDDEN = 0.25
"""Share of their texts that are left out, so that nothing answers."""


@dataclass(frozen=True)
class Question:
    """What is asked, of which document, and what tells whether a text or a short answer does; None: nothing does."""

    document: str
    text: str
    answered: Callable[[str], bool] | None
    given: Callable[[str], bool] | None = None

    def told_by(self, sentence: str) -> bool:
        """Whether a sentence answers."""
        return bool(self.answered and self.answered(sentence))


def questions_of(document: Document) -> Iterator[Question]:
    """What is asked of a written document, answered by a span or by nothing."""
    for one in document.asked:
        if one.span:
            yield Question(document.key, one.question, partial(says, one), partial(gives_short, one))
    yield from (Question(document.key, question, None) for question in document.unanswered)


def _question(row: Reading, *, hidden: bool) -> Question:
    if hidden or row.kind == "none":
        return Question(row.key, row.question, None)
    return Question(row.key, row.question, partial(_reaches, row), partial(is_right, row=row))


def held_out(data: Path) -> tuple[list[Question], list[Text]]:
    """Questions of other sets, and the texts that they are asked of: thousands, a part of the right ones left out."""
    rows, others = asked_rows(data)
    asked = [row for row in rows if row.kind == "none" or row.places][::EVERY]
    gone = {row.text for row in asked if fraction_of(f"company:{row.text}") < HIDDEN}
    texts = {text.url: text for text in map(text_of, (*rows, *others)) if text.text not in gone}
    return [_question(row, hidden=row.text in gone) for row in asked], [*texts.values()]


def gives_short(asked: Asked, short: str) -> bool:
    """Whether a short answer is the written one, in one of its forms."""
    polar = decided(asked)
    accepted = [("yes", "no")[polar]] if polar >= 0 else [asked.answer, *asked.answers, asked.span]
    return gives({"kind": "span", "answers": accepted}, short)


def _said(text: str) -> list[str]:
    """The sentences of a text, without the marks of what was cut."""
    return [quote for one in sentences(text) if (quote := quoted(one.text))]


def tells(span: str, text: str) -> bool:
    """Whether a text says the words that answer, or a sentence of it is some of them in a row; marks do not count."""
    told = (quote for quote in _said(text) if len(tokens(quote)) > BRIEF)
    return stands_in(span, text) or any(stands_in(quote, span) for quote in told)


def says(asked: Asked, text: str) -> bool:
    """Whether a text tells what answers: the words of the span, or of a row of a table a name and the value.

    A table is told as sentences that name row and column, so that the span stands nowhere as it is in the file.
    """
    if not asked.row:
        return tells(asked.span, text)
    return all(any(_within(one, text) for one in own) for own in (asked.row, asked.answers))


def _within(words: str, text: str) -> bool:
    return f" {' '.join(tokens(words))} " in f" {' '.join(tokens(text))} "


def _reaches(row: Reading, text: str) -> bool:
    """Whether a sentence of a text stands in the row's around a place that answers."""
    found = [(at, at + len(quote)) for quote in _said(text) if (at := row.text.find(quote)) >= 0]
    return any(start < end_of and at < end for at, end_of in row.places for start, end in found)
