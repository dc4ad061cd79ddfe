"""From whole pages to the passages that fit a query best."""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

from veridic.sources.lexical import LexicalIndex
from veridic.sources.page import fault
from veridic.sources.terms import search_words
from veridic.state import Passage
from veridic.text.sentences import Span, windows

_LOG = logging.getLogger(__name__)

PASSAGE_WORDS = 180
_HEADING = re.compile(r"^(={2,6})[ \t]*([^=\n].*?)[ \t]*\1[ \t]*$", re.MULTILINE)
_BLANK = re.compile(r"\n\s*\n")
_NOT_PROSE = frozenset(("references", "external links", "see also", "further reading", "notes", "bibliography"))


@dataclass(frozen=True)
class Page:
    """A document of an outside source; `text` is what offsets count in, `== Headings ==` and all."""

    document_id: str
    title: str
    url: str
    text: str
    location: str = ""
    """For people; empty: the heading above the passage, or the number of its paragraph."""


@dataclass(frozen=True)
class _Window:
    page: Page
    heading: str
    span: Span

    @property
    def head(self) -> str:
        """Title and headings, as they are searched."""
        return f"{self.page.title} {self.heading}"


def best_passages(pages: Sequence[Page], query: str, *, source: str, limit: int) -> list[Passage]:
    """At most `limit` passages of at most about `PASSAGE_WORDS` words, best first by bm25.

    Pages that are no evidence (see `page.fault`) are left out and logged. When no word of the
    query stands anywhere, the pages' first passages are given.
    """
    sound = [page for page in pages if _is_sound(page, source)]
    found = [window for page in sound for window in _windows(page)]
    with closing(LexicalIndex((window.head, window.span.text) for window in found)) as index:
        ranked = index.search(search_words(query), limit=limit)
    chosen = [found[position] for position in ranked] or found[:limit]
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [_passage(window, source=source, query=query, now=now) for window in chosen]


def _is_sound(page: Page, source: str) -> bool:
    reason = fault(page.title, page.text)
    if reason:
        _LOG.info("%s: %s discarded: %s", source, page.url, reason)
    return reason is None


def _windows(page: Page) -> Iterator[_Window]:
    for heading, start, end in _sections(page.text):
        for span in windows(page.text[start:end], most=PASSAGE_WORDS, words=PASSAGE_WORDS):
            yield _Window(page, heading, Span(span.text, start + span.start, start + span.end))


def _sections(text: str) -> Iterator[tuple[str, int, int]]:
    """Headings (outermost first, joined by ` > `) with the offsets of the text under them."""
    above: list[tuple[int, str]] = []
    start = 0
    for mark in [*_HEADING.finditer(text), None]:
        if not any(name.lower() in _NOT_PROSE for _, name in above):
            yield " > ".join(name for _, name in above), start, mark.start() if mark else len(text)
        if mark:
            level = len(mark.group(1))
            above = [*((depth, name) for depth, name in above if depth < level), (level, mark.group(2))]
            start = mark.end()


def _passage(window: _Window, *, source: str, query: str, now: str) -> Passage:
    page, span = window.page, window.span
    return Passage(
        id=f"{page.document_id}#{span.start}-{span.end}",
        document_id=page.document_id,
        kind="outside",
        source=source,
        title=page.title,
        heading=window.heading,
        url=page.url,
        location=page.location or window.heading.rpartition(" > ")[2] or _paragraph(page.text, span.start),
        text=span.text,
        start=span.start,
        end=span.end,
        retrieved_at=now,
        found_by=query,
        score=None,
    )


def _paragraph(text: str, start: int) -> str:
    return f"paragraph {len(_BLANK.findall(text[:start])) + 1}"
