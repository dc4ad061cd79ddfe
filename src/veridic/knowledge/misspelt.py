"""The words of the documents nearest to words that stand nowhere in them.

The full-text index holds stems, not words: near stems are looked for among all, and the words in the chunks where
they stand. What it holds of other namespaces, or outside a scope, is not told.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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

STEMS = 8
"""Near stems whose words are read, of those that stand in the documents asked."""

CHUNKS = 24
"""Chunks in which the words of one stem are read."""

_TEMPORARY = (
    "CREATE VIRTUAL TABLE temp.stems USING fts5vocab('main', 'chunk_words', 'row')",
    "CREATE VIRTUAL TABLE temp.stem_places USING fts5vocab('main', 'chunk_words', 'instance')",
    "CREATE VIRTUAL TABLE temp.asked USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE temp.asked_stems USING fts5vocab('temp', 'asked', 'row')",
)
_STANDS = """
    SELECT 1 FROM chunk_words JOIN chunks ON chunks.id = chunk_words.rowid
    WHERE chunk_words MATCH ? AND chunks.namespace = ? AND chunks.status = 'active' AND chunks.kind = 'human'
        {inside}
    LIMIT 1
"""
_TEXTS = """
    SELECT DISTINCT chunks.title || ' ' || chunks.heading || ' ' || chunks.text
    FROM temp.stem_places JOIN chunks ON chunks.id = stem_places.doc
    WHERE stem_places.term = ? AND chunks.namespace = ? AND chunks.status = 'active' AND chunks.kind = 'human'
        {inside}
    LIMIT ?
"""


@dataclass(frozen=True)
class _Asked:
    """The documents whose words are looked at, in one transaction."""

    connection: Connection
    members: Members | None

    def select(self, query: str, first: str, *more: int) -> sqlite3.Cursor:
        inside, values = clause("chunks.document_id", self.members)
        return self.connection.execute(query.format(inside=inside), (first, self.connection.namespace, *values, *more))


def corrections(connection: Connection, words: Sequence[str], members: Members | None = None) -> dict[str, str]:
    """Of these words those that neither the documents nor English know, each with the nearest word that they do.

    With `members` the documents are these. The connection is in a transaction, which is rolled back: the tables made
    here go with it.
    """
    asked = _Asked(connection, members)
    unknown = [word for word in words if not _stands(asked, word) and word not in _english()]
    if not unknown:
        return {}
    for statement in _TEMPORARY:
        connection.execute(statement)
    stems = {row["term"]: row["doc"] for row in connection.execute("SELECT term, doc FROM temp.stems")}
    return {word: right for word in unknown if (right := _nearest(asked, word, stems))}


def _stands(asked: _Asked, word: str) -> bool:
    """Whether a word stands in the documents, in any of its forms."""
    return asked.select(_STANDS, f'"{word}"').fetchone() is not None


def _nearest(asked: _Asked, word: str, stems: Mapping[str, int]) -> str:
    """The nearest word; a function word before others as near, then the most frequent. Empty when none is near."""
    ranked = [(slips, 0, place, name) for place, name in enumerate(FUNCTION_WORDS) if (slips := _slips(word, name))]
    for counted in islice(_near_words(asked, word, stems), STEMS) if len(word) > SHORT_WORD else ():
        ranked += [(slips, 1, -count, name) for name, count in counted.items() if (slips := _slips(word, name))]
    return min(ranked)[3] if ranked else ""


def _near_words(asked: _Asked, word: str, stems: Mapping[str, int]) -> Iterator[Counter[str]]:
    """The words where each near stem stands, nearest first; nothing of a stem that stands only in other documents."""
    return filter(None, (_words_at(asked, stem) for stem in _near_stems(asked.connection, word, stems)))


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


def _near_stems(connection: Connection, word: str, stems: Mapping[str, int]) -> list[str]:
    """The stems nearest to that of a word, the more frequent first among equals."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    connection.execute("DELETE FROM temp.asked")
    connection.execute("INSERT INTO temp.asked VALUES (?)", (word,))
    asked = connection.execute("SELECT term FROM temp.asked_stems").fetchone()["term"]
    near = extract(asked, stems.keys(), scorer=OSA.distance, score_cutoff=_allowed(word), limit=None)
    return [stem for stem, _, _ in sorted(near, key=lambda one: (one[1], -stems[one[0]]))]


def _words_at(asked: _Asked, stem: str) -> Counter[str]:
    """The words of chunks that hold a stem."""
    rows = asked.select(_TEXTS, stem, CHUNKS)
    return Counter(match.group().lower() for row in rows for match in WORD.finditer(row[0]))


@cache
def _english() -> "SpellChecker":
    """The words of English, common names among them."""
    from spellchecker import SpellChecker

    return SpellChecker()
