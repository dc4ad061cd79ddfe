"""Ends connections at a deadline: a read timeout begins anew with every byte, this does not."""

import contextlib
import socket
import threading
import time

_AFTER = 0.01
"""Seconds past the deadline, so that whoever meets the end of a cut connection finds the time over."""


class Cut:
    """Shuts the connections of one session down when its time is over."""

    def __init__(self, deadline: float) -> None:
        """Cut at `deadline`, seconds since the epoch."""
        self._deadline = deadline
        self._lock = threading.Lock()
        self._watched: list[tuple[threading.Timer, socket.socket]] = []

    def watch(self, sock: socket.socket) -> None:
        """Cut this connection too; a duplicate handle is kept, as TLS takes the original one away."""
        handle = sock.dup()
        timer = threading.Timer(max(0.0, self._deadline - time.time()) + _AFTER, self._shut, [handle])
        timer.daemon = True
        with self._lock:
            self._watched.append((timer, handle))
        timer.start()

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            for timer, handle in self._watched:
                timer.cancel()
                handle.close()
            self._watched.clear()

    def _shut(self, handle: socket.socket) -> None:
        with self._lock, contextlib.suppress(OSError):
            handle.shutdown(socket.SHUT_RDWR)
