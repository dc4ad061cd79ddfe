"""Wikipedia, or any other MediaWiki, through the `wikipedia` package.

The package keeps its API address, its HTTP library, its user agent and an unbounded cache in
module globals, and takes neither a session nor a timeout. Each search therefore runs in a copy of
that module of its own, in which the guarded session stands where `requests` stood: nothing is
shared between runs or with other users of the package, and no request goes round the guard.
"""

import importlib.util
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from veridic.errors import DeadlineExceeded, PageMissing, SourceError, SourceUnavailable
from veridic.ports.shapes import Discarded, Passage
from veridic.ports.sources import Found
from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.passages import Page, all_passages, best_passages, ranked, search_words
from veridic.sources.transport import guarded_session

if TYPE_CHECKING:
    import requests

PAUSES = {"wikipedia.org": 0.1, "wikimedia.org": 0.1}
"""No rate is published; Wikimedia asks for one request after the other (mediawiki.org/wiki/API:Etiquette)."""

PAGES = 3
"""Pages read for one query; each costs two requests."""

LICENCE = "CC BY-SA 4.0"
"""Of Wikipedia's texts (https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use); other wikis have their own."""

OPTIONS = 12
"""Options told of a title that may mean several pages."""

_NO_TITLE = re.compile(r"[#<>\[\]{}|\x00-\x1f\x7f\ud800-\udfff]")
_LONGEST_TITLE = 255
"""Bytes (mediawiki.org/wiki/Manual:Page_title)."""


class WikipediaSource:
    """Searches a MediaWiki and gives the sections that fit, not the summary alone."""

    name = "wikipedia"

    def __init__(self, settings: Settings) -> None:
        """Ask the API at `settings.wikipedia_url`."""
        self._settings = settings
        self.address = settings.wikipedia_url

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. Pages already read are used when a later one cannot be had."""
        words = search_words(query)
        if not words or limit < 1:
            return Found([], [])
        with guarded_session(self._settings, deadline, PAUSES) as session:
            reader = _Reader(_private_client(session, self.address), deadline)
            pages = list(reader.pages(words))
        found = best_passages(pages, query, source=self.name, limit=limit)
        return replace(found, discarded=[*found.discarded, *reader.unread], complete=not reader.unread)

    def page(self, key: str, *, deadline: float) -> list[Passage]:
        """See `PageSource`; `key` is a title, redirects are followed."""
        title = " ".join(key.split())
        if not title or _NO_TITLE.search(title) or len(title.encode()) > _LONGEST_TITLE:
            raise PageMissing("That is no title of a Wikipedia page.", "Give one as it stands above the page.")
        with guarded_session(self._settings, deadline, PAUSES) as session:
            page = _Reader(_private_client(session, self.address), deadline).named(title)
        return all_passages(page, source=self.name)


class _Reader:
    """One search and the pages it leads to."""

    def __init__(self, client: ModuleType, deadline: float) -> None:
        self._client = client
        self._deadline = deadline
        self._seen: set[str] = set()
        self.unread: list[Discarded] = []
        """The page at which the wiki broke off."""

    def pages(self, words: list[str]) -> Iterator[Page]:
        """The pages found, in the order of the search."""
        for title in self._titles(words):
            try:
                page = self._page(title, words)
            except (SourceError, DeadlineExceeded) as error:
                if not self._seen:
                    raise
                self.unread.append(Discarded(source="wikipedia", url=title, reason=f"not read: {error.problem}"))
                return
            if page is not None and page.document_id not in self._seen:
                self._seen.add(page.document_id)
                yield page

    def named(self, title: str) -> Page:
        """The page of this title; raises `PageMissing` when there is none or the title may mean several."""
        try:
            return self._load(title)
        except self._client.DisambiguationError as found:
            options = ["".join(filter(str.isprintable, option)) for option in found.options]
            listed = "; ".join(options[:OPTIONS]) + ("; …" if len(options) > OPTIONS else "")
            raise PageMissing(f"On Wikipedia this may mean: {listed}.", "Name one of them.") from found
        except self._client.PageError as error:
            raise PageMissing("Wikipedia has no page of this title.", "See how it is written there.") from error

    def _titles(self, words: list[str]) -> list[str]:
        """Titles of pages with all the words, then, if they are too few, of pages with any."""
        found = self._search(" ".join(words))
        if len(found) < PAGES and len(words) > 1:
            found += self._search(" OR ".join(words))
        return list(dict.fromkeys(found))[:PAGES]

    def _search(self, text: str) -> list[str]:
        with _calls(self._client, self._deadline):
            return list(self._client.search(text, results=PAGES))

    def _page(self, title: str, words: list[str]) -> Page | None:
        """A page; of a disambiguation page the option that fits best; None when there is no such page."""
        try:
            return self._load(title)
        except self._client.DisambiguationError as found:
            best = ranked([(option, "") for option in found.options], words, limit=1) or [0]
            option = found.options[best[0]] if found.options else None
        except self._client.PageError:
            return None
        try:
            return self._load(option) if option else None
        except (self._client.DisambiguationError, self._client.PageError):
            return None

    def _load(self, title: str) -> Page:
        with _calls(self._client, self._deadline):
            page = self._client.page(title, auto_suggest=False)
            licence = LICENCE if is_wikipedia(str(page.url)) else ""
            return Page(f"wikipedia:{page.title}", str(page.title), str(page.url), str(page.content), licence=licence)


def is_wikipedia(url: str) -> bool:
    """Whether an address is one of Wikipedia's own."""
    return f".{urlsplit(url).hostname}".endswith(".wikipedia.org")


@contextmanager
def _calls(client: ModuleType, deadline: float) -> Iterator[None]:
    """The common border, and the package's own errors but the two that speak of a page."""
    try:
        with border("Wikipedia", deadline):
            yield
    except (client.PageError, client.DisambiguationError):
        raise
    except (client.WikipediaException, AssertionError) as error:
        raise SourceUnavailable("Wikipedia reports an error of its own.", "Try again later.") from error


def _private_client(session: "requests.Session", url: str) -> ModuleType:
    """A copy of the package's module that sends its requests through `session` to `url`."""
    from bs4 import BeautifulSoup

    spec = importlib.util.find_spec("wikipedia.wikipedia")
    if spec is None or spec.loader is None:
        raise SourceUnavailable("The package `wikipedia` is broken.", "Install it again: pip install wikipedia.")
    client = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(client)
    # The package names no parser to Beautiful Soup, which warns of that.
    soup = partial(BeautifulSoup, features="html.parser")
    vars(client).update(API_URL=url, requests=session, BeautifulSoup=soup)
    return client
