"""What a process opens once, whoever asks for it."""

import os
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


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
ENDPOINTS = Opened()
"""Servers that judge, by address and key."""
HUB = Opened()
"""Models of the extra `hf` by name."""
CHATS = Opened()
"""Chat models by the settings that choose one."""


def let_threads_sleep() -> None:
    """Have OpenMP's threads sleep where they wait for one another, unless the environment says how they wait.

    Spinning, one that waits keeps the processor from the one it waits for: where something else keeps a core busy,
    a sentence takes ten times as long. A library reads this when it is loaded, so it is said before.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
