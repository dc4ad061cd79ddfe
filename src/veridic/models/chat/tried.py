"""A model whose weights are the user's own: tried once, and what was found kept by the hash of its file."""

import hashlib
import json
import os
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from veridic.errors import ModelError
from veridic.models.chat.adapter import Backend, LangChainChat
from veridic.models.chat.trial import BATTERY, EXERCISES, NEEDED, passed
from veridic.models.weights import Progress, digest_of, pinned
from veridic.settings import Settings


@dataclass(frozen=True)
class Found:
    """What a trial found."""

    passed: int
    of: int = len(EXERCISES)

    @property
    def follows_instructions(self) -> bool:
        """Whether that is enough."""
        return self.passed >= NEEDED


class Trials:
    """What trials found, in files of the cache; one that cannot be read or kept is held again another time."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.cache / "weights" / "tried"

    def digest(self, path: Path) -> str:
        """The SHA-256 of a file, computed again when its place, size or date is another. Raises `OSError`."""
        status = path.stat()
        stamp = f"{path.absolute()} {status.st_size} {status.st_mtime_ns}"
        name = f"file-{hashlib.sha256(stamp.encode(errors='replace')).hexdigest()[:32]}"
        known = self._read(name).get("sha256")
        if isinstance(known, str):
            return known
        digest = digest_of(path)
        self._keep(name, {"sha256": digest})
        return digest

    def found(self, digest: str) -> Found | None:
        """What the trial of the file with this hash found; None where it was not held with today's exercises."""
        kept = self._read(f"{digest}-{BATTERY}")
        with suppress(KeyError, TypeError, ValueError):
            return Found(int(kept["passed"]), int(kept["of"]))
        return None

    def keep(self, digest: str, found: Found) -> None:
        """Keep what a trial found."""
        self._keep(f"{digest}-{BATTERY}", asdict(found))

    def _read(self, name: str) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            kept = json.loads((self._folder / f"{name}.json").read_text(encoding="utf-8"))
            return kept if isinstance(kept, dict) else {}
        return {}

    def _keep(self, name: str, values: dict[str, Any]) -> None:
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = self._folder / f"{name}.{os.getpid()}"
            unfinished.write_text(json.dumps(values), encoding="utf-8")
            unfinished.replace(self._folder / f"{name}.json")


class TriedChat(LangChainChat):
    """A `LangChainChat` that is tried before its first use, unless the same file was tried before.

    The trial is held by `prepare`, or by whoever first asks whether it follows instructions.
    """

    def __init__(self, backend: Backend, weights: Path, trials: Trials) -> None:
        super().__init__(backend, follows_instructions=False)
        self._weights = weights
        self._trials = trials
        self._trying = threading.Lock()
        self._verdict: bool | None = None

    @property
    def follows_instructions(self) -> bool:
        """Whether it passed; false where it cannot be tried, and whoever writes is told why."""
        with suppress(ModelError, OSError):
            return self._tried(lambda _done, _total: None)
        return False

    def prepare(self, progress: Progress = lambda _done, _total: None) -> None:
        """See `LangChainChat`; `progress` is told the exercises of the trial too."""
        super().prepare(progress)
        self._tried(progress)

    def _tried(self, progress: Progress) -> bool:
        with self._trying:
            if self._verdict is None:
                self._verdict = self._verdict_on(self._trials.digest(self._weights), progress)
            return self._verdict

    def _verdict_on(self, digest: str, progress: Progress) -> bool:
        if known := pinned(digest):
            return known.follows_instructions
        found = self._trials.found(digest)
        if found is None:
            found = Found(passed(self, progress))
            self._trials.keep(digest, found)
        return found.follows_instructions
