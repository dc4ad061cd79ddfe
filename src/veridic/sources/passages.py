"""From whole pages to the passages that fit a query best."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

from veridic.errors import SourceRefused
from veridic.ports.shapes import Discarded, Passage
from veridic.ports.sources import Found
from veridic.sources.faults import fault
from veridic.text.facts import words
from veridic.text.headings import BLANK_LINE
from veridic.text.hidden import clean
from veridic.text.questions import keywords
from veridic.text.sentences import windows

PASSAGE_WORDS = 180
MAX_CHARACTERS = 300
"""Of a query: MediaWiki refuses longer searches; the others have no use for them."""
_LONGEST_WORD = 64
_TITLE_WEIGHT = 2.0
PAGE_CHARACTERS = 1_000_000
"""What comes later in a page is not read."""
_WORD = re.compile(r"\S+")
_HEADING = re.compile(r"^(={2,6})[ \t]*([^=\n].*?)[ \t]*\1[ \t]*$", re.MULTILINE)
_NOT_PROSE = frozenset(("references", "external links", "see also", "further reading", "notes", "bibliography"))


@dataclass(frozen=True)
class Page:
    """A document of an outside source; `text` is what offsets count in, `== Headings ==` and all.

    Whatever is given, nothing in it is hidden (see `text.hidden`), and title and location are one line.
    """

    document_id: str
    title: str
    url: str
    text: str
    location: str = ""
    """For people; empty: the heading above the passage, or the number of its paragraph."""
    licence: str = ""
    """Its licence, which is told with the place; empty: not known."""

    def __post_init__(self) -> None:
        """Clean every text."""
        for name, given in vars(self).items():
            told = clean(given)
            object.__setattr__(self, name, told if name == "text" else " ".join(told.split()))


def search_words(query: str) -> list[str]:
    """The words of a query that are worth searching for, `MAX_CHARACTERS` together; empty when it has none.

    Quotation marks, `intitle:`, `*`, `-` and the like do not survive, so no query can be an operator.
    """
    chosen = [word for word in keywords(query) or words(query) if len(word) <= _LONGEST_WORD and word.strip("_")]
    kept, room = list[str](), MAX_CHARACTERS
    for word in chosen:
        room -= len(word) + 1
        if room < 0:
            break
        kept.append(word)
    return kept


def ranked(rows: Sequence[tuple[str, str]], asked: Sequence[str], *, limit: int) -> list[int]:
    """Positions of the (title, text) rows that hold any of the words, best first by bm25 over English stems."""
    if not asked:
        return []
    query = " OR ".join('"' + word.replace('"', "") + '"' for word in asked)
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE texts USING fts5(title, body, tokenize='porter unicode61')")
        numbered = ((position, title, body) for position, (title, body) in enumerate(rows))
        database.executemany("INSERT INTO texts(rowid, title, body) VALUES (?, ?, ?)", numbered)
        best = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, ?, 1.0), rowid LIMIT ?"
        return [int(row[0]) for row in database.execute(best, (query, _TITLE_WEIGHT, limit))]


def best_passages(pages: Sequence[Page], query: str, *, source: str, limit: int) -> Found:
    """At most `limit` passages of at most `PASSAGE_WORDS` words, best first by bm25.

    Pages that are no evidence (see `faults.fault`) are discarded. When no word of the query stands
    anywhere, the pages' first passages are given.
    """
    judged = [(page, fault(page.title, page.text)) for page in pages]
    discarded = [Discarded(source=source, url=page.url, reason=reason) for page, reason in judged if reason]
    found = [passage for page, reason in judged if not reason for passage in _cut(page, source, query)]
    rows = [(f"{passage['title']} {passage['heading']}", passage["text"]) for passage in found]
    best = ranked(rows, search_words(query), limit=limit)
    return Found([found[position] for position in best] or found[:limit], discarded)


def all_passages(page: Page, *, source: str) -> list[Passage]:
    """Every passage of a page, cut as `best_passages` cuts, in order.

    Raises `SourceRefused` when the page is no evidence (see `faults.fault`).
    """
    found = list(_cut(page, source, page.title))
    reason = fault(page.title, page.text) or ("" if found else "empty page")
    if reason:
        raise SourceRefused(f"What stands at {page.url} is no evidence ({reason}).", "Look at it in a browser.")
    return found


def _cut(page: Page, source: str, query: str) -> Iterator[Passage]:
    """The passages of a page, in order, each under one heading."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    for heading, start, end in _sections(page.text[:PAGE_CHARACTERS]):
        for span in windows(page.text[start:end], most=PASSAGE_WORDS, words=PASSAGE_WORDS):
            for first, last in _pieces(span.text):
                at = start + span.start
                paragraph = f"paragraph {len(BLANK_LINE.findall(page.text[: at + first])) + 1}"
                place = page.location or heading.rpartition(" > ")[2] or paragraph
                yield Passage(
                    id=f"{page.document_id}#{at + first}-{at + last}",
                    document_id=page.document_id,
                    kind="outside",
                    source=source,
                    title=page.title,
                    heading=heading,
                    url=page.url,
                    location=", ".join(filter(None, (place, page.licence))),
                    text=span.text[first:last],
                    start=at + first,
                    end=at + last,
                    retrieved_at=now,
                    found_by=query,
                    score=None,
                )


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where a text begins and ends, or, when it is one endless sentence (a menu, a list of names), cuts of it."""
    marks = [match.span() for match in _WORD.finditer(text)]
    for first in range(0, len(marks), PASSAGE_WORDS):
        yield marks[first][0], marks[min(first + PASSAGE_WORDS, len(marks)) - 1][1]


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
