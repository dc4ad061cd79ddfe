"""A namespace of a knowledge base in PostgreSQL: its transactions, and its failures in our words."""

import json
import math
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from veridic.knowledge.connection import (
    BUSY_SECONDS,
    DEFAULT,
    Connection,
    Cursor,
    KnowledgeStore,
    Members,
    require_time,
)
from veridic.knowledge.postgres import partitions
from veridic.knowledge.postgres.access import SharedAccess
from veridic.knowledge.postgres.copied import settle
from veridic.knowledge.postgres.database import CONNECT_SECONDS, WAIT_SECONDS, given_back, taken
from veridic.knowledge.postgres.failures import told
from veridic.knowledge.postgres.halfvec import index_vectors
from veridic.knowledge.postgres.migrations import version_of
from veridic.knowledge.postgres.shared import SharedValues
from veridic.knowledge.postgres.statements import translated
from veridic.knowledge.postgres.values import named_rows
from veridic.knowledge.postgres.words import matched
from veridic.settings import shown_kb

_READ = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE = "ISOLATION LEVEL READ COMMITTED"
_IDLE_SECONDS = 30.0
"""After which a writer that does nothing is given up: a process that was stopped does not hold up all others."""
_LONGEST = 2**31 - 1
"""Milliseconds, the most that a setting of the server takes."""


