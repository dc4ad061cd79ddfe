"""A run made ready to be written down, whatever the format: paragraphs with numbers, and what the numbers mean."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from veridic.evidence.telling import numbers_of, sources_of
from veridic.evidence.wording import outcome_of
from veridic.ports.shapes import Citation, Result, Sentence
from veridic.text.same_question import is_read_as

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True)
class Piece:
    """Some text of an answer, and the sources behind it."""

    text: str
    numbers: Sequence[int]


@dataclass(frozen=True)
class Account:
    """One run as it is written down."""

    result: Result
    answered_at: str
    """To the minute, UTC."""
    paragraphs: list[list[Piece]]
    sources: list[Citation]
    """Source number n stands at n - 1."""

    def numbers(self, sentence: Sentence) -> list[int]:
        """The sources behind a sentence."""
        return numbers_of(sentence, self.sources)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What else is told of the run, name by name."""
        result = self.result
        other = result["standalone"] if is_read_as(result["question"], result["standalone"]) else ""
        told = [
            ("understood as", other),
            ("asked", self.answered_at),
            ("system", result["system"]),
            ("run", result["run_id"]),
            ("asked outside", ", ".join(dict.fromkeys(sent["source"] for sent in result["sources"]["sent"]))),
            ("documents removed since", ", ".join(result.get("redacted", ()))),
        ]
        return [(name, text) for name, text in told if text]

    @property
    def outcome(self) -> str:
        """What the run came to, and how sure it is."""
        return outcome_of(self.result)


def account_of(result: Result, answered_at: datetime) -> Account:
    """A result made ready."""
    sources = sources_of(result["sentences"])
    told = answered_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Account(result, told, _paragraphs(result, sources), sources)


def _paragraphs(result: Result, sources: Sequence[Citation]) -> list[list[Piece]]:
    """The answer, cut at blank lines, and after each sentence for its numbers."""
    paragraphs: list[list[Piece]] = [[]]
    at = 0
    for end, numbers in [*((one["end"], numbers_of(one, sources)) for one in result["sentences"]), (None, [])]:
        *before, last = _BLANK_LINE.split(result["answer"][at:end])
        for text in before:
            paragraphs[-1].append(Piece(text, []))
            paragraphs.append([])
        paragraphs[-1].append(Piece(last, numbers))
        at = end or at
    kept = [[piece for piece in one if piece.text.strip() or piece.numbers] for one in paragraphs]
    return [one for one in kept if one]


def place(source: Citation) -> str:
    """Where a quotation stands, for people: `line 5, characters 48-201, document, taken in 2026-03-01`."""
    from veridic.evidence.sides import kind_and_date

    parts = (source["location"], f"characters {source['start']}-{source['end']}", kind_and_date(source))
    return ", ".join(filter(None, parts))
