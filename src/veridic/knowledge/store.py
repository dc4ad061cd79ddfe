"""Connections and transactions over the one SQLite file."""

import math
import os
import sqlite3
import time
import uuid
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Empty, LifoQueue
from secrets import token_hex
from typing import Any

from veridic.errors import StoreUnavailable
from veridic.knowledge.connection import (
    BUSY_SECONDS,
    DEFAULT,
    KnowledgeStore,
    Members,
    clause,
    require_time,
    said_of,
    say_of,
)
from veridic.knowledge.schema import FALSE_ALARM, prepare
from veridic.knowledge.sqlite_failures import told

_STEPS_BETWEEN_DEADLINE_CHECKS = 50_000


class Connection(sqlite3.Connection):
    """A connection to the file; see `connection.Connection`."""

    namespace = DEFAULT

    def copy_in(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Insert the rows."""
        marks = ", ".join("?" * len(columns))
        self.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)

    def matched(self, words: Sequence[str], limit: int, *, outside: bool, members: Members | None) -> list[int]:
        """Ids of the active chunks with one of these words, best by BM25 first."""
        inside, values = clause("chunks.document_id", members)
        rows = self.execute(
            f"""
            SELECT chunks.id FROM chunk_words JOIN chunks ON chunks.id = chunk_words.rowid
            WHERE chunk_words MATCH ? AND chunks.namespace = ? AND chunks.status = 'active'
                AND (chunks.kind = 'outside') = ? {inside}
            ORDER BY bm25(chunk_words, 2.0, 1.0, 1.0), chunks.id LIMIT ?
            """,
            (" OR ".join(f'"{word}"' for word in words), self.namespace, outside, *values, limit),
        )
        return [row[0] for row in rows]

    def index_vectors(self, dimension: int) -> None:
        """Nothing: the dense index is made in memory."""

    def rows_came(self) -> None:
        """Let no chunk get the number of one that was removed."""
        last = self.execute("SELECT coalesce(max(id), 0) FROM removed_chunks").fetchone()[0]
        if not self.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'chunks'", (last,)).rowcount:
            self.execute("INSERT INTO sqlite_sequence VALUES ('chunks', ?)", (last,))


class Store(KnowledgeStore):
    """A knowledge base's file, opened and checked; it is made when it is not there.

    Safe for threads: each operation borrows a connection of its own. Several processes may
    have the same file open; readers see the last commit and never wait for a writer.
    Raises `StoreDamaged` when the file is not ours, is broken or was made by a newer version,
    and `StoreUnavailable` when it is locked or full or there is no permission.
    """

    def __init__(self, path: Path, namespace: str = DEFAULT) -> None:
        self.path = path
        self.place = str(path)
        self.namespace = namespace
        self._idle: LifoQueue[Connection] = LifoQueue()
        self._closed = False
        weakref.finalize(self, _drain, self._idle)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(
                f"The folder {path.parent} cannot be made: {error.strerror}.",
                "Choose another path with --kb or VERIDIC_KB.",
            ) from error
        with self._borrowed(None) as connection:
            prepare(connection, path)
            self.store_id = said_of(connection, "store_id")

    def close(self) -> None:
        """Close every idle connection; one still in use is closed when it is given back."""
        self._closed = True
        _drain(self._idle)

    @contextmanager
    def reading(self, deadline: float | None = None) -> Iterator[Connection]:
        """One consistent snapshot. Raises `DeadlineExceeded` when `deadline` (epoch seconds) passes."""
        with self._borrowed(deadline) as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self, deadline: float | None = None) -> Iterator[Connection]:
        """One transaction, which takes the next sequence number: all of it is kept, or none. Raises as `reading`."""
        with self._borrowed(deadline) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE counter SET sequence = sequence + 1")
            yield connection
            connection.execute("COMMIT")

    def problems(self) -> list[str]:
        """What SQLite's own checks of the whole file find wrong, a sentence each; empty when it is sound."""
        with self.reading() as connection:
            found = (str(row[0]) for row in connection.execute("PRAGMA quick_check"))
            damage = [f"SQLite finds the file damaged: {one}." for one in found if one not in ("ok", FALSE_ALARM)]
            return damage + [
                f"Row {row} of {table} belongs to a row of {parent} that is not there."
                for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check")
            ]

    def mended(self) -> list[str]:
        """Make the index of words anew, for the whole file, where it is not that of the chunks."""
        with self.writing() as connection:
            try:
                connection.execute("INSERT INTO chunk_words (chunk_words, rank) VALUES ('integrity-check', 1)")
            except sqlite3.DatabaseError:
                connection.execute("INSERT INTO chunk_words (chunk_words) VALUES ('rebuild')")
                return ["The index of words was not that of the chunks, and was made anew."]
        return []

    def size(self) -> int:
        """How many bytes the file takes with what SQLite keeps beside it."""
        own = (self.path.name, f"{self.path.name}-wal", f"{self.path.name}-shm")
        return sum(file.stat().st_size for file in self.path.parent.iterdir() if file.name in own)

    def secret(self) -> bytes:
        """32 random bytes that belong to this file; one that 0.2.0 made gets them when they are first asked for."""
        with self.reading() as connection:
            known = said_of(connection, "secret")
        if not known:
            with self.writing() as connection:
                connection.execute("INSERT INTO meta VALUES ('secret', ?) ON CONFLICT DO NOTHING", (token_hex(32),))
                known = said_of(connection, "secret")
        return bytes.fromhex(known)

    def keep_secret(self, secret: bytes) -> None:
        """Have these bytes in place of the file's own."""
        with self.writing() as connection:
            say_of(connection, "secret", secret.hex())

    def namespaces(self) -> list[str]:
        """The namespaces that hold anything, in alphabetical order."""
        tables = ("documents", "removed_chunks", "record_events", "experience", "decisions", "feedback")
        query = " UNION ".join(f"SELECT namespace FROM {table}" for table in tables)
        with self.reading() as connection:
            return [row[0] for row in connection.execute(f"{query} ORDER BY namespace")]

    def drop_journal(self) -> None:
        """Empty the write-ahead log, which holds what was removed; while another reads it, it stays."""
        with self._borrowed(None) as connection:
            connection.execute("PRAGMA busy_timeout = 0")
            connection.execute("PRAGMA wal_checkpoint (TRUNCATE)")

    def copy_to(self, path: Path) -> None:
        """Copy the whole file as it is at one moment; a file that is there by then stays. Raises `StoreUnavailable`."""
        unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            with self.reading() as connection, closing(sqlite3.connect(unfinished)) as target:
                connection.backup(target)
            with suppress(FileExistsError):
                os.link(unfinished, path)
        except (OSError, sqlite3.Error) as error:
            raise StoreUnavailable(
                f"{path} cannot be made as a copy of {self.path}: {error}.",
                "Free some space, or name another with --kb or VERIDIC_KB.",
            ) from error
        finally:
            unfinished.unlink(missing_ok=True)

    @contextmanager
    def _borrowed(self, deadline: float | None) -> Iterator[Connection]:
        try:
            try:
                connection = self._idle.get_nowait()
            except Empty:
                connection = _connect(self.path, self.namespace)
            try:
                _limit(connection, deadline)
                yield connection
            finally:
                if connection.in_transaction:
                    connection.rollback()
                if self._closed:
                    connection.close()
                else:
                    self._idle.put(connection)
        except sqlite3.Error as error:
            ours = told(self.path, deadline, error)
            if ours is None:
                raise
            raise ours from error


def _drain(connections: LifoQueue[Connection]) -> None:
    while True:
        try:
            connections.get_nowait().close()
        except Empty:
            return


def _connect(path: Path, namespace: str) -> Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}{'?immutable=1' if _is_closed(path) else ''}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=Connection,
    )
    connection.namespace = namespace
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")  # what is removed is not to be found in the file either
    return connection


def _is_closed(path: Path) -> bool:
    """Whether a file is there for reading alone, and nobody is writing: SQLite would make a file beside it."""
    log = path.with_name(f"{path.name}-wal")
    return path.exists() and not os.access(path.parent, os.W_OK) and not log.exists()


def _limit(connection: sqlite3.Connection, deadline: float | None) -> None:
    if deadline is None:
        wait = BUSY_SECONDS
        connection.set_progress_handler(None, 0)
    else:
        require_time(deadline)
        wait = min(BUSY_SECONDS, deadline - time.time())
        connection.set_progress_handler(lambda: int(time.time() > deadline), _STEPS_BETWEEN_DEADLINE_CHECKS)
    # Rounded up: a wait that ends within the last millisecond would be told as a lock, not as a deadline.
    connection.execute(f"PRAGMA busy_timeout = {math.ceil(wait * 1000)}")
