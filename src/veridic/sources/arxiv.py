"""arXiv through the `arxiv` package, whose client is given the guarded session.

arXiv's terms of use ask for one request in three seconds and one connection at a time; the guard
keeps the pause, a lock the connection.
"""

import importlib
import threading
from itertools import islice
from typing import TYPE_CHECKING

from veridic.ports.sources import Found
from veridic.runtime.deadline import exceeded, remaining
from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.passages import Page, best_passages, search_words
from veridic.sources.transport import guarded_session

if TYPE_CHECKING:
    import arxiv
    import requests

PAUSES = {"arxiv.org": 3.0}
"""https://info.arxiv.org/help/api/tou.html"""

_ATOM = b"http://www.w3.org/2005/Atom"


class ArxivSource:
    """Searches arXiv and gives abstracts, with authors and date."""

    name = "arxiv"

    def __init__(self, settings: Settings) -> None:
        """Ask the API at `settings.arxiv_url`."""
        self._settings = settings
        self.address = settings.arxiv_url
        self._turn = threading.Lock()

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. Waits for its turn at arXiv, at most until the deadline."""
        words = search_words(query)
        if not words or limit < 1:
            return Found([], [])
        if not self._turn.acquire(timeout=remaining(deadline, "arXiv")):
            raise exceeded("arXiv")
        try:
            pages = self._read(" OR ".join(f"all:{word}" for word in words), limit, deadline)
        finally:
            self._turn.release()
        return best_passages(pages, query, source=self.name, limit=limit)

    def _read(self, query: str, limit: int, deadline: float) -> list[Page]:
        """The papers that arXiv finds."""
        arxiv = importlib.import_module("arxiv")
        client = arxiv.Client(page_size=limit, delay_seconds=0, num_retries=0)
        client.query_url_format = self.address.replace("{", "{{").replace("}", "}}") + "?{}"
        search = arxiv.Search(query=query, max_results=limit)
        with guarded_session(self._settings, deadline, PAUSES) as session, border("arXiv", deadline):
            session.hooks["response"].append(_feed_only)
            client._session = session
            return [_page(result) for result in islice(client.results(search), limit)]


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
