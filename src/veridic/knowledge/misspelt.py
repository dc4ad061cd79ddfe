"""The words of the documents nearest to words that neither they nor English know."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from veridic.knowledge.full_text import WORD
from veridic.knowledge.scope import Members, clause
from veridic.knowledge.store import Connection
from veridic.text.stop_words import FUNCTION_WORDS

if TYPE_CHECKING:
    from spellchecker import SpellChecker

LONG_WORD = 6
"""Letters from which two slips are allowed for, the first letter being right."""

SHORT_WORD = 3
"""Letters up to which a word is taken for a function word that has all its letters, or for nothing."""

LOOKED_UP = 64
"""Near words, at most, of which it is asked whether they stand in the documents."""

CHUNKS = 24
"""Chunks in which a word is looked for that stands there in some form."""

_ALL = "chunks.title || ' ' || chunks.heading || ' ' || chunks.text"
_CHUNKS = "chunks.namespace = ? AND chunks.status = 'active' AND chunks.kind = 'human'"


@dataclass(frozen=True)
class _Asked:
    """The documents whose words are looked at, in one transaction."""

    connection: Connection
    members: Members | None

    def words_like(self, word: str, most: int) -> set[str]:
        """The words of chunks, `most` of them, where a word stands in any of its forms; nothing where it does not."""
        inside, values = clause("chunks.document_id", self.members)
        query = f"""
            SELECT {_ALL} FROM chunk_words JOIN chunks ON chunks.id = chunk_words.rowid
            WHERE chunk_words MATCH ? AND {_CHUNKS} {inside} LIMIT ?
        """
        return _words(self.connection.execute(query, (f'"{word}"', self.connection.namespace, *values, most)))

    def names(self) -> set[str]:
        """The words of their titles and headings, which may be names that no dictionary has."""
        inside, values = clause("chunks.document_id", self.members)
        query = f"SELECT DISTINCT title || ' ' || heading FROM chunks WHERE {_CHUNKS} {inside}"
        return _words(self.connection.execute(query, (self.connection.namespace, *values)))


def _words(rows: Iterable[sqlite3.Row]) -> set[str]:
    return {match.group().lower() for row in rows for match in WORD.finditer(row[0])}


def corrections(connection: Connection, words: Sequence[str], members: Members | None = None) -> dict[str, str]:
    """Of these words those that neither the documents nor English know, each with the nearest word that they do.

    With `members` the documents are these.
    """
    asked = _Asked(connection, members)
    unknown = [word for word in words if word not in _english() and not asked.words_like(word, 1)]
    names = asked.names() if unknown else set[str]()
    return {word: right for word in unknown if (right := _nearest(asked, word, names))}


def _nearest(asked: _Asked, word: str, names: set[str]) -> str:
    """The nearest function word, or word that stands in the documents; empty when none is near."""
    ranked = [(slips, 0, 0, name) for name in FUNCTION_WORDS if (slips := _slips(word, name))]
    if len(word) > SHORT_WORD:
        ranked += [(slips, 1, 0, name) for name in names if (slips := _slips(word, name))]
        ranked += [(slips, 2, -_english()[name], name) for name, slips in _of_english(word)]
    near = islice(sorted(ranked), LOOKED_UP)
    return next((name for _, kind, _, name in near if kind == 0 or name in asked.words_like(name, CHUNKS)), "")


def _of_english(word: str) -> Iterator[tuple[str, int]]:
    """The words of English that are near, and how many slips they are away."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    words = list[str](_english().word_frequency.words())
    near = extract(word, words, scorer=OSA.distance, score_cutoff=_allowed(word), limit=None)
    return ((name, slips) for name, _, _ in near if (slips := _slips(word, name)))


def _slips(word: str, right: str) -> int:
    """How many letters were left out, put in, changed or swapped; 0 when it is more than is allowed for."""
    from rapidfuzz.distance import OSA

    if len(word) <= SHORT_WORD and Counter(word) - Counter(right):
        return 0
    allowed = _allowed(word)
    slips = OSA.distance(word, right, score_cutoff=allowed)
    return slips if slips == 1 or (slips <= allowed and right[:1] == word[:1]) else 0


def _allowed(word: str) -> int:
    return 2 if len(word) >= LONG_WORD else 1


@cache
def _english() -> "SpellChecker":
    """The words of English with how often they are used, common names among them."""
    from spellchecker import SpellChecker

    return SpellChecker()