class PostgresConnection:
    """An open transaction over one namespace's rows; see `connection.Connection`."""

    def __init__(self, connection: psycopg.Connection[Any], namespace: str) -> None:
        self.namespace = namespace
        self.session = connection
        """For statements that a library brings."""
        self._cursor = connection.cursor
        """Each statement has a cursor of its own, as rows of several may be read by turns."""

    def execute(self, sql: str, parameters: Any = (), /) -> Cursor:  # noqa: ANN401 - see `Connection`
        """Run a statement."""
        return self._cursor(binary=True).execute(translated(sql), parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Cursor:
        """Run a statement once for each of several lots of values."""
        cursor = self._cursor()
        cursor.executemany(translated(sql), parameters)
        return cursor

    def copy_in(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """COPY the rows into the namespace's partition: it is under no policy, and takes the namespace's rows alone."""
        place, names = partitions.partition(table, self.namespace), ", ".join(columns)
        described = self._cursor().execute(f"SELECT {names} FROM {place} LIMIT 0".encode()).description or ()
        with self._cursor().copy(f"COPY {place} ({names}) FROM STDIN (FORMAT BINARY)".encode()) as copy:
            copy.set_types([column.type_code for column in described])
            for row in rows:
                copy.write_row(row)

    def matched(self, words: Sequence[str], limit: int, *, outside: bool, members: Members | None) -> list[int]:
        """See `words.matched`."""
        return matched(self, words, limit, outside=outside, members=members)

    def index_vectors(self, dimension: int) -> None:
        """See `halfvec.index_vectors`."""
        index_vectors(self, dimension)

    def rows_came(self) -> None:
        """See `copied.settle`."""
        settle(self)


class PostgresStore(KnowledgeStore):
    """A namespace of the knowledge base at an address; tables and partitions are made when they are not there.

    Safe for threads and processes: writers of one namespace wait for one another, those of several do not, readers see
    the last commit and never wait. Raises `StoreUnavailable`, and `StoreDamaged` where a newer version made the tables.
    """

    def __init__(self, url: str, namespace: str = DEFAULT) -> None:
        self.namespace = namespace
        self.place = shown_kb(url)
        with _failing(self.place, None):
            self._database = taken(url, self.place)
        self._let_go = weakref.finalize(self, given_back, url)
        with self.reading() as connection:
            made, self.store_id = partitions.is_made(connection), _own(connection, "store_id")
        if not made:
            with self.changing() as connection:
                partitions.make(connection)

    def close(self) -> None:
        """Let go of the database; the last namespace of a process closes its connections."""
        self._let_go()

    @contextmanager
    def reading(self, deadline: float | None = None) -> Iterator[PostgresConnection]:
        """One consistent snapshot. Raises `DeadlineExceeded` when `deadline` (epoch seconds) passes."""
        with self._transaction(deadline, _READ) as connection:
            yield connection

    @contextmanager
    def writing(self, deadline: float | None = None) -> Iterator[PostgresConnection]:
        """One transaction, which takes the namespace's next sequence number: all is kept, or none. Raises as `reading`.

        The row of that number is what writers of one namespace wait for.
        """
        with self._transaction(deadline, _WRITE) as connection:
            connection.execute("UPDATE counter SET sequence = sequence + 1")
            yield connection

    @contextmanager
    def changing(self, deadline: float | None = None) -> Iterator[PostgresConnection]:
        """A transaction that writes what no view is derived from: it takes no number and waits for nobody."""
        with self._transaction(deadline, _WRITE) as connection:
            yield connection

    @property
    def kept(self) -> SharedValues:
        """What all who share the database keep for a while."""
        return SharedValues(self)

    @property
    def access(self) -> SharedAccess:
        """Who may ask the servers that share the database, and how often."""
        return SharedAccess(self)

    def secret(self) -> bytes:
        """32 random bytes that belong to the knowledge base, the same for all namespaces."""
        with self.reading() as connection:
            return bytes.fromhex(_own(connection, "secret"))

    def keep_secret(self, secret: bytes) -> None:
        """Have these bytes in place of its own."""
        with self.writing() as connection:
            connection.execute("UPDATE own SET value = ? WHERE key = 'secret'", (secret.hex(),))

    def namespaces(self) -> list[str]:
        """The namespaces that were opened once, in alphabetical order."""
        with self._transaction(None, _READ, "") as connection:
            return [row[0] for row in connection.execute("SELECT namespace FROM namespaces ORDER BY namespace")]

    def size(self) -> int:
        """How many bytes the namespace's partitions take with their indexes."""
        names = [partitions.partition(table, self.namespace) for table in partitions.TABLES]
        with self.reading() as connection:
            query = "SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM json_each(?) AS each (name)"
            return int(connection.execute(query, (json.dumps(names),)).fetchone()[0])

    def problems(self) -> list[str]:
        """Indexes of the schema that are not valid, a sentence each."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
                "WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace"
            )
            return [f"PostgreSQL cannot use the index {row[0]}: run `REINDEX INDEX veridic.{row[0]}`." for row in rows]

    def drop_journal(self) -> None:
        """Nothing: what was removed goes when PostgreSQL vacuums the table."""

    @contextmanager
    def _transaction(
        self, deadline: float | None, mode: str, namespace: str | None = None
    ) -> Iterator[PostgresConnection]:
        """A transaction that ends with the block: kept, or where that raises undone; of another namespace if given."""
        seen = self.namespace if namespace is None else namespace
        with _failing(self.place, deadline):
            left = math.inf if deadline is None else deadline - time.time()
            if deadline is not None:
                require_time(deadline)
            wait, idle = min(BUSY_SECONDS, left), _IDLE_SECONDS if mode == _WRITE else math.inf
            with self._database.pool.connection(timeout=min(WAIT_SECONDS, left)) as connection:
                self._database.begin(
                    connection,
                    mode,
                    **{"veridic.namespace": seen},
                    statement_timeout=str(_milliseconds(left)),
                    lock_timeout=str(_milliseconds(wait)),
                    idle_in_transaction_session_timeout=str(_milliseconds(idle)),
                )
                yield PostgresConnection(connection, seen)


def is_made(url: str) -> bool:
    """Whether a knowledge base is at an address. Raises `StoreUnavailable`, `StoreDamaged`."""
    place = shown_kb(url)
    with _failing(place, None), psycopg.connect(url, connect_timeout=CONNECT_SECONDS, row_factory=named_rows) as first:
        return bool(version_of(first, place))


@contextmanager
def _failing(place: str, deadline: float | None) -> Iterator[None]:
    """PostgreSQL's failures are raised as ours."""
    try:
        yield
    except psycopg.Error as error:
        ours = told(place, deadline, error)
        if ours is None:
            raise
        raise ours from error


def _own(connection: Connection, key: str) -> str:
    """What the database says of itself, whatever the namespace."""
    return str(connection.execute("SELECT value FROM own WHERE key = ?", (key,)).fetchone()[0])


def _milliseconds(seconds: float) -> int:
    """Of a time limit, rounded up; 0, which is none, for what is as good as none."""
    return math.ceil(seconds * 1000) if seconds * 1000 <= _LONGEST else 0
