"""Outside places that are searched, or whose pages are asked for by name, and pages at an address."""

from dataclasses import dataclass
from typing import Protocol

from veridic.ports.shapes import Discarded, Passage


@dataclass(frozen=True)
class Found:
    """What a source gave for a query."""

    passages: list[Passage]
    """Best first, `kind` outside, `score` None."""
    discarded: list[Discarded]
    """Pages that are no evidence: walls, consent forms, errors, empty ones."""
    cached: bool = False
    """Whether an earlier answer was given again, and nothing left this machine."""
    complete: bool = True
    """False when the source broke off and this is what it had said by then."""


@dataclass(frozen=True)
class FetchedPage:
    """What stands at an address."""

    content: bytes
    media_type: str
    """As the server says, without parameters; empty when it does not."""


class EvidenceSource(Protocol):
    """An outside place to search."""

    @property
    def name(self) -> str:
        """As the settings name it: a `veridic.context.SourceName`."""

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """At most `limit` passages for a query, none when nothing was found; and the pages left out.

        Raises `SourceUnavailable`, `SourceRefused`, `AddressForbidden` or `DeadlineExceeded`.
        """


class PageSource(Protocol):
    """An outside place whose pages can be asked for by name."""

    @property
    def name(self) -> str:
        """As the settings name it: a `veridic.context.SourceName`."""

    def page(self, key: str, *, deadline: float) -> list[Passage]:
        """Every passage of the page that `key` names, in order; at least one.

        Raises `PageMissing` when there is no such page or `key` may mean several, and what `EvidenceSource.search`
        raises; `SourceRefused` also for a page that is no evidence.
        """
