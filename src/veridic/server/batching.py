"""One queue before the models: what several callers ask at the same time is judged in one batch."""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

from veridic.errors import DeadlineExceeded, JudgeBusy
from veridic.models.scorers import Pairs
from veridic.ports.file_limits import CHARACTERS_PER_TOKEN
from veridic.server.metrics import Metrics

Work = Callable[[Pairs, float], Sequence[Any]]
"""Judges pairs until a deadline (seconds since the epoch, or infinite): one result a pair, in order."""


@dataclass(frozen=True)
class Job:
    """What one caller asks."""

    key: Hashable
    """Jobs of one key are judged together, by the work of any of them."""
    work: Work
    pairs: Pairs
    deadline: float
    answer: Future[list[Any]] = field(default_factory=Future)
    since: float = field(default_factory=time.monotonic)

    @property
    def tokens(self) -> int:
        """About so many."""
        return sum(len(first) + len(second) for first, second in self.pairs) // CHARACTERS_PER_TOKEN


class Batcher:
    """Judges jobs in batches, one after the other; nothing else calls the models. Safe in several threads.

    Jobs of one key are one call. Calls of one batch, such as those for statements that answer several questions, are
    made side by side: each has few passes, and together they fill the processors.
    """

    def __init__(
        self, metrics: Metrics, *, tokens: int = 4096, age: float = 0.002, waiting: int = 256, threads: int = 1
    ) -> None:
        """A batch is closed from `tokens`, or when its first job is `age` seconds old; `waiting` jobs wait at most.

        `threads` calls are made at the same time.
        """
        self._metrics = metrics
        self._tokens = tokens
        self._age = age
        self._open = True
        self._queue = Queue[Job | None](waiting)
        metrics.waiting.set_function(self._queue.qsize)
        self._calls = ThreadPoolExecutor(threads, thread_name_prefix="veridic-judges-call")
        self._thread = Thread(target=self._run, name="veridic-judges", daemon=True)
        self._thread.start()

    @property
    def runs(self) -> bool:
        """Whether what is asked will be judged."""
        return self._open and self._thread.is_alive()

    def submit(self, key: Hashable, work: Work, pairs: Pairs, *, deadline: float) -> Future[list[Any]]:
        """Have the pairs judged; the answer raises what judging raises, and `DeadlineExceeded` when it is too late.

        Raises `JudgeBusy` where no more may wait.
        """
        job = Job(key, work, pairs, deadline)
        try:
            self._queue.put_nowait(job)
        except Full:
            raise JudgeBusy(
                "More waits to be judged than may.", "Ask again in a second, or serve more judges."
            ) from None
        return job.answer

    def close(self) -> None:
        """Judge what waits, and nothing that comes later."""
        self._open = False
        self._queue.put(None)
        self._thread.join()
        self._calls.shutdown()

    def _run(self) -> None:
        while self._open or not self._queue.empty():
            groups: dict[Hashable, list[Job]] = {}
            for job in list(self._batch()):
                groups.setdefault(job.key, []).append(job)
            due = [[job for job in jobs if _is_due(job)] for jobs in groups.values()]
            list(self._calls.map(self._judge, due))

    def _batch(self) -> Iterator[Job]:
        """The next jobs; what came while the models were busy waits no longer for others."""
        job, tokens, closes = self._queue.get(), 0, None
        while job is not None:
            yield job
            tokens += job.tokens
            closes = closes or job.since + self._age
            left = max(0.0, closes - time.monotonic())
            try:
                job = self._queue.get(block=left > 0, timeout=left) if tokens < self._tokens else None
            except Empty:
                return

    def _judge(self, jobs: Sequence[Job]) -> None:
        """One call for jobs of one key; it ends when the last of them has no more time."""
        if not jobs:
            return
        pairs = [pair for job in jobs for pair in job.pairs]
        try:
            with self._metrics.call(len(jobs), len(pairs)):
                found = iter(jobs[0].work(pairs, max(job.deadline for job in jobs)))
            for job in jobs:
                job.answer.set_result(list(islice(found, len(job.pairs))))
        except Exception as error:  # noqa: BLE001 - handed over to whoever waits, who raises it
            for job in jobs:
                job.answer.set_exception(error)


def _is_due(job: Job) -> bool:
    """Whether somebody waits for it still; whose time is over is told."""
    if not job.answer.set_running_or_notify_cancel():
        return False
    late = time.time() > job.deadline
    if late:
        job.answer.set_exception(DeadlineExceeded("It waited too long to be judged.", "Serve more judges."))
    return not late
