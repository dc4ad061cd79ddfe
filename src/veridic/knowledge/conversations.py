"""Conversations by name: which runs of the decision log belong to one, in the order they were asked.

A thread holds nothing of its own. What was asked and told stands in the log: where a document is removed its words
leave the thread with it, and a run that is forgotten, or too old, is gone from it too.
"""

from dataclasses import dataclass

from veridic.knowledge.connection import EVERY, KnowledgeStore
from veridic.knowledge.decisions import COLUMNS, forget_run, logged_row
from veridic.ports.shapes import Logged


@dataclass(frozen=True)
class ThreadSummary:
    """One thread as it is listed."""

    name: str
    runs: int
    last_at: str
    """When the last run was logged: ISO 8601, UTC."""
    last_question: str


class Threads:
    """The threads of one namespace. Raises `StoreUnavailable`, `StoreDamaged`."""

    def __init__(self, store: KnowledgeStore) -> None:
        self._store = store

    def add(self, name: str, run_id: str) -> bool:
        """Put a run at the end of a thread, which begins with its first one; False when the log has no such run."""
        with self._store.writing() as connection:
            added = connection.execute(
                "INSERT INTO thread_runs (decision_id, namespace, thread) "
                "SELECT id, namespace, ? FROM decisions WHERE namespace = ? AND run_id = ? ON CONFLICT DO NOTHING",
                (name, connection.namespace, run_id),
            )
            return added.rowcount > 0

    def runs(self, name: str, last: int | None = None) -> list[Logged]:
        """The runs of a thread, oldest first; with `last` that many of the newest. Empty where there is no thread."""
        with self._store.reading() as connection:
            rows = connection.execute(
                f"SELECT {COLUMNS} FROM thread_runs JOIN decisions ON decisions.id = decision_id "
                "WHERE thread_runs.namespace = ? AND thread = ? ORDER BY decision_id DESC LIMIT ?",
                (connection.namespace, name, EVERY if last is None else last),
            ).fetchall()
        return [logged_row(row) for row in reversed(rows)]

    def listed(self) -> list[ThreadSummary]:
        """Every thread, the one that was last gone on with first."""
        with self._store.reading() as connection:
            rows = connection.execute(
                f"""
                SELECT thread, runs, {COLUMNS}
                FROM (SELECT thread, count(*) AS runs, max(decision_id) AS last FROM thread_runs
                      WHERE namespace = ? GROUP BY thread) AS held
                JOIN decisions ON decisions.id = last ORDER BY last DESC
                """,
                (connection.namespace,),
            ).fetchall()
        listed = ((row["thread"], row["runs"], logged_row(row)) for row in rows)
        return [ThreadSummary(name, runs, last.decided_at, last.result["question"]) for name, runs, last in listed]

    def forget(self, name: str) -> list[str]:
        """Remove the runs of a thread from the log, with what was said of them; returns their ids."""
        with self._store.writing() as connection:
            rows = connection.execute(
                "SELECT run_id FROM thread_runs JOIN decisions ON decisions.id = decision_id "
                "WHERE thread_runs.namespace = ? AND thread = ? ORDER BY decision_id",
                (connection.namespace, name),
            ).fetchall()
            return [row["run_id"] for row in rows if forget_run(connection, row["run_id"])]
