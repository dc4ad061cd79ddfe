"""Sheets of many short facts: passages as a knowledge base holds them, beside what they answer and what they do not.

`data/facts/` holds a file for each hand; `manifest.json` beside them says what each is for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from veridic.evidence.evidence import under_heading
from veridic.text.answers import coverage
from veridic.text.sentences import sentences
from veridic_lab.drafts.examples import Example, polar
from veridic_lab.drafts.hands import FOLDER as WRITTEN
from veridic_lab.drafts.hands import Asked, Document, Role, manifest

FOLDER = WRITTEN.with_name("facts")
BARE = 0.25
"""Share of the passages that are shown without title and heading."""
TAKEN_AWAY = 0.4
"""Share of the answered questions that are asked of their passage without the sentences that answer, too."""


EVERY = 3
"""Of the sheets that fit each third is asked in whole runs."""


@dataclass(frozen=True)
class Section:
    """A passage."""

    heading: str
    text: str


@dataclass(frozen=True)
class Fact:
    """A question, the number of the section that answers it, and the words there that do."""

    question: str
    section: int
    span: str
    answer: str


@dataclass(frozen=True)
class Sheet:
    """A document in sections, with what is asked of it."""

    key: str
    title: str
    sections: tuple[Section, ...]
    asked: tuple[Fact, ...]
    unanswered: tuple[str, ...]
    """Questions that no section answers, worded as the others."""

    def shown(self, section: Section) -> str:
        """A section under title and heading."""
        return under_heading(self.title, section.heading, section.text)

    def document(self) -> Document:
        """The same as one Markdown text."""
        parts = (f"## {one.heading}\n\n{one.text}" if one.heading else one.text for one in self.sections)
        asked = (Asked(one.question, "", one.span, one.answer, ()) for one in self.asked)
        return Document(
            self.key, self.title, ("\n\n".join([f"# {self.title}", *parts]),), tuple(asked), self.unanswered
        )


def sheets(*roles: Role, folder: Path = FOLDER) -> list[Sheet]:
    """All sheets of the hands with these roles."""
    hands = [hand for hand, role in manifest(folder).items() if role in roles]
    return [sheet for hand in hands for sheet in read_sheets(folder / f"{hand}.jsonl")]


def fitted_on() -> list[Document]:
    """The sheets that questions are asked of beside the written documents of the hand that fits."""
    return [sheet.document() for sheet in sheets("fit")[::EVERY]]


def read_sheets(path: Path) -> Iterator[Sheet]:
    """The sheets of a file."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        yield Sheet(
            key=row["id"],
            title=row["title"],
            sections=tuple(Section(one["heading"], one["text"]) for one in row["sections"]),
            asked=tuple(Fact(one["q"], one["section"], one["span"], one["answer"]) for one in row["asked"]),
            unanswered=tuple(row["unanswered"]),
        )


def of_sheets(found: Sequence[Sheet], seed: int = 7) -> Iterator[Example]:
    """Every question beside the passage that answers it and the nearest one that does not."""
    rng = np.random.default_rng(seed)
    for sheet in found:
        for fact in sheet.asked:
            own = sheet.sections[fact.section]
            yield _answered(sheet, own, fact, bare=rng.random() < BARE)
            rest = [one for one in sheet.sections if one is not own and fact.span not in one.text]
            for section in _nearest(fact.question, rest):
                yield _unanswered(sheet, section, fact.question, bare=rng.random() < BARE)
            left = _without(fact.span, own)
            if left.text and rng.random() < TAKEN_AWAY:
                yield _unanswered(sheet, left, fact.question, bare=rng.random() < BARE)
        for question in sheet.unanswered:
            for section in _nearest(question, sheet.sections):
                yield _unanswered(sheet, section, question, bare=rng.random() < BARE)


def _nearest(question: str, found: Sequence[Section]) -> list[Section]:
    return sorted(found, key=lambda one: -coverage(question, f"{one.heading} {one.text}"))[:1]


def _without(span: str, section: Section) -> Section:
    """A section without the sentences that a span stands in."""
    at = section.text.find(span)
    left = [one.text for one in sentences(section.text) if one.end <= at or one.start >= at + len(span)]
    return replace(section, text="\n".join(left))


def _answered(sheet: Sheet, section: Section, fact: Fact, *, bare: bool) -> Example:
    shown = section.text if bare else sheet.shown(section)
    said = polar(fact.answer)
    at = shown.find(fact.span)
    return Example(
        shown,
        question=fact.question,
        reads=True,
        answers=((at, at + len(fact.span)),) if said < 0 else (),
        answered=1 if said < 0 else -1,
        decision=said,
        relevant=1,
        key=sheet.key,
    )


def _unanswered(sheet: Sheet, section: Section, question: str, *, bare: bool) -> Example:
    shown = section.text if bare else sheet.shown(section)
    return Example(shown, question=question, reads=True, answered=0, relevant=0, key=sheet.key)
