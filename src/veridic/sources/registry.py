"""Which sources there are. To add one: its file, its name in `context.SourceName`, its line here."""

from collections.abc import Callable, Mapping

from veridic.context import SourceName
from veridic.errors import VeridicError
from veridic.protocols import EvidenceSource
from veridic.settings import Settings
from veridic.sources.address import AddressPolicy
from veridic.sources.arxiv import ArxivSource
from veridic.sources.pubmed import pubmed_source
from veridic.sources.tavily import TavilySource
from veridic.sources.wikipedia import WikipediaSource

OPENERS: Mapping[SourceName, Callable[[Settings], EvidenceSource]] = {
    "wikipedia": WikipediaSource,
    "arxiv": ArxivSource,
    "web": TavilySource,
    "pubmed": pubmed_source,
}
"""What opens each source; nothing is sent and no client is imported until it is searched."""


def open_sources(settings: Settings) -> tuple[dict[str, EvidenceSource], dict[str, str]]:
    """The sources that `settings` allow, in their order: those that can be used, and why the others cannot.

    Raises `InvalidSetting` when `allow_hosts` holds something that is no pair of host and port.
    """
    AddressPolicy(settings.allow_hosts)
    usable: dict[str, EvidenceSource] = {}
    unusable: dict[str, str] = {}
    for name in settings.sources:
        try:
            usable[name] = OPENERS[name](settings)
        except VeridicError as error:
            unusable[name] = str(error)
    return usable, unusable
