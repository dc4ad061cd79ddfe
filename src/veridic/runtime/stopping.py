"""Telling the threads of a run that nobody waits for it any more: a thread cannot be ended from outside."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


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


_current: ContextVar[Stop] = ContextVar("veridic_stop")


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
