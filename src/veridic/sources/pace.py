"""One polite pace per host for the whole process, and hosts that asked to be left alone."""

import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

from veridic.errors import SourceNotAsked

DEFAULT_REST = 30.0
"""Seconds for which a host is left alone that is overloaded (429) and does not say until when."""
NO_PAUSES: Mapping[str, float] = {}
"""Of a source that asks for none."""
LONGEST_REST = 3600.0
"""A host that names a later time is asked again after this."""


class Pace:
    """Gives every request to a host its turn; safe to use from several threads."""

    def __init__(self, now: Callable[[], float] = time.time, wait: Callable[[float], None] = time.sleep) -> None:
        """`now` tells seconds since the epoch, `wait` waits so many seconds."""
        self._now = now
        self._wait = wait
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        self._resting: dict[str, float] = {}

    def turn(self, host: str, pauses: Mapping[str, float], *, deadline: float) -> None:
        """Wait for the turn of a request to `host`, which may have a port behind it.

        `pauses` are seconds between two requests to a domain and its subdomains. Raises `SourceNotAsked`
        at once, and takes no turn, when the host rests or its next turn is not before the deadline.
        """
        domain, pause = _paused(host, pauses)
        with self._lock:
            now = self._now()
            if self._resting.get(host, now) > now:
                raise SourceNotAsked(
                    f"{host} asked to be left alone for another {self._resting[host] - now:.0f} s.", "Try again later."
                )
            turn = max(now, self._next.get(domain, now))
            if turn > now and turn >= deadline:
                raise SourceNotAsked(
                    f"The next turn at {host} comes in {turn - now:.1f} s, after the time given.",
                    "Ask less often or raise the time budget.",
                )
            if pause:
                self._next[domain] = turn + pause
        if turn > now:
            self._wait(turn - now)

    def rest(self, host: str, retry_after: str | None) -> float:
        """Leave `host` alone as its `Retry-After` says (seconds or an HTTP date); returns the seconds."""
        with self._lock:
            now = self._now()
            seconds = min(LONGEST_REST, max(0.0, _seconds(retry_after, now)))
            until = max(self._resting.get(host, now), now + seconds)
            self._resting = {**{other: end for other, end in self._resting.items() if end > now}, host: until}
            return until - now


PACE = Pace()
"""The process's own."""


def _paused(host: str, pauses: Mapping[str, float]) -> tuple[str, float]:
    """The domain among `pauses` that `host` belongs to, with its pause; the host itself and 0 when there is none."""
    name = f".{host.partition(':')[0]}"
    return next(((domain, pause) for domain, pause in pauses.items() if name.endswith(f".{domain}")), (host, 0.0))


def _seconds(retry_after: str | None, now: float) -> float:
    said = (retry_after or "").strip()
    if said.isdecimal():
        return float(said)
    try:
        moment = parsedate_to_datetime(said)
    except ValueError:
        return DEFAULT_REST
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() - now
