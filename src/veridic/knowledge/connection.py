"""What every store of a knowledge base gives: connections that take one kind of statement, and rows by name.

Statements are of the SQL that SQLite and PostgreSQL share, with `?` or `:name` for values.
"""

import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, Self

from veridic.errors import DeadlineExceeded
from veridic.ports.access import Access
from veridic.runtime.kept import Keeping

SEQUENCE = "(SELECT sequence FROM counter)"
"""In a statement: the number of the open transaction."""

DEFAULT = "default"
"""The namespace where none is named."""

BUSY_SECONDS = 15.0
"""How long a writer waits for another one's transaction."""

EVERY = 2**62
"""In a statement: a limit that leaves nothing out."""

OUT_OF_TIME = "The time was over before the knowledge base had answered."
"""What is told of it, whoever took the time."""


@dataclass(frozen=True)
class Members:
    """The documents of a scope at one moment."""

    documents: str
    """Their ids as a JSON array, as statements take a list."""
    chunks: "array[int]"
    """Ids of their chunks that ordinary retrieval can find."""


class Row(Protocol):
    """A row: its values in order, and by name or place."""

    def keys(self) -> Any:  # noqa: ANN401 - of one kind in each store
        """The names of the columns, in order."""

    def __getitem__(self, key: Any, /) -> Any:  # noqa: ANN401 - a value of any column
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Cursor(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""

    def fetchone(self) -> Any:  # noqa: ANN401 - a row, or None after the last
        """The next row; None after the last."""

    def fetchmany(self, size: int, /) -> list[Any]:
        """So many of the next rows; fewer at the end."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A transaction over one namespace's rows: what asks through it names that."""

    namespace: str

    def execute(self, sql: str, parameters: Any = ..., /) -> Cursor:  # noqa: ANN401 - a sequence, or values by name
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Cursor:
        """Run a statement once for each of several lots of values."""

    def copy_in(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Take many rows of the namespace in as they are, the quickest way there is."""

    def matched(self, words: Sequence[str], limit: int, *, outside: bool, members: Members | None) -> list[int]:
        """Ids of the active chunks with one of these words, best first: `outside` ones alone, or all but those."""

    def index_vectors(self, dimension: int) -> None:
        """Make ready to search the namespace's vectors, which have so many dimensions from now on."""

    def rows_came(self) -> None:
        """See to what does not come with rows that were copied in as they are."""


class KnowledgeStore(Protocol):
    """One namespace of a knowledge base, wherever it is kept. Raises `StoreUnavailable`, `StoreDamaged`."""

    namespace: str
    store_id: str
    """What tells the knowledge base from every other one."""
    place: str
    """Where it is kept, as messages name it: no password."""

    @property
    def kept(self) -> Keeping | None:
        """What all who share it keep for a while; None: each machine keeps that in files."""
        return None

    @property
    def access(self) -> Access | None:
        """Who may ask the servers that share it, and how often; None: each server sees to that itself."""
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection; nothing can be used afterwards."""

    def reading(self, deadline: float | None = None) -> AbstractContextManager[Connection]:
        """One consistent snapshot. Raises `DeadlineExceeded` when `deadline` (epoch seconds) passes."""

    def writing(self, deadline: float | None = None) -> AbstractContextManager[Connection]:
        """One transaction, which takes the next sequence number: all of it is kept, or none. Raises as `reading`."""

    def secret(self) -> bytes:
        """32 random bytes that belong to the knowledge base."""

    def keep_secret(self, secret: bytes) -> None:
        """Have these in place of its own."""

    def namespaces(self) -> list[str]:
        """The namespaces that hold anything."""

    def size(self) -> int:
        """How many bytes it takes."""

    def problems(self) -> list[str]:
        """What is wrong with the store itself, a sentence each; empty when it is sound."""

    def mended(self) -> list[str]:
        """Make anew what can be where it is not right; a sentence for each."""
        return []

    def drop_journal(self) -> None:
        """Let go of what was removed, as far as that is kept for a while."""


def written(moment: datetime | float) -> str:
    """A moment, or seconds since the epoch, as it is written down: ISO 8601, UTC; such texts order as moments do."""
    at = moment if isinstance(moment, datetime) else datetime.fromtimestamp(moment, UTC)
    return at.astimezone(UTC).isoformat(timespec="seconds")


def now() -> str:
    """The time as it is written down."""
    return written(datetime.now(UTC))


def last_sequence(connection: Connection) -> int:
    """The number of the open transaction where it writes, else of the last one that wrote; 0 at first."""
    return int(connection.execute("SELECT sequence FROM counter").fetchone()[0])


def said_of(connection: Connection, key: str) -> str:
    """What the store says of itself under a key; empty where it says nothing."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def say_of(connection: Connection, key: str, value: str) -> None:
    """Let the store say something of itself under a key, in place of what it said."""
    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
    connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (key, value))


def clause(column: str, members: Members | None) -> tuple[str, tuple[str, ...]]:
    """An SQL condition, with its values, that a document's id is a member; nothing where all are."""
    if members is None:
        return "", ()
    return f"AND {column} IN (SELECT value FROM json_each(?))", (members.documents,)


def too_late() -> DeadlineExceeded:
    """What is raised where the time is over."""
    return DeadlineExceeded(OUT_OF_TIME, "Give the run a larger time budget.")


def require_time(deadline: float) -> None:
    """Raise `DeadlineExceeded` when `deadline` (epoch seconds) has passed."""
    if time.time() > deadline:
        raise too_late()
