"""What was computed lately, so that asking again costs nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


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
