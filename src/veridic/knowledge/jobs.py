"""Jobs: files that wait for a worker, in the database that holds the knowledge base."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from veridic.errors import UsageError
from veridic.knowledge.base import by_extra
from veridic.ports.jobs import JobState
from veridic.settings import in_postgres, shown_kb

if TYPE_CHECKING:
    from veridic.knowledge.postgres.queued import QueuedJobs

LISTED = 100
"""Jobs that are listed unless more are asked for."""
LOST = 30.0
"""Seconds after which a worker that gave no sign of life is held to be gone."""


@dataclass(frozen=True)
class Job:
    """One file of one namespace, to be taken in."""

    id: int
    path: str
    """Absolute; a worker reads it there."""
    state: JobState
    attempts: int
    """How often it was tried, without the time it runs."""
    outcome: str
    """What became of the file: `added`, `replaced` or `unchanged`; empty before it is done, and where it failed."""
    reason: str
    """Why it failed or is tried again, or what was left out of it; else empty."""
    queued_at: str
    """ISO 8601, UTC."""
    changed_at: str
    """When it was queued, begun, given back or ended, whichever was last."""


@dataclass(frozen=True)
class JobCounts:
    """How a namespace's queue is."""

    waiting: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0
    workers: int = 0
    """Workers of the whole database that were heard of lately."""


@dataclass(frozen=True)
class QueueStatus:
    """A namespace's queue, and the newest of its jobs."""

    counts: JobCounts = field(default_factory=JobCounts)
    jobs: list[Job] = field(default_factory=list)


@dataclass(frozen=True)
class Ended:
    """What came of one attempt at a job."""

    id: int
    namespace: str
    path: str
    outcome: str
    """As `Job.outcome`; empty where the attempt failed."""
    reason: str


class TakenIn(NamedTuple):
    """What became of a file."""

    outcome: str
    """As `Job.outcome`."""
    reason: str
    """As `Job.reason`."""


TakeIn = Callable[[str, Path, Callable[[], bool]], TakenIn]
"""Takes a file into a namespace. It asks now and then whether to break off, and raises where it did or could not."""


@dataclass(frozen=True)
class Pace:
    """How a worker counts its time, in seconds."""

    beat: float = 10.0
    """Between two signs of life."""
    lost: float = LOST
    """After which a worker that gave none is held to be gone."""
    look: float = 10.0
    """Between two looks at the jobs of workers that are gone."""
    poll: float = 5.0
    """Between two looks at the queue where nothing told of a new job."""
    grace: float = 20.0
    """For the job in hand at the end; then it is given back."""


def require_queue(kb: str) -> None:
    """Raise `UsageError` where a knowledge base has no queue."""
    if not in_postgres(kb):
        raise UsageError(
            f"There is no queue of jobs at {shown_kb(kb)}, a file.",
            "Keep the knowledge base in PostgreSQL (VERIDIC_KB=postgresql://USER@HOST/DATABASE), or take files in by "
            "`veridic ingest PATH`.",
        )


def open_jobs(kb: str, namespace: str) -> "QueuedJobs":
    """A namespace's queue; to be closed. Raises `UsageError` for a file, and as `open_store`."""
    require_queue(kb)
    with by_extra():
        from veridic.knowledge.postgres.queued import QueuedJobs
    return QueuedJobs(kb, namespace)
