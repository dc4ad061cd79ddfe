"""A source whose answers are kept for a while.

Passages are kept, not responses: what was judged to be no evidence is not asked for again as such,
the time of retrieval stays the true one, and no key or header comes near the file.
"""

from collections.abc import Sequence
from dataclasses import replace

from veridic.ports.shapes import Passage
from veridic.ports.sources import EvidenceSource, Found
from veridic.runtime.deadline import remaining
from veridic.sources.answers import Answers
from veridic.text.questions import is_time_sensitive


class CachedSource:
    """Asks a source once for the same query, until the answer expires."""

    def __init__(self, source: EvidenceSource, answers: Answers, *, place: Sequence[str]) -> None:
        """`place` says whose answers these are: namespace, source and address, so that none meets another's."""
        self._source = source
        self._answers = answers
        self._place = tuple(place)
        self.name = source.name

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. A query about the present is always asked anew.

        Failures and what a failure broke off are not kept, nor is an answer without a passage: a wall may be
        gone the next minute.
        """
        remaining(deadline, self.name)
        if is_time_sensitive(query):
            return self._source.search(query, limit=limit, deadline=deadline)
        key = (*self._place, query, str(limit))
        kept = self._answers.read(key)
        if kept:
            return replace(kept, passages=_found_by(query, kept.passages), cached=True)
        found = self._source.search(query, limit=limit, deadline=deadline)
        if found.passages and found.complete:
            # The file holds what a source said, not what was asked.
            self._answers.write(key, replace(found, passages=_found_by("", found.passages)))
        return found


def _found_by(query: str, passages: list[Passage]) -> list[Passage]:
    return [Passage(**{**passage, "found_by": query}) for passage in passages]
