"""Files that wait to be taken in, from Python: queued, told of, tried again; and the work at them.

Each raises `UsageError` where the knowledge base is a file, and `KnowledgeError`.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from veridic.errors import DeadlineExceeded, DocumentUnreadable, InvalidSetting, UsageError
from veridic.knowledge.base import Knowledge, by_extra
from veridic.knowledge.ingest import files_at, ingest_file
from veridic.knowledge.intake import IngestReport
from veridic.knowledge.jobs import (
    LISTED,
    Ended,
    Job,
    Pace,
    QueueStatus,
    TakenIn,
    open_jobs,
    require_queue,
)
from veridic.knowledge.readers.process import ReadingProcess
from veridic.ports.jobs import JobState
from veridic.resources import open_knowledge_base, require_held
from veridic.settings import Settings, is_namespace
from veridic.sources.fetching import is_address

if TYPE_CHECKING:
    from veridic.knowledge.postgres.queued import QueuedJobs

__all__ = ["QueueReport", "queue", "queue_status", "remove_jobs", "retry_jobs", "work"]

OUTCOMES = ("added", "replaced", "unchanged")


@dataclass
class QueueReport:
    """What was queued, and what was passed over."""

    jobs: list[Job] = field(default_factory=list)
    """A job for each file; one that waited already is told again."""
    passed: IngestReport = field(default_factory=IngestReport)
    """Its `skipped`, `reasons`, `unreadable`, `missing` and `gone`."""


def queue(*paths: str | Path, settings: Settings | None = None) -> QueueReport:
    """Queue a job for each file at these paths, and return at once; workers read it by its absolute path.

    Raises `DocumentMissing` when none of the paths is there, `UsageError` for an address of the web.
    """
    settings = settings or Settings.load()
    if addresses := [path for path in paths if isinstance(path, str) and is_address(path)]:
        raise UsageError(f"{addresses[0]} is an address, and files alone are queued.", "Leave out --queue for it.")
    report = QueueReport()
    with open_jobs(settings.kb, settings.namespace) as jobs:
        found = files_at([Path(path) for path in paths], jobs.store, report.passed)
        report.jobs = jobs.put([str(path) for path in found])
    return report


def queue_status(
    *, ids: Sequence[int] = (), state: JobState | None = None, limit: int = LISTED, settings: Settings | None = None
) -> QueueStatus:
    """How a namespace's queue is, and the newest jobs, newest first: of these ids, or in this state, if given."""
    with _held(settings) as jobs:
        return QueueStatus(jobs.counted(), jobs.listed(ids=ids, state=state, limit=limit))


def retry_jobs(ids: Sequence[int] | None = None, *, settings: Settings | None = None) -> list[int]:
    """Queue failed jobs again, those of these ids or all; the ids of those that were."""
    with _held(settings) as jobs:
        return jobs.retry(ids)


def remove_jobs(ids: Sequence[int], *, settings: Settings | None = None) -> list[int]:
    """Remove jobs, but for those that run; the ids of those that were. What was taken in stays."""
    with _held(settings) as jobs:
        return jobs.remove(ids)


def _held(settings: Settings | None) -> "QueuedJobs":
    """The queue of a knowledge base that is there. Raises `StoreMissing`."""
    settings = settings or Settings.load()
    require_queue(settings.kb)
    require_held(settings)
    return open_jobs(settings.kb, settings.namespace)


def work(
    *,
    settings: Settings | None = None,
    namespaces: Sequence[str] = (),
    until_empty: bool = False,
    tell: Callable[[Ended], None] = lambda _: None,
    pace: Pace = Pace(),  # noqa: B008 - it is frozen
) -> None:
    """Take in the files of jobs, of these namespaces or of all, until SIGTERM or SIGINT, or until no job waits.

    To be called in the main thread. `tell` is called with what came of each attempt. Raises `StoreUnavailable` where
    the database goes away; what was in hand then comes back to another worker.
    """
    settings = settings or Settings.load()
    if strange := [one for one in namespaces if not is_namespace(one)]:
        raise InvalidSetting(f"{strange[0]!a} is no namespace.", "It has 1 to 64 letters, digits, _ . or -.")
    require_queue(settings.kb)
    with by_extra():
        from veridic.knowledge.postgres import working
    with closing(_Taking(settings)) as take_in:
        working.work(settings.kb, take_in, tell, namespaces=namespaces, until_empty=until_empty, pace=pace)


class _Taking:
    """Takes files into namespaces, with one embedder and one process that reads; to be closed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._reading = ReadingProcess(settings.file_limits)
        self._held: dict[str, Knowledge] = {}

    def __call__(self, namespace: str, path: Path, broken_off: Callable[[], bool]) -> TakenIn:
        """See `knowledge.jobs.TakeIn`. Raises `DocumentUnreadable`, `KnowledgeError`."""

        def progress(*_: object) -> None:
            if broken_off():
                raise DeadlineExceeded("The worker ends.", "Another one takes the file in.")

        corpus = self._opened(namespace).corpus
        report = ingest_file(path, corpus, self._reading, self._settings.file_limits, progress)
        for one in report.unreadable:
            raise DocumentUnreadable(one.reason, "Then try the job again.")
        [outcome] = [name for name in OUTCOMES if getattr(report, name)]
        return TakenIn(outcome, " ".join(one.reason for one in report.partly))

    def close(self) -> None:
        """End the process, and let go of what is open."""
        self._reading.close()
        for knowledge in self._held.values():
            knowledge.close()

    def _opened(self, namespace: str) -> Knowledge:
        """A namespace, opened once; all share the first one's embedder."""
        if namespace not in self._held:
            settings = self._settings.model_copy(update={"namespace": namespace})
            embedder = next((one.corpus.embedder for one in self._held.values()), None)
            self._held[namespace] = open_knowledge_base(settings, embedder)
        return self._held[namespace]
