"""A source whose answers are kept for a while.

Passages are kept, not responses: what was judged to be no evidence is not asked for again as such,
the time of retrieval stays the true one, and no key or header comes near the files.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from veridic.ports.shapes import Passage
from veridic.ports.sources import EvidenceSource, Found
from veridic.runtime.deadline import remaining
from veridic.runtime.kept import Keeping
from veridic.text.questions import is_time_sensitive

MOST_ANSWERS = 2000
LONGEST_ANSWER = 100_000
"""Bytes; with `MOST_ANSWERS` it bounds the folder."""
_FORMAT = "2"
"""Part of every key: answers written in another shape are not found."""


class CachedSource:
    """Asks a source once for the same query, until the answer expires; safe in several threads and processes."""

    def __init__(
        self,
        source: EvidenceSource,
        kept: Keeping,
        *,
        seconds: float,
        place: Sequence[str],
        now: Callable[[], float] = time.time,
    ) -> None:
        """Keep answers for `seconds`.

        `place` says whose answers these are: namespace, source and address, so that none meets another's.
        """
        self._source = source
        self._kept = kept
        self._seconds = seconds
        self._place = tuple(place)
        self._now = now
        self.name = source.name

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. A query about the present is always asked anew.

        Failures and what a failure broke off are not kept, nor is an answer without a passage: a wall may be
        gone the next minute.
        """
        remaining(deadline, self.name)
        if is_time_sensitive(query):
            return self._source.search(query, limit=limit, deadline=deadline)
        key = hashlib.sha256(json.dumps([_FORMAT, *self._place, query, str(limit)]).encode()).hexdigest()
        if kept := self._answer(key, query):
            return kept
        found = self._source.search(query, limit=limit, deadline=deadline)
        if found.passages and found.complete:
            # The file holds what a source said, not what was asked.
            self._keep(key, replace(found, passages=_found_by("", found.passages)))
        return found

    def _answer(self, key: str, query: str) -> Found | None:
        """The answer that was kept, unless it has expired or is none."""
        kept, now = self._kept.read(key), self._now()
        try:
            # One from the future was written before the clock was set back: its age is not known.
            if not now - self._seconds < kept["written"] <= now:
                return None
            return Found(_found_by(query, kept["passages"]), kept["discarded"], cached=True)
        except (LookupError, TypeError):
            return None

    def _keep(self, key: str, found: Found) -> None:
        """Keep an answer; expired ones are removed, and the oldest where there are too many."""
        now = self._now()
        answer = {"written": now, "passages": found.passages, "discarded": found.discarded}
        if len(json.dumps(answer)) <= LONGEST_ANSWER:
            self._kept.keep(key, answer, now=now)
            self._kept.trim(MOST_ANSWERS, before=now - self._seconds)


def _found_by(query: str, passages: list[Passage]) -> list[Passage]:
    return [Passage(**{**passage, "found_by": query}) for passage in passages]
