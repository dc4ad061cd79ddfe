"""The documents that a retriever gave lately: what citations' offsets count in."""

import threading
from collections.abc import Sequence

from veridic.knowledge.retriever import Given

MOST = 4096
"""Documents that are known; the one that was given longest ago is forgotten first."""


class KnownTexts:
    """Documents by their ids; safe to call from several threads."""

    def __init__(self) -> None:
        self._given: dict[str, Given] = {}
        self._lock = threading.Lock()

    def keep(self, given: Sequence[Given]) -> None:
        """Take documents for the ones given last."""
        with self._lock:
            for one in given:
                self._given.pop(one.id, None)
                self._given[one.id] = one
            for oldest in list(self._given)[: max(0, len(self._given) - MOST)]:
                del self._given[oldest]

    def of(self, identifier: str) -> Given | None:
        """The document with this id; None when it was not given, or is forgotten."""
        with self._lock:
            return self._given.get(identifier)
