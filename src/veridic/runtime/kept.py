"""Small facts in files of a folder: each file is there whole or not at all, and nobody needs one."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


class Kept:
    """Values by name, one file each (mode 0600); safe in several threads and processes.

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
