"""What people said of runs: that the answer was right, that it was not, or what is right."""

from collections.abc import Iterator

from veridic.errors import RunMissing
from veridic.knowledge.connection import SEQUENCE, Connection, KnowledgeStore, now
from veridic.learning.opinions import Opinion, checked
from veridic.ports.shapes import Vote
from veridic.text.hidden import clean


class Feedback:
    """One namespace's feedback; of a run the newest counts. Iterating gives that of each run, in the order of runs.

    Raises `StoreUnavailable`, `StoreDamaged`.
    """

    def __init__(self, store: KnowledgeStore) -> None:
        self.store = store

    def give(self, run_id: str, verdict: str, correction: str = "") -> Opinion:
        """Keep what somebody said of a run. Raises `RunMissing` for one that is not logged, and `UsageError`."""
        said, words = checked(verdict, correction)
        with self.store.writing() as connection:
            return put(connection, run_id, said, words)

    def of(self, run_id: str) -> Opinion | None:
        """The newest that was said of a run; None when nothing was."""
        with self.store.reading() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM feedback WHERE namespace = ? AND run_id = ? ORDER BY id DESC LIMIT 1",
                (connection.namespace, run_id),
            ).fetchone()
        return Opinion(**dict(row)) if row else None

    def __iter__(self) -> Iterator[Opinion]:
        with self.store.reading() as connection:
            rows = connection.execute(
                f"""
                SELECT {_COLUMNS} FROM feedback WHERE id IN (
                    SELECT max(id) FROM feedback WHERE namespace = ? GROUP BY run_id
                ) ORDER BY id
                """,
                (connection.namespace,),
            ).fetchall()
        return iter([Opinion(**dict(row)) for row in rows])


def put(connection: Connection, run_id: str, said: Vote, correction: str) -> Opinion:
    """In an open transaction: keep what was `checked`. Raises `RunMissing` where the run is not logged."""
    known = "SELECT 1 FROM decisions WHERE namespace = ? AND run_id = ?"
    if not connection.execute(known, (connection.namespace, run_id)).fetchone():
        raise unknown_run(run_id)
    opinion = Opinion(run_id, now(), said, correction)
    connection.execute(
        f"""
        INSERT INTO feedback (namespace, run_id, sequence, given_at, verdict, correction)
        VALUES (?, ?, {SEQUENCE}, ?, ?, ?)
        """,
        (connection.namespace, run_id, opinion.given_at, said, correction),
    )
    return opinion


def unknown_run(run_id: str) -> RunMissing:
    """What is said of a run that is not logged."""
    return RunMissing(
        f"No run {clean(run_id)[:64]!r} is in the decision log of this knowledge base and namespace.",
        "The list of runs (`veridic log list`) names them; those in a LangGraph store of your own are not among them.",
    )


_COLUMNS = "run_id, given_at, verdict, correction"
