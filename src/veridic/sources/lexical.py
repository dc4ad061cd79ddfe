"""Texts ranked against words, in memory, by SQLite's full text search."""

import sqlite3
import threading
import weakref
from collections.abc import Iterable, Sequence

_TITLE_WEIGHT = 2.0


class LexicalIndex:
    """Titles and texts under FTS5 (English stems, bm25); safe to use from several threads."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        """Index (title, text) rows; a row is known by its position."""
        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, self._database.close)
        self._database.execute("CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize='porter unicode61')")
        self._database.executemany(
            "INSERT INTO texts(rowid, title, body) VALUES (?, ?, ?)",
            ((position, title, body) for position, (title, body) in enumerate(rows)),
        )

    def search(self, words: Sequence[str], *, limit: int, need_all: bool = False) -> list[int]:
        """Positions of the rows that hold any of the words (or all of them), best first."""
        if not words:
            return []
        asked = (" AND " if need_all else " OR ").join('"' + word.replace('"', "") + '"' for word in words)
        with self._lock:
            found = self._database.execute(
                "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, ?, 1.0), rowid LIMIT ?",
                (asked, _TITLE_WEIGHT, limit),
            ).fetchall()
        return [int(row[0]) for row in found]
