"""What is kept for a while, and nobody needs, where all who share the database find it."""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from veridic.errors import VeridicError
from veridic.knowledge.connection import EVERY

if TYPE_CHECKING:
    from veridic.knowledge.postgres.transactions import PostgresStore


class SharedValues:
    """Values by name, in one namespace of a database; see `runtime.kept.Kept`, which has them in files.

    What cannot be read is none, and what cannot be written is left out.
    """

    def __init__(self, store: "PostgresStore") -> None:
        self._store = store

    def read(self, name: str) -> dict[str, Any]:
        """The values under a name; empty where there are none that can be read."""
        with suppress(VeridicError), self._store.reading() as connection:
            row = connection.execute("SELECT content FROM kept WHERE name = ?", (name,)).fetchone()
            found = json.loads(row["content"]) if row else {}
            return found if isinstance(found, dict) else {}
        return {}

    def keep(self, name: str, values: Mapping[str, Any], *, now: float | None = None) -> None:
        """Write the values, in place of what was there; `now` is when they are said to be written."""
        at = time.time() if now is None else now
        with suppress(VeridicError), self._store.changing() as connection:
            connection.execute(
                """
                INSERT INTO kept (name, content, written) VALUES (?, ?, ?)
                ON CONFLICT (namespace, name) DO UPDATE SET content = excluded.content, written = excluded.written
                """,
                (name, json.dumps(values), float(at)),
            )

    def trim(self, most: int, *, before: float) -> None:
        """Remove what was written before a time (seconds since the epoch), and the oldest beyond so many."""
        with suppress(VeridicError), self._store.changing() as connection:
            connection.execute("DELETE FROM kept WHERE written < ?", (float(before),))
            oldest = f"SELECT name FROM kept ORDER BY written DESC, name LIMIT {EVERY} OFFSET ?"
            connection.execute(f"DELETE FROM kept WHERE name IN ({oldest})", (most,))
