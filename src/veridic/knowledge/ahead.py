"""Work done in a thread of its own ahead of whoever needs it, never further than there is room for."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, Self, TypeVar

T = TypeVar("T")


class Stopped(Exception):
    """Nobody needs the work any more. Raised to those who do it alone."""


class Room:
    """How much may be on its way at once. Safe for threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0
        self._closed = False
        self._changed = threading.Condition()

    def take(self, size: int) -> None:
        """Wait until there is room; what is larger than all of it goes alone. Raises `Stopped`."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._taken or self._taken + size <= self._most)
            self._check()
            self._taken += size

    def give(self, size: int) -> None:
        """Leave room that was taken."""
        with self._changed:
            self._taken -= size
            self._changed.notify_all()

    def check(self) -> None:
        """Raise `Stopped` when the room is closed."""
        with self._changed:
            self._check()

    def close(self) -> None:
        """Stop those who wait for room, and who ask."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _check(self) -> None:
        if self._closed:
            raise Stopped


@dataclass(frozen=True)
class _End:
    error: BaseException | None


class Ahead(Generic[T]):
    """What `work` puts, in order, while it goes on; whatever it raises is raised where it is awaited.

    A context: at its end the room is closed, and the work, told so by `Room.take` and `Room.check`, is waited for.
    """

    def __init__(self, room: Room, work: Callable[[Callable[[T], None]], None]) -> None:
        self._room = room
        self._work = work
        self._put: SimpleQueue[T | _End] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="veridic-ahead", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._room.close()
        self._thread.join()

    def __iter__(self) -> Iterator[T]:
        while not isinstance(given := self._put.get(), _End):
            yield given
        if given.error is not None:
            raise given.error

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            self._work(self._put.put)
        except Stopped:
            pass
        except BaseException as raised:  # noqa: BLE001 - raised again by whoever waits
            error = raised
        self._put.put(_End(error))
