"""What is kept and nobody needs: values that were computed lately, and small facts in files of a folder."""

import json
import os
import tempfile
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

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


class Keeping(Protocol):
    """Values by name, kept for a while; see `Kept`."""

    def read(self, name: str) -> dict[str, Any]:
        """The values under a name; empty where there are none that can be read."""

    def keep(self, name: str, values: Mapping[str, Any], *, now: float | None = None) -> None:
        """Write the values, in place of what was there."""

    def trim(self, most: int, *, before: float) -> None:
        """Remove what was written before a time, and the oldest beyond so many."""


class Kept:
    """Values by name, one file each (mode 0600), there whole or not at all; safe in several threads and processes.

    A file that cannot be read is none, and one that cannot be written is left out.
    """

    def __init__(self, folder: Path | None) -> None:
        """Nothing is made before the first `keep`; without a folder nothing is kept."""
        self._folder = folder

    def read(self, name: str) -> dict[str, Any]:
        """The values under a name; empty where there are none that can be read."""
        with suppress(OSError, ValueError):
            found = json.loads((self._folder / f"{name}.json").read_text(encoding="utf-8")) if self._folder else {}
            return found if isinstance(found, dict) else {}
        return {}

    def keep(self, name: str, values: Mapping[str, Any], *, now: float | None = None) -> None:
        """Write the values, in place of what was there; `now` is the time that the file says of itself."""
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=self._folder, suffix=".part", delete=False) as unfinished:
                json.dump(values, unfinished)
            if now is not None:
                os.utime(unfinished.name, (now, now))
            Path(unfinished.name).replace(self._folder / f"{name}.json")

    def trim(self, most: int, *, before: float) -> None:
        """Remove what was written before a time (seconds since the epoch), and the oldest beyond so many."""
        with suppress(OSError), os.scandir(self._folder or "") as held:
            found = sorted(((one.stat().st_mtime, one.path) for one in held), reverse=True)
            for _, path in [*(one for one in found[:most] if one[0] < before), *found[most:]]:
                os.unlink(path)
