"""arXiv through the `arxiv` package, whose client is given the guarded session.

The client keeps arXiv's rule of one request in three seconds itself, between the calls of one
client; so there is one client, used by one thread at a time.
"""

import importlib
import threading
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.deadline import exceeded, remaining
from veridic.sources.passages import Page, best_passages
from veridic.sources.terms import search_words
from veridic.sources.transport import guarded_session
from veridic.state import Passage

if TYPE_CHECKING:
    import arxiv
    import requests

SECONDS_BETWEEN = 3.0
"""arXiv's terms of use; a mirror of one's own is asked without a pause."""

_ATOM = b"http://www.w3.org/2005/Atom"


class ArxivSource:
    """Searches arXiv and gives abstracts, with authors and date."""

    name = "arxiv"

    def __init__(self, settings: Settings) -> None:
        """Ask the API at `settings.arxiv_url`."""
        self._settings = settings
        self._turn = threading.Lock()
        self._client: Any = None
        host = urlsplit(settings.arxiv_url).hostname or ""
        self._pause = SECONDS_BETWEEN if host == "arxiv.org" or host.endswith(".arxiv.org") else 0.0

    def search(self, query: str, *, limit: int, deadline: float) -> list[Passage]:
        """See `EvidenceSource`. Waits for its turn at arXiv, at most until the deadline."""
        words = search_words(query)
        if not words or limit < 1:
            return []
        if not self._turn.acquire(timeout=remaining(deadline, "arXiv")):
            raise exceeded("arXiv")
        try:
            pages = self._pages(words, limit, deadline)
        finally:
            self._turn.release()
        return best_passages(pages, query, source=self.name, limit=limit)

    def _pages(self, words: list[str], limit: int, deadline: float) -> list[Page]:
        arxiv = importlib.import_module("arxiv")
        client = self._client = self._client or arxiv.Client(num_retries=0)
        client.query_url_format = self._settings.arxiv_url.replace("{", "{{").replace("}", "}}") + "?{}"
        client.page_size = limit
        # A pause that would pass the deadline ends at it, and the session then refuses the request.
        client.delay_seconds = min(self._pause, remaining(deadline, "arXiv"))
        asked = arxiv.Search(query=" OR ".join(f"all:{word}" for word in words), max_results=limit)
        with guarded_session(self._settings, deadline) as session, border("arXiv", deadline):
            session.hooks["response"].append(_feed_only)
            client._session = session
            return [_page(result) for result in islice(client.results(asked), limit)]


def _feed_only(response: "requests.Response", **_: object) -> None:
    """Raise `ValueError` for an answer that is no feed; the client would read a bot wall as nothing found."""
    if not response.is_redirect and _ATOM not in response.content[:4096]:
        raise ValueError("no Atom feed")


def _page(result: "arxiv.Result") -> Page:
    """The abstract, and under it who wrote the paper and when."""
    authors = [author.name for author in result.authors]
    day = result.published.date().isoformat()
    abstract = " ".join(result.summary.split())
    byline = f"Authors: {', '.join(authors)}. Published: {day}." if authors else f"Published: {day}."
    first = f"{authors[0]} et al., " if len(authors) > 1 else f"{authors[0]}, " if authors else ""
    return Page(
        document_id=f"arxiv:{result.get_short_id()}",
        title=" ".join(result.title.split()),
        url=result.entry_id,
        text=f"{abstract}\n\n{byline}",
        location=f"abstract, {first}{day}",
    )
