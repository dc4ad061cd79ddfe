"""Time as a total, and a run that is left: what is left of a deadline, calls that cannot be given one, and the stop.

A thread cannot be ended from outside: it is told that nobody waits for its run any more.
"""

import asyncio
import contextvars
import os
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from veridic.errors import DeadlineExceeded

_Answer = TypeVar("_Answer")


class Stop:
    """Pulled once, by whoever leaves a run; heard by its threads where they wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []
        self.pulled = False

    def pull(self) -> None:
        """Tell everybody who listens, and whoever comes to listen later."""
        with self._lock:
            self.pulled, calls = True, self._calls
            self._calls = []
        for call in calls:
            call()

    @contextmanager
    def heard(self, call: Callable[[], None]) -> Iterator[None]:
        """Have `call` made, from any thread, when the stop is pulled within the block or was before."""
        with self._lock:
            late = self.pulled
            if not late:
                self._calls.append(call)
        if late:
            call()
        try:
            yield
        finally:
            with self._lock:
                if call in self._calls:
                    self._calls.remove(call)


_current: contextvars.ContextVar[Stop] = contextvars.ContextVar("veridic_stop")


def current() -> Stop:
    """The stop of the run that this thread works for; of none, one that nobody pulls."""
    return _current.get(None) or Stop()


@contextmanager
def listening(stop: Stop) -> Iterator[None]:
    """Work for a run: what is begun within the block, in other threads too, hears its stop."""
    token = _current.set(stop)
    try:
        yield
    finally:
        _current.reset(token)


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
