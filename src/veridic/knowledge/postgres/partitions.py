"""A namespace's partitions: named after it, made when it is first opened."""

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridic.knowledge.connection import Connection

TABLES = (
    "documents", "chunks", "removed_chunks", "lineage", "records", "record_events", "experience", "lesson_places",
    "decisions", "decision_documents", "feedback", "thread_runs",
)  # fmt: skip
"""Those with a partition to a namespace; what is referred to comes first."""

NARROW = "toast_tuple_target = 128"
"""Texts, words and vectors lie apart, so that a row which is only looked at is small: a search looks at thousands."""

LOCK = 0x56524443
"""The advisory lock under which tables and partitions are made: `VRDC`."""


def partition(table: str, namespace: str) -> str:
    """The name of a table's partition: that of the table, and a digest, as a namespace may have any letters."""
    return f"{table}_{blake2b(namespace.encode(), digest_size=8).hexdigest()}"


def is_made(connection: "Connection") -> bool:
    """Whether the connection's namespace has its partitions."""
    query = "SELECT 1 FROM namespaces WHERE namespace = ?"
    return connection.execute(query, (connection.namespace,)).fetchone() is not None


def make(connection: "Connection") -> None:
    """Make the partitions of the connection's namespace, in the open transaction, unless another one was first."""
    connection.execute("SELECT pg_advisory_xact_lock(?)", (LOCK,))
    if is_made(connection):
        return
    [quoted] = connection.execute("SELECT quote_literal(?)", (connection.namespace,)).fetchone()
    for table in TABLES:
        name = partition(table, connection.namespace)
        connection.execute(f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES IN ({quoted}) WITH ({NARROW})")
    connection.execute("INSERT INTO namespaces (namespace) VALUES (?)", (connection.namespace,))
    connection.execute("INSERT INTO counter (namespace, sequence) VALUES (?, 0)", (connection.namespace,))
