"""What does not come with rows that were copied in: numbers for those to come, the index of vectors, statistics."""

from veridic.knowledge.connection import Connection
from veridic.knowledge.postgres.halfvec import index_vectors
from veridic.knowledge.postgres.partitions import TABLES, partition

_NUMBERED = {
    "chunks": "id", "lineage": "rowid", "records": "rowid", "record_events": "id", "experience": "id",
    "lesson_places": "rowid", "decisions": "id", "feedback": "id",
}  # fmt: skip
"""Columns that a sequence fills."""


def settle(connection: Connection) -> None:
    """Let sequences go on after the largest numbers, count values for plans, index vectors, in the open transaction."""
    for table, column in _NUMBERED.items():
        [sequence] = connection.execute("SELECT pg_get_serial_sequence(?, ?)", (table, column)).fetchone()
        gone = "SELECT id FROM removed_chunks" if table == "chunks" else "SELECT 0"
        connection.execute(
            f"""
            SELECT setval('{sequence}', greatest((SELECT last_value FROM {sequence}), max(number)))
            FROM (SELECT {column} AS number FROM {table} UNION ALL {gone}) AS numbers
            """
        )
    for table in TABLES:
        connection.execute(f"ANALYZE {partition(table, connection.namespace)}")
    row = connection.execute("SELECT vector_dims(embedding) AS dimension FROM chunks LIMIT 1").fetchone()
    if row:
        index_vectors(connection, row["dimension"])
