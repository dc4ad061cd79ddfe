"""Which sources there are. To add one: its file, its name in `context.SOURCE_NAMES`, its line here."""

from collections.abc import Callable, Mapping
from pathlib import Path

from veridic.errors import InvalidSetting, VeridicError
from veridic.ports.sources import EvidenceSource
from veridic.settings import Settings
from veridic.sources.address import AddressPolicy
from veridic.sources.arxiv import ArxivSource
from veridic.sources.cached import CachedSource
from veridic.sources.community import retriever_source
from veridic.sources.tavily import TavilySource
from veridic.sources.terms import HeldToTerms, TermedSource
from veridic.sources.wikipedia import WikipediaSource

OPENERS: Mapping[str, Callable[[Settings], TermedSource]] = {
    "wikipedia": WikipediaSource,
    "arxiv": ArxivSource,
    "web": TavilySource,
}
"""What opens each source; nothing is sent and no client is imported until it is searched."""

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


def _dressed(source: TermedSource, settings: Settings) -> EvidenceSource:
    """A source held to its terms, and cached unless the settings forbid it."""
    held = HeldToTerms(source)
    if not settings.cache_hours:
        return held
    place = (settings.namespace, source.name, source.address)
    return CachedSource(held, settings.cache / CACHE, seconds=settings.cache_hours * 3600, place=place)
