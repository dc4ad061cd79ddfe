"""The pages of the world, made from the rows of a JSONL corpus, and their ranking."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Self

from veridic.sources.lexical import LexicalIndex
from veridic.text.facts import words

Row = Mapping[str, Any]


@dataclass
class WorldPage:
    """A whole page: every row of one title, in the order of the file."""

    page_id: int
    """From 1, in the order of the corpus."""
    key: str
    """`id` of its first row."""
    title: str
    paragraphs: list[str] = field(default_factory=list)
    url: str = ""
    authors: list[str] = field(default_factory=list)
    published: str = "2020-01-01T00:00:00Z"
    may_refer_to: list[str] = field(default_factory=list)
    """Titles; when there are any, the page is a disambiguation page."""
    redirect_to: str = ""

    @property
    def text(self) -> str:
        """The paragraphs, an empty line between them."""
        return "\n\n".join(self.paragraphs)


class Corpus:
    """Pages by title and by number, searched with SQLite's bm25."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Take rows with `id`, `title` (the id stands in for it) and `text`.

        If wanted also `url`, `authors`, `published`, `may_refer_to`, `redirect_to`; see `WorldPage`. `places`
        is the world's (see `World`).
        """
        self.by_title: dict[str, WorldPage] = {}
        for row in rows:
            self._add(row)
        self.pages = list(self.by_title.values())
        self._searched = [page for page in self.pages if not page.redirect_to]
        self._index = LexicalIndex((page.title, page.text) for page in self._searched)

    def search(self, query: str, *, limit: int, offset: int = 0) -> list[WorldPage]:
        """Pages, best first: those with all the words, or with any when ` OR ` stands between them."""
        asked = [word for word in words(query.replace(" OR ", " ")) if word.strip("_")]
        found = self._index.search(asked, limit=offset + limit, need_all=" OR " not in query)
        return [self._searched[position] for position in found[offset:]]

    def with_last_words(self, text: str) -> Self:
        """The same pages, found by the same words, each with one more paragraph at its end."""
        twin = copy(self)
        twin.by_title = {
            title: replace(page, paragraphs=[*page.paragraphs, text]) for title, page in self.by_title.items()
        }
        twin.pages = list(twin.by_title.values())
        twin._searched = [page for page in twin.pages if not page.redirect_to]
        return twin

    def titled(self, title: str) -> WorldPage | None:
        """The page of a title as `normalized` writes it; redirects are not followed."""
        return self.by_title.get(title)

    def numbered(self, page_id: int) -> WorldPage | None:
        """The page of a number."""
        return self.pages[page_id - 1] if 0 < page_id <= len(self.pages) else None

    def _add(self, row: Row) -> None:
        key = str(row.get("id") or f"row-{len(self.by_title) + 1}")
        title = normalized(str(row.get("title") or key))
        page = self.by_title.get(title)
        if page is None:
            page = WorldPage(len(self.by_title) + 1, key, title, url=str(row.get("url") or ""))
            page.authors = list(row.get("authors") or [])
            page.published = str(row.get("published") or page.published)
            page.may_refer_to = list(row.get("may_refer_to") or [])
            page.redirect_to = normalized(str(row.get("redirect_to") or ""))
            self.by_title[title] = page
        page.paragraphs.append(str(row.get("text") or ""))


def normalized(title: str) -> str:
    """A title as MediaWiki writes it: spaces for underscores, a capital first."""
    plain = " ".join(title.replace("_", " ").split())
    return plain[:1].upper() + plain[1:]
