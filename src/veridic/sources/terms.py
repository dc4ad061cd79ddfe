"""How a source may be asked: what each source's own file states of itself, and a source held to it."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from veridic.errors import VeridicError
from veridic.ports.shapes import Passage
from veridic.ports.sources import EvidenceSource, Found, PageSource

_T = TypeVar("_T")


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


class TermedPageSource(PageSource, TermedSource, Protocol):
    """One of these whose pages can be asked for by name."""


_Source = TypeVar("_Source", bound=TermedSource)


class HeldToTerms(Generic[_Source]):
    """A source that keeps its terms, whoever asks."""

    def __init__(self, source: _Source) -> None:
        """Hold `source` to `source.terms`."""
        self._source = source
        self.name = source.name

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. Ends earlier and gives less than asked where the terms say so.

        When no attempt succeeds, what the first one met is raised.
        """
        terms = self._source.terms
        limit = min(limit, terms.results)
        return _asked(terms, deadline, lambda until: self._source.search(query, limit=limit, deadline=until))

    def page(self: "HeldToTerms[TermedPageSource]", key: str, *, deadline: float) -> list[Passage]:
        """See `PageSource` and `search`."""
        return _asked(self._source.terms, deadline, lambda until: self._source.page(key, deadline=until))


def _asked(terms: Terms, deadline: float, ask: Callable[[float], _T]) -> _T:
    """What `ask`, given its deadline, answers in one of the attempts."""
    until = min(deadline, time.time() + terms.seconds)
    try:
        return ask(until)
    except VeridicError as error:
        for _ in range(terms.attempts - 1 if error.retryable else 0):
            with suppress(VeridicError):
                return ask(until)
        raise
