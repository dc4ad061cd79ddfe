"""Answers of sources in one small SQLite file, for a limited time.

The file is a convenience: when it is locked, read-only or full, nothing is kept; when it is
damaged, it begins anew. No run fails by it.
"""

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from veridic.ports.shapes import Discarded, Passage
from veridic.ports.sources import Found

MOST_ANSWERS = 2000
LONGEST_ANSWER = 100_000
"""Bytes; with `MOST_ANSWERS` it bounds the file."""

_FORMAT = "1"
"""Part of every key: answers written in another shape are not found."""
_PATIENCE = 2.0
"""Seconds to wait for another process that writes."""
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, written REAL NOT NULL, answer TEXT NOT NULL)"
_T = TypeVar("_T")


class Answers:
    """Answers by key; safe to use from several threads and processes."""

    def __init__(self, path: Path, *, seconds: float, now: Callable[[], float] = time.time) -> None:
        """Keep answers in the file `path` (mode 0600) for `seconds`; nothing is opened before the first use."""
        self._path = path
        self._seconds = seconds
        self._now = now

    def read(self, key: Sequence[str]) -> Found | None:
        """The answer written under `key`, unless it has expired."""
        rows = self._tried(lambda database: self._fresh(database, _digest(key)))
        return _found(rows[0][0]) if rows else None

    def write(self, key: Sequence[str], found: Found) -> None:
        """Keep an answer; expired ones are removed, and the oldest where there are too many."""
        answer = json.dumps({"passages": found.passages, "discarded": found.discarded})
        if len(answer) <= LONGEST_ANSWER:
            self._tried(lambda database: self._put(database, _digest(key), answer))

    def _fresh(self, database: sqlite3.Connection, digest: str) -> list[tuple[str]]:
        now = self._now()
        # A row from the future was written before the clock was set back: its age is not known.
        asked = "SELECT answer FROM answers WHERE key = ? AND written > ? AND written <= ?"
        return database.execute(asked, (digest, now - self._seconds, now)).fetchall()

    def _put(self, database: sqlite3.Connection, digest: str, answer: str) -> None:
        # Taken at once: two writers that begin as readers would block one another, and one would give up.
        database.execute("BEGIN IMMEDIATE")
        with database:
            # Read in the writer's turn: by a clock read before, what another wrote meanwhile is from the future.
            now = self._now()
            database.execute(_TABLE)
            database.execute("DELETE FROM answers WHERE written <= ? OR written > ?", (now - self._seconds, now))
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (digest, now, answer))
            oldest = "SELECT key FROM answers ORDER BY written DESC, key LIMIT -1 OFFSET ?"
            database.execute(f"DELETE FROM answers WHERE key IN ({oldest})", (MOST_ANSWERS,))

    def _tried(self, use: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """What `use` makes of the database; None when it cannot be used. A damaged file is taken away."""
        try:
            with self._opened() as database:
                return use(database)
        except (sqlite3.OperationalError, OSError):
            return None
        except sqlite3.DatabaseError:
            with suppress(OSError):
                self._path.unlink()
            return None

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            # Only a file that is new: closing one that SQLite has open would drop this process's locks on it.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        self._path.chmod(0o600)
        with closing(sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)) as database:
            # What a power cut damages begins anew; waiting for the disk is not worth it here.
            database.execute("PRAGMA synchronous = OFF")
            yield database


def _digest(key: Sequence[str]) -> str:
    """A key as it is stored; also for text that cannot be written as UTF-8."""
    return hashlib.sha256(json.dumps([_FORMAT, *key]).encode()).hexdigest()


def _found(answer: str) -> Found | None:
    """An answer as it was; None for a row that is not one."""
    try:
        held: dict[str, Any] = json.loads(answer)
        passages: list[Passage] = held["passages"]
        discarded: list[Discarded] = held["discarded"]
    except (ValueError, LookupError, TypeError):
        return None
    return Found(passages, discarded)
