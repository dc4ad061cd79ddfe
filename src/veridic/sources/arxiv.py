"""arXiv through the `arxiv` package, whose client is given the guarded session.

arXiv's terms of use ask for one request in three seconds and one connection at a time; the guard
keeps the pause, a lock the connection.
"""

import importlib
import re
import threading
from itertools import islice
from typing import TYPE_CHECKING, Any

from veridic.errors import PageMissing
from veridic.ports.shapes import Passage
from veridic.ports.sources import Found
from veridic.runtime.deadline import exceeded, remaining
from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.passages import Page, all_passages, best_passages, search_words
from veridic.sources.transport import guarded_session

if TYPE_CHECKING:
    import arxiv
    import requests

PAUSES = {"arxiv.org": 3.0}
"""https://info.arxiv.org/help/api/tou.html"""

LICENCE = "CC0 1.0"
"""Of the abstracts and their descriptions (https://info.arxiv.org/help/api/tou.html); not of the papers."""

_ID = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+/\d{7})(v\d+)?")
"""https://info.arxiv.org/help/arxiv_identifier.html"""

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
        pages = self._pages(limit, deadline, query=" OR ".join(f"all:{word}" for word in words))
        return best_passages(pages, query, source=self.name, limit=limit)

    def page(self, key: str, *, deadline: float) -> list[Passage]:
        """See `PageSource`; `key` is an identifier, with a version or without: then it is the newest."""
        identifier = _ID.fullmatch(key)
        if identifier is None:
            raise PageMissing("That is no arXiv identifier.", "Give one such as 1706.03762 or hep-th/9901001.")
        found = self._pages(1, deadline, id_list=[key])
        # an unknown number may be answered by an entry that tells of the error
        if not found or not found[0].document_id.startswith(f"arxiv:{identifier[1]}v"):
            raise PageMissing("arXiv has no paper of this number.", "See that it is written right.")
        return all_passages(found[0], source=self.name)

    def _pages(self, limit: int, deadline: float, **asked: Any) -> list[Page]:  # noqa: ANN401 - of `arxiv.Search`
        """The papers that `arxiv.Search` finds for a `query` or an `id_list`, when it is this source's turn."""
        if not self._turn.acquire(timeout=remaining(deadline, "arXiv")):
            raise exceeded("arXiv")
        try:
            return self._read(limit, deadline, **asked)
        finally:
            self._turn.release()

    def _read(self, limit: int, deadline: float, **asked: Any) -> list[Page]:  # noqa: ANN401 - of `arxiv.Search`
        arxiv = importlib.import_module("arxiv")
        client = arxiv.Client(page_size=limit, delay_seconds=0, num_retries=0)
        client.query_url_format = self.address.replace("{", "{{").replace("}", "}}") + "?{}"
        search = arxiv.Search(max_results=limit, **asked)
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
        licence=LICENCE,
    )
