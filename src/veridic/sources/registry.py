"""Which sources there are. To add one: its file, its name in `context.SOURCE_NAMES`, its line here."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from veridic.errors import InvalidSetting, VeridicError
from veridic.ports.sources import EvidenceSource, Found, PageSource
from veridic.runtime.kept import Keeping, Kept
from veridic.settings import Settings
from veridic.sources.address import AddressPolicy
from veridic.sources.arxiv import ArxivSource
from veridic.sources.cached import CachedSource
from veridic.sources.community import CommunityRetriever, retriever_source
from veridic.sources.tavily import TavilySource
from veridic.sources.wikipedia import WikipediaSource

SECONDS = 20.0
"""Longest wait for one search, its second attempt and its turns included."""


PlacedSource = WikipediaSource | ArxivSource | TavilySource | CommunityRetriever
"""An evidence source that says whom it asks: a cached answer belongs to one `address`."""

OPENERS: Mapping[str, Callable[[Settings], PlacedSource]] = {
    "wikipedia": WikipediaSource,
    "arxiv": ArxivSource,
    "web": TavilySource,
}
"""What opens each source; nothing is sent and no client is imported until it is searched."""

PAGE_OPENERS: Mapping[str, Callable[[Settings], PageSource]] = {"wikipedia": WikipediaSource, "arxiv": ArxivSource}
"""Those of them whose pages can be asked for by name."""

CACHE = Path("sources")
"""Under `settings.cache`."""


def open_sources(settings: Settings, kept: Keeping | None = None) -> tuple[dict[str, EvidenceSource], dict[str, str]]:
    """The sources that `settings` allow, in their order: those that can be used, and why the others cannot.

    What they find is kept in `kept`, unless given in files under `settings.cache`.
    Raises `InvalidSetting` when `allow_hosts` holds something that is no pair of host and port, or when
    langchain-community has no retriever of a class that is named.
    """
    AddressPolicy(settings.allow_hosts)
    usable: dict[str, EvidenceSource] = {}
    unusable: dict[str, str] = {}
    for name in settings.sources:
        try:
            source = OPENERS[name](settings) if name in OPENERS else retriever_source(name)
            usable[name] = _dressed(source, settings, kept)
        except InvalidSetting:
            raise
        except VeridicError as error:
            unusable[name] = str(error)
    return usable, unusable


class PatientSource:
    """A source that is asked once more where that may help, and not for long."""

    def __init__(self, source: EvidenceSource) -> None:
        self._source = source
        self.name = source.name

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. When no attempt succeeds, what the first one met is raised."""
        until = min(deadline, time.time() + SECONDS)
        ask = partial(self._source.search, query, limit=limit, deadline=until)
        try:
            return ask()
        except VeridicError as error:
            if error.retryable:
                with suppress(VeridicError):
                    return ask()
            raise


def _dressed(source: PlacedSource, settings: Settings, kept: Keeping | None) -> EvidenceSource:
    """A source that is asked with patience, and cached unless the settings forbid it."""
    held = PatientSource(source)
    if not settings.cache_hours:
        return held
    place = (settings.namespace, source.name, source.address)
    return CachedSource(held, kept or Kept(settings.cache / CACHE), seconds=settings.cache_hours * 3600, place=place)
