"""The web through Tavily; `tavily-python` takes the guarded session as it is."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veridic.errors import MissingKey, SourceRefused, SourceUnavailable
from veridic.ports.shapes import Discarded
from veridic.ports.sources import Found
from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.faults import fault, main_text
from veridic.sources.passages import Page, best_passages
from veridic.sources.transport import guarded_session

if TYPE_CHECKING:
    import requests
    import tavily

PAUSES = {"tavily.com": 0.6}
"""A hundred requests a minute with a development key (docs.tavily.com/documentation/rate-limits)."""

KEYLESS = "keyless"
"""Given as the key, it asks for Tavily's mode without one."""

MAX_CHARACTERS = 400
"""Tavily refuses longer queries."""
_MOST_RESULTS = 20
_SCHEMES = ("http://", "https://")


class TavilySource:
    """Searches the web and gives the passages of the pages found."""

    name = "web"

    def __init__(self, settings: Settings) -> None:
        """Ask the API at `settings.tavily_url` with a key of the settings or of `TAVILY_API_KEY`.

        Raises `MissingKey`; Tavily's mode without a key is used only when the key is `KEYLESS`.
        """
        own = settings.tavily_api_key
        self._key = (own.get_secret_value() if own else os.environ.get("TAVILY_API_KEY", "")).strip()
        self._settings = settings
        self.address = settings.tavily_url.rstrip("/")
        if not self._key:
            raise MissingKey(
                "Searching the web needs a Tavily key.",
                "Set VERIDIC_TAVILY_API_KEY or TAVILY_API_KEY; to `keyless` for Tavily's limited mode without one.",
            )

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. The query goes out as it is: Tavily searches by meaning."""
        asked = " ".join(query.split()).encode(errors="ignore").decode()[:MAX_CHARACTERS]
        if not any(character.isalnum() for character in asked) or limit < 1:
            return Found([], [])
        try:
            results = self._ask(asked, limit, deadline)
        except SourceRefused as refusal:
            raise SourceRefused(refusal.problem, "Check the Tavily key and what its plan allows.") from refusal
        pages = [_page(result) for result in results]
        openable = [page for page in pages if page.url.startswith(_SCHEMES)]
        odd = [page.url for page in pages if page not in openable]
        refused = [Discarded(source=self.name, url=url, reason="not a web address") for url in odd]
        found = best_passages(openable, query, source=self.name, limit=limit)
        return Found(found.passages, [*found.discarded, *refused])

    def _ask(self, query: str, limit: int, deadline: float) -> list[Any]:
        with guarded_session(self._settings, deadline, PAUSES) as session, border("Tavily", deadline):
            most = min(limit, _MOST_RESULTS)
            answer = self._client(session).search(query, max_results=most, include_raw_content="text")
            if "error" in answer:
                raise SourceUnavailable("Tavily reports an error of its own.", "Try again later.")
            return list(answer["results"])

    def _client(self, session: "requests.Session") -> "tavily.TavilyClient":
        import tavily

        if self._key != KEYLESS:
            return tavily.TavilyClient(self._key, api_base_url=self.address, session=session)
        # A client that is given a session is never keyless; so the session gets the client's headers afterwards.
        client = tavily.TavilyClient("", api_base_url=self.address)
        client.session.close()
        client.session = session
        session.headers.update(client.headers)
        return client


def _page(result: object) -> Page:
    """A result as a page; the excerpt stands in for a page that is no evidence, if it is any itself."""
    url, title = _text(result, "url"), _text(result, "title")
    whole, excerpt = main_text(_text(result, "raw_content")), _text(result, "content")
    text = excerpt if fault(title, whole) and not fault(title, excerpt) else whole
    return Page(f"web:{url}", title, url, text)


def _text(result: object, name: str) -> str:
    value = result.get(name) if isinstance(result, Mapping) else None
    return value if isinstance(value, str) else ""
