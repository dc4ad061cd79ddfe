"""Reading a stream with a total deadline, whatever the library underneath does.

A read timeout restarts at every byte, keep-alive bytes too, and loading a model has none.
So the stream is drawn in a thread of its own, and whoever waits for it stops waiting.
"""

import queue
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from contextvars import ContextVar, copy_context
from typing import Generic, TypeVar

from veridic.runtime.deadline import current

T = TypeVar("T")


class Line:
    """The connection of one call; cutting it ends the call at both ends, even while nothing comes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cut = False

    def join(self, connection: socket.socket) -> None:
        """Remember the connection; one that comes after the cut is cut too."""
        with self._lock:
            self._socket = connection
            if self._is_cut:
                _shut(connection)

    def cut(self) -> None:
        """End the call."""
        with self._lock:
            self._is_cut = True
            if self._socket is not None:
                _shut(self._socket)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # the other side may have hung up first
        connection.shutdown(socket.SHUT_RDWR)


current_line: ContextVar[Line] = ContextVar("current_line")
"""The line of the call that this thread draws; whoever connects may join it."""


class _End:
    """The stream is over: well, or by an error."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


_STOPPED = _End(None)
"""The stream is left."""


class Drawn(Generic[T]):
    """The items of a stream that arrive before the deadline; to be iterated once.

    Iterating raises what the stream raises. `expired` says afterwards whether the deadline
    ended it, or that nobody waits for the run any more; a deadline that is over starts
    nothing. Whoever stops iterating stops the drawing: at once where the connection joined
    the call's line, else at the next item.
    """

    def __init__(self, start: Callable[[], Iterator[T]], *, deadline: float) -> None:
        self.expired = False
        self._start = start
        self._deadline = deadline
        self._left = threading.Event()
        self._line = Line()
        self._items: queue.SimpleQueue[T | _End] = queue.SimpleQueue()

    def __iter__(self) -> Generator[T, None, None]:
        if self._deadline > time.time():
            # A daemon: a model that never answers must not keep the process from ending.
            threading.Thread(target=copy_context().run, args=(self._draw,), name="veridic-chat", daemon=True).start()
        try:
            with current().heard(lambda: self._items.put(_STOPPED)):
                yield from self._arriving()
        finally:
            self._left.set()
            self._line.cut()

    def _arriving(self) -> Iterator[T]:
        while (seconds := self._deadline - time.time()) > 0:
            try:
                item = self._items.get(timeout=seconds)
            except queue.Empty:
                break
            if item is _STOPPED:
                break
            if isinstance(item, _End):
                if item.error is not None:
                    raise item.error
                return
            yield item
        self.expired = True

    def _draw(self) -> None:
        current_line.set(self._line)
        try:
            for item in self._start():
                if self._left.is_set():
                    break
                self._items.put(item)
        except BaseException as error:  # noqa: BLE001 - it is raised in the thread that waits
            self._items.put(_End(error))
        else:
            self._items.put(_End(None))
