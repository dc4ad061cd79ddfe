"""The tables of jobs, made when a queue is first used: Procrastinate's own schema, and ours beside it.

Procrastinate ships its schema whole, and a file for each change of it, named in order. The name of the last one that a
database has stands in `own`; a newer Procrastinate brings the others.
"""

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from procrastinate.schema import SchemaManager

from veridic.knowledge.postgres.partitions import LOCK

if TYPE_CHECKING:
    from veridic.knowledge.postgres.transactions import PostgresConnection

_KEY = "jobs"
"""Of `own`: the last file that was run."""


def level_of(connection: "PostgresConnection") -> str:
    """The last change that the tables have; empty where there are none."""
    row = connection.execute("SELECT value FROM own WHERE key = ?", (_KEY,)).fetchone()
    return str(row[0]) if row else ""


def make(connection: "PostgresConnection") -> None:
    """Make the tables, or bring them up to this Procrastinate's, in the open transaction; others wait for it."""
    files = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    newest = files[-1].name
    if level_of(connection) >= newest:
        return
    connection.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
    level = level_of(connection)
    ours = resources.files("veridic.knowledge.postgres.migrations").joinpath("jobs.sql")
    scripts = [one for one in files if one.name > level] if level else [ours]
    if not level:
        connection.session.execute(SchemaManager.get_schema())
    for script in scripts:
        connection.session.execute(script.read_text(encoding="utf-8"))
    connection.execute(
        "INSERT INTO own VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = greatest(own.value, excluded.value)",
        (_KEY, newest),
    )
