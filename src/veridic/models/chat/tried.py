"""A model whose weights are the user's own: tried once, and what was found kept by the hash of its file."""

import hashlib
import threading
from contextlib import suppress
from pathlib import Path

from veridic.errors import ModelError
from veridic.models.chat.adapter import Backend, LangChainChat
from veridic.models.chat.exercises import BATTERY, EXERCISES, NEEDED, passed
from veridic.models.weights import Progress, digest_of, pinned
from veridic.runtime.kept import Kept
from veridic.settings import Settings


class Trials:
    """What trials found, in files of the cache; one that cannot be read or kept is held again another time."""

    def __init__(self, settings: Settings) -> None:
        """The files stand beside the weights that were fetched."""
        self._kept = Kept(settings.cache / "weights" / "tried")

    def digest(self, path: Path) -> str:
        """The SHA-256 of a file, computed again when its place, size or date is another. Raises `OSError`."""
        status = path.stat()
        stamp = f"{path.absolute()} {status.st_size} {status.st_mtime_ns}"
        name = f"file-{hashlib.sha256(stamp.encode(errors='replace')).hexdigest()[:32]}"
        known = self._kept.read(name).get("sha256")
        if isinstance(known, str):
            return known
        digest = digest_of(path)
        self._kept.keep(name, {"sha256": digest})
        return digest

    def passed(self, digest: str) -> int | None:
        """How many of `EXERCISES` the file with this hash passed; None where it was not tried with these."""
        known = self._kept.read(f"{digest}-{BATTERY}").get("passed")
        return known if isinstance(known, int) else None

    def keep(self, digest: str, passed: int) -> None:
        """Keep what a trial found."""
        self._kept.keep(f"{digest}-{BATTERY}", {"passed": passed, "of": len(EXERCISES)})

    def verdict(self, digest: str) -> bool | None:
        """Whether the file with this hash is known to follow instructions, pinned or tried; None where it is not."""
        if known := pinned(digest):
            return known.follows_instructions
        found = self.passed(digest)
        return None if found is None else found >= NEEDED


class TriedChat(LangChainChat):
    """A `LangChainChat` that is tried before its first use, unless the same file was tried before.

    The trial is held by `prepare`, or by whoever first asks whether it follows instructions.
    """

    def __init__(self, backend: Backend, weights: Path, trials: Trials) -> None:
        """Nothing is read or asked yet."""
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
                digest = self._trials.digest(self._weights)
                self._verdict = self._trials.verdict(digest)
                if self._verdict is None:
                    count = passed(self, progress)
                    self._trials.keep(digest, count)
                    self._verdict = count >= NEEDED
            return self._verdict
