"""A worker: takes jobs one after another, says every while that it lives, gives back those of workers that do not.

Its connections listen and are its own for as long as it lives: no pooler that shares sessions may stand between.
"""

import asyncio
import logging
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job as Fetched

from veridic.errors import StoreUnavailable, VeridicError, told_of
from veridic.exporting.outgoing import for_a_line
from veridic.knowledge.jobs import Ended, Pace, TakeIn, TakenIn
from veridic.knowledge.postgres.database import CONNECT_SECONDS, Database, given_back, taken
from veridic.knowledge.postgres.migrations import jobs as tables
from veridic.knowledge.postgres.queued import TASK
from veridic.knowledge.postgres.transactions import PostgresConnection
from veridic.settings import shown_kb

MOST = 5
"""How often a job is tried."""
WAIT = 10
"""Seconds before the second attempt; before each further one twice as many."""
KEPT_HOURS = 7 * 24
"""For which a job that is done is kept."""
CLEANED = 360
"""Looks at the jobs of others after which those that are older are removed."""
ENDINGS = (signal.SIGINT, signal.SIGTERM)
_log = logging.getLogger("procrastinate.worker")


class _WhatMayPass(BaseRetryStrategy):
    """A job that is given back is tried again; one that failed only where that may pass, and not too often."""

    def get_retry_decision(self, *, exception: BaseException, job: Fetched) -> RetryDecision | None:
        """When the job is tried again; None where it has failed."""
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision(retry_in={"seconds": 0})
        lost = isinstance(exception, ConnectorException)  # what became of it could not be kept
        passing = lost or (isinstance(exception, VeridicError) and exception.retryable)
        if passing and job.attempts + 1 < MOST:
            return RetryDecision(retry_in={"seconds": WAIT * 2**job.attempts})
        return None


