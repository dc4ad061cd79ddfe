"""Time as a total: what is left of a deadline, and calls that cannot be given one."""

import asyncio
import contextvars
import os
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from functools import cache
from typing import TypeVar

from veridic.errors import DeadlineExceeded
from veridic.runtime.stopping import current

_Answer = TypeVar("_Answer")


def remaining(deadline: float, what: str) -> float:
    """Seconds until `deadline` (seconds since the epoch), above 0.

    Raises `DeadlineExceeded` naming `what`, also in a run that nobody waits for any more.
    """
    left = deadline - time.time()
    if left <= 0 or current().pulled:
        raise exceeded(what)
    return left


def exceeded(what: str) -> DeadlineExceeded:
    """The error for a call to `what` whose time is over."""
    return DeadlineExceeded(f"No answer from {what} in the time given.", "Raise the time budget or leave it out.")


def within(deadline: float, what: str, call: Callable[[], _Answer]) -> _Answer:
    """The answer of a call that knows no deadline, or `DeadlineExceeded`; what it raises is raised here.

    `deadline` may be infinite. A thread cannot be stopped, so one that is late is left behind as a daemon and its
    answer dropped.
    """
    future: Future[_Answer] = Future()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(call))
        except BaseException as error:  # noqa: BLE001 - handed over to the waiting thread, which raises it
            future.set_exception(error)

    left = remaining(deadline, what)
    threading.Thread(target=work, name=f"veridic-{what}", daemon=True).start()
    try:
        return future.result(timeout=min(left, threading.TIMEOUT_MAX))
    except TimeoutError as error:
        if future.done():
            raise
        raise exceeded(what) from error


def awaited(answer: Awaitable[_Answer]) -> _Answer:
    """The answer of what can only be awaited, for a thread of its own.

    All is awaited in one loop, which lasts as the process does: clients that are kept between calls belong to theirs.
    """

    async def waited() -> _Answer:
        return await answer

    return asyncio.run_coroutine_threadsafe(waited(), _loop(os.getpid())).result()


@cache
def _loop(_process: int) -> asyncio.AbstractEventLoop:
    """The loop of a process; one that was forked has none of its parent's threads."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="veridic-awaited", daemon=True).start()
    return loop
