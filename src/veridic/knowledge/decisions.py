"""The decision log: one row a run, the whole result as JSON, and which documents it names."""

import json
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta

from veridic.knowledge.connection import SEQUENCE, Connection, KnowledgeStore, Row, now, written
from veridic.knowledge.document_rows import document_id
from veridic.learning.redaction import documents_in, objects_in, redacted
from veridic.ports.shapes import Logged, Result

COLUMNS = "run_id, decided_at, outcome, result"
"""What a run is read from."""
SHORTEST_NAME = 8
"""Characters by which a run may be called."""
_PAGE = 256
_AGED = 32
"""Of the oldest rows, how many are looked at when one is written: more than one, so that a backlog wears off."""


class Decisions:
    """One namespace's decision log; a `veridic.ports.DecisionLog`.

    Rows older than `days` go when a new one is written; 0 keeps all. Raises `StoreUnavailable`, `StoreDamaged`,
    `DeadlineExceeded`.
    """

    def __init__(self, store: KnowledgeStore, days: int = 0) -> None:
        self.store = store
        self.days = days

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep the decisions of a run; the same run id again changes nothing."""
        content = json.dumps(result, sort_keys=True)
        with self.store.writing(deadline) as connection:
            made = connection.execute(
                f"""
                INSERT INTO decisions (namespace, run_id, sequence, decided_at, outcome, result)
                VALUES (?, ?, {SEQUENCE}, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id
                """,
                (connection.namespace, result["run_id"], now(), result["outcome"], content),
            ).fetchall()
            if made:
                named = sorted({*documents_in(result), *_kept(connection.namespace, result)})
                rows = [(one, made[0]["id"]) for one in named]
                connection.executemany("INSERT INTO decision_documents VALUES (?, ?)", rows)
            if self.days:
                self._forget_aged(connection)

    def read(self, run_id: str) -> Result | None:
        """The result of a run, or None when there is none of this id."""
        found = self.find(run_id)
        return found.result if found else None

    def named(self, reference: str) -> str:
        """The id of the one run that begins so, by eight characters or more; else what was given."""
        with self.store.reading() as connection:
            return run_meant(connection, reference)

    def find(self, run_id: str) -> Logged | None:
        """A run with when it was logged, or None when there is none of this id."""
        with self.store.reading() as connection:
            row = connection.execute(
                f"SELECT {COLUMNS} FROM decisions WHERE namespace = ? AND run_id = ?", (connection.namespace, run_id)
            ).fetchone()
        return logged_row(row) if row else None

    def redact(self, document_ids: Collection[str]) -> int:
        """Take the words of documents out of the rows that name them; returns how many rows that were."""
        with self.store.writing() as connection:
            return redact(connection, document_ids)

    def forget(self, run_ids: Collection[str]) -> list[str]:
        """Remove runs with the feedback on them; returns those that were there."""
        with self.store.writing() as connection:
            return [run_id for run_id in dict.fromkeys(run_ids) if forget_run(connection, run_id)]

    def forget_before(self, moment: datetime) -> list[str]:
        """Remove every run that was logged before a moment, with the feedback on it; returns their ids."""
        with self.store.writing() as connection:
            rows = connection.execute(
                "SELECT run_id FROM decisions WHERE namespace = ? AND decided_at < ? ORDER BY id",
                (connection.namespace, written(moment)),
            ).fetchall()
            return [row["run_id"] for row in rows if forget_run(connection, row["run_id"])]

    def __iter__(self) -> Iterator[Result]:
        """Every result, oldest first; rows written meanwhile are seen too."""
        return (logged.result for logged in self.logged())

    def logged(self, since: datetime | None = None) -> Iterator[Logged]:
        """Every run from a moment on, oldest first; rows written meanwhile are seen too."""
        after, begin = 0, written(since) if since else ""
        while True:
            with self.store.reading() as connection:
                rows = connection.execute(
                    f"SELECT id, {COLUMNS} FROM decisions "
                    "WHERE namespace = ? AND id > ? AND decided_at >= ? ORDER BY id LIMIT ?",
                    (connection.namespace, after, begin, _PAGE),
                ).fetchall()
            if not rows:
                return
            yield from map(logged_row, rows)
            after = rows[-1]["id"]

    def listed(self, count: int, outcome: str | None = None) -> list[Logged]:
        """The newest runs, newest first; with an outcome those that came to it."""
        with self.store.reading() as connection:
            rows = connection.execute(
                f"SELECT {COLUMNS} FROM decisions WHERE namespace = ? AND (CAST(? AS TEXT) IS NULL OR outcome = ?) "
                "ORDER BY id DESC LIMIT ?",
                (connection.namespace, outcome, outcome, count),
            ).fetchall()
        return [logged_row(row) for row in rows]

    def _forget_aged(self, connection: Connection) -> None:
        """Remove what is too old among the oldest rows; the log is in the order of time, so no more is looked at."""
        oldest = connection.execute(
            "SELECT run_id, decided_at FROM decisions WHERE namespace || '' = ? ORDER BY id LIMIT ?",
            (connection.namespace, _AGED),
        ).fetchall()
        bound = written(datetime.now(UTC) - timedelta(days=self.days))
        for row in oldest:
            if row["decided_at"] < bound:
                forget_run(connection, row["run_id"])


def run_meant(connection: Connection, reference: str, table: str = "decisions") -> str:
    """In an open transaction: the id of the one run of a table that begins so, by eight characters or more.

    Else what was given. Raises what the store does.
    """
    rows = connection.execute(
        f"SELECT DISTINCT run_id FROM {table} WHERE namespace = ? AND substr(run_id, 1, ?) = ? LIMIT 2",
        (connection.namespace, len(reference), reference),
    ).fetchall()
    return str(rows[0]["run_id"]) if len(rows) == 1 and len(reference) >= SHORTEST_NAME else reference


def redact(connection: Connection, document_ids: Collection[str]) -> int:
    """In an open transaction: take the words of documents out of the rows that name them; returns how many those were.

    Raises what the store does.
    """
    found: dict[int, set[str]] = {}
    for identifier in document_ids:
        for row in connection.execute(
            """
            SELECT decisions.id FROM decision_documents JOIN decisions ON decisions.id = decision_id
            WHERE document_id = ? AND decisions.namespace = ?
            """,
            (identifier, connection.namespace),
        ):
            found.setdefault(row["id"], set()).add(identifier)
    for row_id, gone in found.items():
        content = connection.execute("SELECT result FROM decisions WHERE id = ?", (row_id,)).fetchone()[0]
        result = _result(content)
        kept = _kept(connection.namespace, result)
        left = redacted(result, gone | {kept[one] for one in gone & kept.keys()})
        connection.execute("UPDATE decisions SET result = ? WHERE id = ?", (json.dumps(left, sort_keys=True), row_id))
    return len(found)


def _kept(namespace: str, result: Result) -> dict[str, str]:
    """The documents of a result's passages from outside, by the ids under which these are kept, if they are."""
    return {
        document_id(namespace, str(one["id"]), "outside"): str(one["document_id"])
        for one in objects_in(result)
        if one.get("kind") == "outside" and {"id", "document_id"} <= one.keys()
    }


def forget_run(connection: Connection, run_id: str) -> bool:
    """In an open transaction: remove a run and the feedback on it; whether it was there. Raises what the store does."""
    for table in ("feedback", "decisions"):
        gone = connection.execute(
            f"DELETE FROM {table} WHERE namespace = ? AND run_id = ?", (connection.namespace, run_id)
        )
    return gone.rowcount > 0


def logged_row(row: Row) -> Logged:
    """A run from its row of `COLUMNS`."""
    return Logged(row["run_id"], row["decided_at"], row["outcome"], _result(row["result"]))


def _result(content: str) -> Result:
    result: Result = json.loads(content)
    return result
