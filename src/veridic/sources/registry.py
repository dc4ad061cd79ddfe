"""Which sources there are. To add one: its file, its name in `context.SOURCE_NAMES`, its line here."""

from collections.abc import Callable, Mapping
from pathlib import Path

from veridic.errors import InvalidSetting, VeridicError
from veridic.ports.sources import EvidenceSource, PageSource
from veridic.settings import Settings
from veridic.sources.address import AddressPolicy
from veridic.sources.arxiv import ArxivSource
from veridic.sources.cached import CachedSource
from veridic.sources.community import retriever_source
from veridic.sources.tavily import TavilySource
from veridic.sources.terms import HeldToTerms, TermedPageSource, TermedSource
from veridic.sources.wikipedia import WikipediaSource

OPENERS: Mapping[str, Callable[[Settings], TermedSource]] = {
    "wikipedia": WikipediaSource,
    "arxiv": ArxivSource,
    "web": TavilySource,
}
"""What opens each source; nothing is sent and no client is imported until it is searched."""

PAGE_OPENERS: Mapping[str, Callable[[Settings], TermedPageSource]] = {
    "wikipedia": WikipediaSource,
    "arxiv": ArxivSource,
}
"""Those of them whose pages can be asked for by name."""

CACHE = Path("sources")
"""Under `settings.cache`."""


def open_sources(settings: Settings) -> tuple[dict[str, EvidenceSource], dict[str, str]]:
    """The sources that `settings` allow, in their order: those that can be used, and why the others cannot.

    Raises `InvalidSetting` when `allow_hosts` holds something that is no pair of host and port, or when
    langchain-community has no retriever of a class that is named.
    """
    AddressPolicy(settings.allow_hosts)
    usable: dict[str, EvidenceSource] = {}
    unusable: dict[str, str] = {}
    for name in settings.sources:
        try:
            source = OPENERS[name](settings) if name in OPENERS else retriever_source(name)
            usable[name] = _dressed(source, settings)
        except InvalidSetting:
            raise
        except VeridicError as error:
            unusable[name] = str(error)
    return usable, unusable


def open_page_source(name: str, settings: Settings) -> PageSource:
    """A source of `PAGE_OPENERS`, held to its terms and never cached, allowed or not: the user names the page.

    Raises `InvalidSetting` as `open_sources` does.
    """
    AddressPolicy(settings.allow_hosts)
    return HeldToTerms(PAGE_OPENERS[name](settings))


def _dressed(source: TermedSource, settings: Settings) -> EvidenceSource:
    """A source held to its terms, and cached unless the settings forbid it."""
    held = HeldToTerms(source)
    if not settings.cache_hours:
        return held
    place = (settings.namespace, source.name, source.address)
    return CachedSource(held, settings.cache / CACHE, seconds=settings.cache_hours * 3600, place=place)
