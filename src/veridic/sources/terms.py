"""How a source may be asked: what each source's own file states of itself, and a source held to it."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from veridic.errors import VeridicError
from veridic.ports.sources import EvidenceSource, Found


@dataclass(frozen=True)
class Terms:
    """The terms of one source."""

    seconds: float = 20.0
    """Longest wait for one search, its further attempts and its turns included."""
    results: int = 5
    """Most passages taken for one query."""
    attempts: int = 2
    """How often a search is made whose failure says that asking again may help."""
    pauses: Mapping[str, float] = field(default_factory=dict)
    """Seconds between two requests to a domain or its subdomains; elsewhere (one's own mirror) there is no pause."""


COMMON = Terms()
"""Of a source that states none."""


class TermedSource(EvidenceSource, Protocol):
    """An evidence source that states its terms."""

    @property
    def terms(self) -> Terms:
        """How it may be asked."""
        ...

    @property
    def address(self) -> str:
        """The API it asks; a cached answer belongs to one address."""
        ...


class HeldToTerms:
    """A source that keeps its terms, whoever asks."""

    def __init__(self, source: TermedSource) -> None:
        """Hold `source` to `source.terms`."""
        self._source = source
        self.name = source.name

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. Ends earlier and gives less than asked where the terms say so.

        When no attempt succeeds, what the first one met is raised.
        """
        terms = self._source.terms
        until = min(deadline, time.time() + terms.seconds)
        ask = partial(self._source.search, query, limit=min(limit, terms.results), deadline=until)
        try:
            return ask()
        except VeridicError as error:
            for _ in range(terms.attempts - 1 if error.retryable else 0):
                with suppress(VeridicError):
                    return ask()
            raise
