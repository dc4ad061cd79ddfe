"""The decision log: one row a run, the whole result as JSON."""

import json
from collections.abc import Iterator

from veridic.knowledge.clock import now
from veridic.knowledge.store import Store, next_sequence, require_time
from veridic.shapes import Result

_PAGE = 256


class Decisions:
    """One namespace's decision log; a `veridic.protocols.DecisionLog`.

    Raises `StoreUnavailable`, `StoreDamaged`, `DeadlineExceeded`.
    """

    def __init__(self, store: Store, namespace: str) -> None:
        self.store = store
        self.namespace = namespace

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep the decisions of a run; the same run id again changes nothing."""
        require_time(deadline)
        content = json.dumps(result, sort_keys=True)
        with self.store.writing(deadline) as connection:
            connection.execute(
                """
                INSERT OR IGNORE INTO decisions (namespace, run_id, sequence, decided_at, outcome, result)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                (self.namespace, result["run_id"], next_sequence(connection), now(), result["outcome"], content),
            )

    def read(self, run_id: str) -> Result | None:
        """The result of a run, or None when there is none of this id."""
        with self.store.reading() as connection:
            row = connection.execute(
                "SELECT result FROM decisions WHERE namespace = ? AND run_id = ?", (self.namespace, run_id)
            ).fetchone()
        return _result(row[0]) if row else None

    def __iter__(self) -> Iterator[Result]:
        """Every result, oldest first; rows written meanwhile are seen too."""
        after = 0
        while True:
            with self.store.reading() as connection:
                rows = connection.execute(
                    "SELECT id, result FROM decisions WHERE namespace = ? AND id > ? ORDER BY id LIMIT ?",
                    (self.namespace, after, _PAGE),
                ).fetchall()
            if not rows:
                return
            for row in rows:
                yield _result(row["result"])
            after = rows[-1]["id"]

    def latest(self, count: int) -> list[Result]:
        """The newest results, newest first."""
        with self.store.reading() as connection:
            rows = connection.execute(
                "SELECT result FROM decisions WHERE namespace = ? ORDER BY id DESC LIMIT ?", (self.namespace, count)
            ).fetchall()
        return [_result(row["result"]) for row in rows]

    def __len__(self) -> int:
        with self.store.reading() as connection:
            query = "SELECT count(*) FROM decisions WHERE namespace = ?"
            return int(connection.execute(query, (self.namespace,)).fetchone()[0])


def _result(content: str) -> Result:
    result: Result = json.loads(content)
    return result