class Worker:
    """Works at the jobs of a database, those of some namespaces or all."""

    def __init__(
        self, url: str, database: Database, take_in: TakeIn, tell: Callable[[Ended], None], pace: Pace
    ) -> None:
        self._database = database
        self._take_in = take_in
        self._tell = tell
        self._pace = pace
        self._told_to_end = False
        self._faults: list[str] = []
        self._app = App(
            connector=PsycopgConnector(
                conninfo=url,
                kwargs={"connect_timeout": CONNECT_SECONDS},
                configure=self._configure,
                min_size=1,
                max_size=3,
                timeout=CONNECT_SECONDS,
            )
        )
        self._app.task(name=TASK, pass_context=True, retry=_WhatMayPass())(self._job)

    async def run(self, namespaces: Sequence[str], *, until_empty: bool) -> None:
        """Work until a signal says to end, or until no job waits. Raises `StoreUnavailable` where it breaks off."""
        options: dict[str, Any] = {
            "name": None,
            "queues": list(namespaces) or None,
            "wait": not until_empty,
            "install_signal_handlers": False,
            "update_heartbeat_interval": self._pace.beat,
            "stalled_worker_timeout": self._pace.lost,
            "fetch_job_polling_interval": self._pace.poll,
            "shutdown_graceful_timeout": self._pace.grace,
        }
        async with self._app.open_async():
            await self._give_back()
            _log.addFilter(self._is_untold)
            working = asyncio.create_task(self._app.run_worker_async(**options))
            looking = asyncio.create_task(self._look())
            self._end_with(working)
            await asyncio.wait((working, looking), return_when=asyncio.FIRST_COMPLETED)
            for task in (working, looking):
                task.cancel()
            ended = await asyncio.gather(working, looking, return_exceptions=True)
            _log.removeFilter(self._is_untold)
        self._faults += [_told(one) for one in ended if isinstance(one, Exception)]
        if self._faults or not (until_empty or self._told_to_end):
            raise StoreUnavailable(
                f"The worker broke off ({'; '.join(dict.fromkeys(self._faults)) or 'nobody told it to'}).",
                "See that PostgreSQL runs, and start it again. What it had in hand comes back by itself.",
            )

    def _is_untold(self, record: logging.LogRecord) -> bool:
        """Whether Procrastinate's log is to say what nobody else tells."""
        action, error = vars(record).get("action"), record.exc_info and record.exc_info[1]
        if action == "side_task_failed" and error:
            self._faults.append(_told(error))
        return action not in ("side_task_failed", "job_error")

    def _end_with(self, working: "asyncio.Task[None]") -> None:
        """Let a signal end the work, a second one at once; and what nobody waits for and fails."""
        loop = asyncio.get_running_loop()

        def told() -> None:
            self._told_to_end = True
            for ending in ENDINGS:
                loop.remove_signal_handler(ending)
            working.cancel()

        def failed(_: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:
            self._faults.append(_told(what["exception"]) if "exception" in what else str(what["message"]))
            working.cancel()

        for ending in ENDINGS:
            loop.add_signal_handler(ending, told)
        loop.set_exception_handler(failed)

    async def _configure(self, connection: "psycopg.AsyncConnection[Any]") -> None:
        """See the jobs of all namespaces, and nothing else."""
        await connection.execute(
            "SELECT set_config('role', %s, false), set_config('search_path', %s, false), "
            "set_config('veridic.namespace', '*', false)",
            (self._database.role, self._database.path),
        )
        await connection.commit()

    async def _job(self, context: JobContext, path: str) -> None:
        """Take one file in, and keep what became of it. Raises what that raised."""
        job, stop = context.job, Event()
        try:
            taken_in = await asyncio.to_thread(self._take_in, job.queue, Path(path), stop.is_set)
        except asyncio.CancelledError:
            stop.set()
            raise
        except Exception as error:  # whatever a file does to its reader is a reason to tell
            told = str(error) if isinstance(error, VeridicError) else f"Unexpected {told_of(error)}."
            with suppress(ConnectorException):
                await self._note(job, path, TakenIn("", told))
            raise
        await self._note(job, path, taken_in)

    async def _note(self, job: Fetched, path: str, taken_in: TakenIn) -> None:
        ended = Ended(int(job.id or 0), job.queue, path, taken_in.outcome, for_a_line(taken_in.reason))
        self._tell(ended)
        await self._app.connector.execute_query_async(
            """
            INSERT INTO job_outcomes (job_id, namespace, outcome, reason)
            VALUES (%(id)s, %(namespace)s, %(outcome)s, %(reason)s)
            ON CONFLICT (job_id) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason
            """,
            id=ended.id,
            namespace=ended.namespace,
            outcome=ended.outcome,
            reason=ended.reason,
        )

    async def _look(self) -> None:
        """Give back what workers had that are gone, again and again; now and then remove what is long done."""
        for look in range(1 << 62):
            if look % CLEANED == 0:
                await self._app.job_manager.delete_old_jobs(nb_hours=KEPT_HOURS)
            await asyncio.sleep(self._pace.look)
            await self._give_back()

    async def _give_back(self) -> None:
        """Let jobs whose worker is gone wait again; one that was tried too often has failed."""
        await self._app.connector.execute_query_async(
            """
            WITH back AS (
                UPDATE procrastinate_jobs SET attempts = attempts + 1, scheduled_at = NULL,
                    status = (CASE WHEN attempts + 1 < %(most)s THEN 'todo' ELSE 'failed' END)::procrastinate_job_status
                WHERE id IN (
                    SELECT id FROM procrastinate_jobs AS job WHERE status = 'doing' AND NOT EXISTS (
                        SELECT 1 FROM procrastinate_workers
                        WHERE id = job.worker_id AND last_heartbeat > now() - make_interval(secs => %(lost)s)
                    ) FOR UPDATE SKIP LOCKED
                ) RETURNING id, queue_name
            )
            INSERT INTO job_outcomes SELECT id, queue_name, '', %(reason)s FROM back
            ON CONFLICT (job_id) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason
            """,
            most=MOST,
            lost=self._pace.lost,
            reason="Its worker ended before it was done.",
        )


def _told(error: BaseException) -> str:
    """A failure by what it rests on, as Procrastinate's own errors say nothing of it."""
    return told_of(error.__cause__ or error)


def work(
    url: str,
    take_in: TakeIn,
    tell: Callable[[Ended], None],
    *,
    namespaces: Sequence[str],
    until_empty: bool,
    pace: Pace,
) -> None:
    """Work at the jobs of these namespaces, or of all, in the process's main thread; see `Worker.run`."""
    place = shown_kb(url)
    database = taken(url, place)
    try:
        with database.pool.connection() as connection:
            database.begin(connection, "ISOLATION LEVEL READ COMMITTED")
            tables.make(PostgresConnection(connection, ""))
        asyncio.run(Worker(url, database, take_in, tell, pace).run(namespaces, until_empty=until_empty))
    except (ConnectorException, psycopg.Error) as error:
        raise StoreUnavailable(
            f"The knowledge base {place} cannot be reached ({_told(error)}).",
            "See that PostgreSQL runs and has this database, and that VERIDIC_KB has the right role and password.",
        ) from error
    finally:
        given_back(url)
