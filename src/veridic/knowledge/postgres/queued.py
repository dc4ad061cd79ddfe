"""A namespace's queue of jobs, by Procrastinate, in transactions of the namespace."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, Self

from procrastinate import App, SyncPsycopgConnector
from procrastinate.jobs import Job as Deferred

from veridic.knowledge.connection import written
from veridic.knowledge.jobs import LISTED, LOST, Job, JobCounts
from veridic.knowledge.postgres.migrations import jobs as tables
from veridic.knowledge.postgres.transactions import PostgresStore
from veridic.ports.jobs import JobState

TASK = "veridic.ingest"
"""The name that a job has of what is to be done."""
_STATES: dict[str, JobState] = {"todo": "waiting", "doing": "running", "succeeded": "done", "failed": "failed"}
"""Procrastinate's states that are used, and ours."""
_NAMED = {ours: theirs for theirs, ours in _STATES.items()}

_JOBS = """
    SELECT job.id, job.args ->> 'path' AS path, job.status::text AS status, job.attempts,
        coalesce(told.outcome, '') AS outcome, coalesce(told.reason, '') AS reason, happened.first, happened.last
    FROM procrastinate_jobs AS job
    LEFT JOIN job_outcomes AS told ON told.job_id = job.id
    CROSS JOIN LATERAL (
        SELECT min(at) AS first, max(at) AS last FROM procrastinate_events
        WHERE job_id = job.id AND type <> 'scheduled'
    ) AS happened
"""


class QueuedJobs:
    """The jobs of one namespace, whose queue has its name. Raises `StoreUnavailable`, `StoreDamaged`."""

    def __init__(self, url: str, namespace: str) -> None:
        self.store = PostgresStore(url, namespace)
        """The namespace that the jobs are of."""
        self._manager = App(connector=SyncPsycopgConnector()).job_manager

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def put(self, paths: Sequence[str]) -> list[Job]:
        """Queue a job for each of these absolute paths, all or none; one that waits already is not queued twice.

        Two jobs of one path never run at once, and the one that was queued first runs first.
        """
        namespace = self.store.namespace
        locks = {_lock(namespace, path): path for path in paths}
        with self.store.changing() as connection:
            tables.make(connection)
            waiting = connection.execute(
                "SELECT id, lock FROM procrastinate_jobs WHERE status = 'todo' AND lock = ANY(?)", (list(locks),)
            ).fetchall()
            new = [
                Deferred(queue=namespace, lock=lock, queueing_lock=None, task_name=TASK, task_kwargs={"path": path})
                for lock, path in locks.items()
                if lock not in {row["lock"] for row in waiting}
            ]
            queued = self._manager.batch_defer_jobs(new, connection=connection.session) if new else []
            ids = [row["id"] for row in waiting] + [one.id for one in queued]
            return [_job(row) for row in connection.execute(f"{_JOBS} WHERE job.id = ANY(?) ORDER BY job.id", (ids,))]

    def listed(self, *, ids: Sequence[int] = (), state: JobState | None = None, limit: int = LISTED) -> list[Job]:
        """The newest jobs, newest first: of these ids, or in this state, if given."""
        with self.store.reading() as connection:
            if not tables.level_of(connection):
                return []
            rows = connection.execute(
                f"""
                {_JOBS} WHERE (? OR job.id = ANY(?)) AND (? OR job.status::text = ?)
                ORDER BY job.id DESC LIMIT ?
                """,
                (not ids, list(ids), state is None, _NAMED.get(state, "") if state else "", limit),
            )
            return [_job(row) for row in rows]

    def counted(self) -> JobCounts:
        """How many jobs there are in each state, and how many workers."""
        with self.store.reading() as connection:
            if not tables.level_of(connection):
                return JobCounts()
            rows = connection.execute("SELECT status::text, count(*) FROM procrastinate_jobs GROUP BY status")
            counts = {_STATES[status]: number for status, number in rows if status in _STATES}
            heard = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => ?)"
            [workers] = connection.execute(heard, (LOST,)).fetchone()
            return JobCounts(**counts, workers=workers)

    def retry(self, ids: Sequence[int] | None = None) -> list[int]:
        """Queue failed jobs again, those of these ids or all, as if they had not been tried; their ids."""
        return self._changed(
            "UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = NULL "
            "WHERE status = 'failed' AND (? OR id = ANY(?)) RETURNING id",
            (ids is None, list(ids or ())),
        )

    def remove(self, ids: Sequence[int]) -> list[int]:
        """Remove the jobs of these ids, but for those that run; their ids. Documents stay."""
        return self._changed(
            "DELETE FROM procrastinate_jobs WHERE status <> 'doing' AND id = ANY(?) RETURNING id", (list(ids),)
        )

    def _changed(self, statement: str, values: Iterable[Any]) -> list[int]:
        with self.store.changing() as connection:
            if not tables.level_of(connection):
                return []
            return sorted(row["id"] for row in connection.execute(statement, tuple(values)))


def _lock(namespace: str, path: str) -> str:
    """What two jobs of one file have in common; a digest, for a path may be longer than an entry of an index."""
    return blake2b(f"{namespace}\0{path}".encode(), digest_size=16).hexdigest()


def _job(row: Any) -> Job:  # noqa: ANN401 - a row
    first, last = (written(moment) if isinstance(moment, datetime) else "" for moment in (row["first"], row["last"]))
    return Job(
        id=row["id"],
        path=row["path"],
        state=_STATES.get(row["status"], "failed"),
        attempts=row["attempts"],
        outcome=row["outcome"],
        reason=row["reason"],
        queued_at=first,
        changed_at=last,
    )
