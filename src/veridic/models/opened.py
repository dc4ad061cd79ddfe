"""What a process holds, whoever asks for it: what is opened once, and what was computed lately."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Opened:
    """Things by what they were opened from; safe in several threads, of which one opens and the others wait."""

    def __init__(self) -> None:
        """Nothing is open yet."""
        self._lock = threading.Lock()
        self._places: dict[Hashable, tuple[threading.Lock, list[Any]]] = {}
        """By key a lock, held by who opens, and the thing once it is open."""

    def once(self, key: Hashable, open_it: Callable[[], T]) -> T:
        """What was opened under this key, now if it was not before; what opening raises is raised and not kept."""
        with self._lock:
            opening, held = self._places.setdefault(key, (threading.Lock(), []))
        with opening:
            if not held:
                held.append(open_it())
            found: T = held[0]
            return found

    def clear(self) -> None:
        """Forget everything: whoever holds a thing goes on with it, and the next to ask opens it anew."""
        with self._lock:
            self._places.clear()


ENCODERS = Opened()
"""Tokenizers and sessions by their files, and the self-tests that they passed."""
HUB = Opened()
"""Models of the extra `hf` by name."""
CHATS = Opened()
"""Chat models by the settings that choose one."""


class Recent(Generic[K, V]):
    """The values of the keys asked for last, at most `most` of them; safe to call from several threads."""

    def __init__(self, most: int) -> None:
        """Holds nothing yet."""
        self._most = most
        self._values: dict[K, V] = {}
        self._lock = threading.Lock()

    def of(self, keys: Sequence[K], compute: Callable[[list[K]], Sequence[V]]) -> list[V]:
        """The value of each key; those that are not known are computed in one call, each once."""
        with self._lock:
            found = {key: self._values[key] for key in keys if key in self._values}
        new = [key for key in dict.fromkeys(keys) if key not in found]
        if new:
            found |= zip(new, compute(new), strict=True)
        self.keep({key: found[key] for key in keys})
        return [found[key] for key in keys]

    def known(self, key: K) -> V | None:
        """The value of a key, which is now one of those asked for last; None where it is not known."""
        with self._lock:
            if key not in self._values:
                return None
            self._values[key] = value = self._values.pop(key)
            return value

    def keep(self, values: Mapping[K, V]) -> None:
        """Take values that are known already for the ones asked for last."""
        with self._lock:
            for key, value in values.items():
                self._values.pop(key, None)
                self._values[key] = value
            for oldest in list(self._values)[: max(0, len(self._values) - self._most)]:
                del self._values[oldest]


def let_threads_sleep() -> None:
    """Have OpenMP's threads sleep where they wait for one another, unless the environment says how they wait.

    Spinning, one that waits keeps the processor from the one it waits for: where something else keeps a core busy,
    a sentence takes ten times as long. A library reads this when it is loaded, so it is said before.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
