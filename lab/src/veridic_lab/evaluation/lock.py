"""One run in a folder at a time: two would ask the same questions and mix their lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from veridic.errors import UsageError

LOCK = ".lock"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a run's folder, which is made if need be; a killed process lets go of it. Raises `UsageError`."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise UsageError(f"Another run is writing to {folder}.", "Wait for it, or name another folder.") from error
    try:
        yield
    finally:
        lock.release()
