"""The web through Tavily; `tavily-python` takes the guarded session as it is."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from veridic.errors import MissingKey, SourceRefused
from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.page import fault
from veridic.sources.passages import Page, best_passages
from veridic.sources.transport import guarded_session
from veridic.state import Passage

MAX_CHARACTERS = 400
"""Tavily refuses longer queries."""
_MOST_RESULTS = 20


class TavilySource:
    """Searches the web and gives the passages of the pages found."""

    name = "web"

    def __init__(self, settings: Settings) -> None:
        """Ask the API at `settings.tavily_url` with a key of the settings or of `TAVILY_API_KEY`.

        Raises `MissingKey`; Tavily's mode without a key is not used.
        """
        own = settings.tavily_api_key
        self._key = (own.get_secret_value() if own else os.environ.get("TAVILY_API_KEY", "")).strip()
        self._settings = settings
        if not self._key:
            raise MissingKey("Searching the web needs a Tavily key.", "Set VERIDIC_TAVILY_API_KEY or TAVILY_API_KEY.")

    def search(self, query: str, *, limit: int, deadline: float) -> list[Passage]:
        """See `EvidenceSource`. The query goes out as it is: Tavily searches by meaning."""
        asked = " ".join(query.split()).encode(errors="ignore").decode()[:MAX_CHARACTERS]
        if not any(character.isalnum() for character in asked) or limit < 1:
            return []
        try:
            found = self._ask(asked, limit, deadline)
        except SourceRefused as refusal:
            raise SourceRefused(refusal.problem, "Check the Tavily key and what its plan allows.") from refusal
        return best_passages(list(_pages(found)), query, source=self.name, limit=limit)

    def _ask(self, query: str, limit: int, deadline: float) -> list[Any]:
        from tavily import TavilyClient

        with guarded_session(self._settings, deadline) as session, border("Tavily", deadline):
            client = TavilyClient(self._key, api_base_url=self._settings.tavily_url.rstrip("/"), session=session)
            answer = client.search(query, max_results=min(limit, _MOST_RESULTS), include_raw_content="text")
            return list(answer["results"])


def _pages(results: list[Any]) -> Iterator[Page]:
    """What can be opened and read; the excerpt stands in for a page that is no evidence."""
    for result in results:
        url = _text(result, "url")
        if url.startswith(("http://", "https://")):
            title, whole = _text(result, "title"), _text(result, "raw_content")
            text = _text(result, "content") if fault(title, whole) else whole
            yield Page(f"web:{url}", title, url, text)


def _text(result: object, name: str) -> str:
    value = result.get(name) if isinstance(result, Mapping) else None
    return value if isinstance(value, str) else ""
