"""API keys and counts of requests, where all servers that share the database find them: `ports.access.Access`."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from veridic.errors import DeadlineExceeded, StoreUnavailable
from veridic.knowledge.connection import Connection
from veridic.ports.access import Key

if TYPE_CHECKING:
    from veridic.knowledge.postgres.transactions import PostgresStore

SECONDS = 2.0
"""What a request may wait for this, before it is refused."""
_KEY = "name, sha256, namespace, role, created"
_WINDOWS = "floor(excluded.at) - floor(held.at)"
_HIT = f"""
    INSERT INTO rates AS held (sender, at, hits, earlier, expires)
    SELECT :sender, moment / :seconds, 1, 0, (floor(moment / :seconds) + 2) * :seconds
    FROM coalesce(CAST(:now AS DOUBLE PRECISION), extract(epoch FROM clock_timestamp())::double precision) AS moment
    ON CONFLICT (sender) DO UPDATE SET
        at = greatest(held.at, excluded.at),
        hits = CASE WHEN {_WINDOWS} > 0 THEN 0 ELSE held.hits END + 1,
        earlier = CASE WHEN {_WINDOWS} > 1 THEN 0 WHEN {_WINDOWS} = 1 THEN held.hits ELSE held.earlier END,
        expires = greatest(held.expires, excluded.expires)
    WHERE 1 + CASE
        WHEN {_WINDOWS} > 1 THEN 0
        WHEN {_WINDOWS} = 1 THEN held.hits * (1 + floor(excluded.at) - excluded.at)
        ELSE held.hits + held.earlier * (1 + floor(excluded.at) - excluded.at)
    END <= :most
    RETURNING hits
"""
"""One statement, so that two servers never both take the last place. `at` counts in windows."""


class SharedAccess:
    """Keys and counts in a database. Raises `StoreUnavailable`, soon where it does not answer."""

    def __init__(self, store: "PostgresStore") -> None:
        self._store = store

    def keys(self) -> list[Key]:
        """See `Access.keys`."""
        with _soon(self._store.reading) as connection:
            rows = connection.execute(f"SELECT {_KEY} FROM api_keys ORDER BY created, name").fetchall()
        return [Key(*row) for row in rows]

    def key_of(self, sha256: str) -> Key | None:
        """See `Access.key_of`."""
        with _soon(self._store.reading) as connection:
            row = connection.execute(f"SELECT {_KEY} FROM api_keys WHERE sha256 = ?", (sha256,)).fetchone()
        return Key(*row) if row else None

    def put_key(self, key: Key) -> bool:
        """See `Access.put_key`."""
        statement = f"INSERT INTO api_keys ({_KEY}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        values = (key.name, key.sha256, key.namespace, key.role, key.created)
        with _soon(self._store.changing) as connection:
            return connection.execute(statement, values).rowcount > 0

    def drop_key(self, name: str) -> bool:
        """See `Access.drop_key`."""
        with _soon(self._store.changing) as connection:
            return connection.execute("DELETE FROM api_keys WHERE name = ?", (name,)).rowcount > 0

    def hit(self, sender: str, most: int, seconds: float, *, now: float | None = None) -> bool:
        """See `Access.hit`."""
        values = {"sender": sender, "most": most, "seconds": float(seconds), "now": now}
        with _soon(self._store.changing) as connection:
            counted = connection.execute(_HIT, values).fetchone()
            if counted and counted["hits"] == 1:  # once a window of each sender
                connection.execute("DELETE FROM rates WHERE expires < extract(epoch FROM clock_timestamp())")
            return counted is not None


@contextmanager
def _soon(begin: Callable[[float], AbstractContextManager[Connection]]) -> Iterator[Connection]:
    """A transaction; if it takes too long the database does not answer: there is no run whose time it was."""
    try:
        with begin(time.time() + SECONDS) as connection:
            yield connection
    except DeadlineExceeded as error:
        raise StoreUnavailable(
            "The database of the knowledge base does not answer.", "Try again; if it lasts, see that PostgreSQL runs."
        ) from error
