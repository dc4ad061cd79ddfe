"""PDF: the text layer, page by page, wrapped lines joined and running headers left out; ruled tables as records."""

import io
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import pdf_tables
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from pypdf import PdfReader

FULL_LINE = 0.6
"""A line shorter than this share of the page's longest ends its paragraph."""

RUNNING_LINES = 4
"""So many lines at the top and at the bottom of a page may be a running header or footer."""

RUNNING_PAGES = 4
"""A line that stands there on as many pages, and on most of all pages, is one."""

TABLE = "\x01"
"""A line that stands for the next table; text has none, as it is cleaned."""

_HYPHENATED = re.compile(r"[^\W\d_]-$")
_NEW_LINE_MATTERS = re.compile(r"[-*•‣◦▪]\s|\(?\d{1,3}[.)]\s")
_GAP = re.compile(r"\n[ \t]*\n+")
_DOT_LEADER = re.compile(r"[ .]*\.{4,}[ .]*")
_NUMBER = re.compile(r"\d+")
_SENTENCE_END = re.compile(rf"(?:[.!?:;][\"'”’)\]]*|{TABLE})$")
_MADE_UP_TITLE = re.compile(r"^(?:Microsoft \w+ - |untitled.*$|\(anonymous\)$|about:blank$)", re.IGNORECASE)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


def read_pdf(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a PDF file. Raises `DocumentUnreadable`, and whatever pypdf raises on a corrupt one."""
    from pypdf import PdfReader

    # pypdf tells of each oddity of a file; the outcome is told once, by the report.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = PdfReader(io.BytesIO(content))
        _unlock(reader)
        read = list(_texts(reader, limits))
        pages = [_cleaned(text) for text, _ in read]
        title = _title(reader)
        scanned = sum(1 for page, text in zip(reader.pages, pages, strict=True) if not text.strip() and page.images)
        tables, missed = _put_tables(content, pages, [at for at, (_, ruled) in enumerate(read) if ruled], limits)
    unread = " ".join(filter(None, (_without_text(scanned), missed)))
    composer = Composer(limits)
    for text, rows, page in _with_rows(joined(without_running_lines(pages)), tables):
        at = [Place("page", number, number) for _, number in rows]
        composer.table([composer.cells(row) for row, _ in rows], at.__getitem__)
        composer.block(text, page)
    return replace(composer.finish(title), unread=unread)


def _put_tables(
    content: bytes, pages: list[str], ruled: Sequence[int], limits: FileLimits
) -> tuple[Iterator[pdf_tables.Rows], str]:
    """Put a line for each table of the ruled pages where it stands.

    The tables in order, and what is said of the pages that there was no time for.
    """
    found = pdf_tables.with_tables(content, ruled, seconds=pdf_tables.SHARE * limits.seconds) if ruled else {}
    for at, (texts, tables) in found.items():
        if tables:
            pages[at] = f"\n\n{TABLE}\n\n".join(map(_cleaned, texts))
    left = len(ruled) - len(found)
    missed = pdf_tables.not_reached(left) if left else ""
    return (rows for _, tables in found.values() for rows in tables), missed


def _with_rows(
    paragraphs: Sequence[tuple[str, int, int]], tables: Iterator[pdf_tables.Rows]
) -> Iterator[tuple[str, list[tuple[list[str], int]], Place]]:
    """Each paragraph with its pages, or no text and a table's rows, each with its page.

    What goes on at the top of the next page is one table, told under the names of its first row.
    """
    rows: list[tuple[list[str], int]] = []
    for text, first, last in paragraphs:
        page = Place("page", first, last)
        if text == TABLE:
            more = next(tables)
            if rows and (rows[-1][1] + 1 != first or len(more[0]) != len(rows[0][0])):
                yield "", rows, page
                rows = []
            rows += [(row, first) for row in more if not rows or row != rows[0][0]]
        else:
            yield text, rows, page
            rows = []
    if rows:
        yield "", rows, Place("page", rows[0][1], rows[-1][1])


def _cleaned(text: str) -> str:
    return clean(text).translate(_LIGATURES)


def _without_text(scanned: int) -> str:
    """What is said of so many pages that are pictures and no text; empty where there are none."""
    pages = "1 page has" if scanned == 1 else f"{scanned:,} pages have"
    return f"{pages} no text layer: run text recognition first, for example `ocrmypdf`" if scanned else ""


def _texts(reader: "PdfReader", limits: FileLimits) -> Iterator[tuple[str, bool]]:
    """The text of each page, and whether lines are drawn on it as round a table, as long as all keep to the limits.

    What a page draws is unpacked before it is read.
    """
    if len(reader.pages) > limits.pages:
        raise limits.beyond("pages")
    unpacked = characters = 0
    for page in reader.pages:
        contents = page.get_contents()
        drawn = contents.get_data() if contents is not None else b""
        unpacked += len(drawn)
        if unpacked > limits.unpacked_bytes:
            raise limits.beyond("unpacked_bytes")
        text = page.extract_text()
        characters += len(text)
        if characters > limits.characters:
            raise limits.beyond("characters")
        yield text, pdf_tables.is_ruled(drawn)


def joined(pages: Sequence[str]) -> list[tuple[str, int, int]]:
    """Paragraphs with their first and last page; one that a page's end cuts in two is put together."""
    found: list[tuple[str, int, int]] = []
    for number, page in enumerate(pages, start=1):
        for at, paragraph in enumerate(paragraphs(page)):
            if at == 0 and found and paragraph[0].islower() and not _SENTENCE_END.search(found[-1][0]):
                text, first, _ = found[-1]
                found[-1] = (_continued(text, paragraph), first, number)
            else:
                found.append((paragraph, number, number))
    return found


def paragraphs(page: str) -> list[str]:
    """The paragraphs of a page's text: hyphenated words and wrapped lines joined, dot leaders shortened."""
    short = FULL_LINE * max((len(line) for line in page.split("\n")), default=0)
    found: list[str] = []
    for part in _GAP.split(page):
        ended = True
        for line in filter(None, map(str.strip, part.split("\n"))):
            if ended or _NEW_LINE_MATTERS.match(line) or (len(line) < short and _heads(line, found[-1])):
                found.append(line)
            else:
                found[-1] = _continued(found[-1], line)
            ended = len(line) < short and not _HYPHENATED.search(line)
    return [_DOT_LEADER.sub(" ... ", paragraph) for paragraph in found if paragraph]


def _heads(line: str, before: str) -> bool:
    """Whether a short line is a heading of its own though the paragraph above it fills its last line."""
    return line[0].isupper() and not _SENTENCE_END.search(line) and bool(_SENTENCE_END.search(before))


def without_running_lines(pages: Sequence[str]) -> list[str]:
    """Pages without what stands on top or at the bottom of most of them, unless nothing else stands there."""
    seen = Counter(shape for page in pages for shape in {_shape(line) for line in _edges(page)})
    running = {shape for shape, count in seen.items() if count >= max(RUNNING_PAGES, 0.6 * len(pages))}
    bodies = [_without(page, running) for page in pages]
    return bodies if any(body.strip() for body in bodies) else list(pages)


def _without(page: str, running: set[str]) -> str:
    lines = page.split("\n")
    written = [at for at, line in enumerate(lines) if line.strip() and line != TABLE]
    edges = {*written[:RUNNING_LINES], *written[-RUNNING_LINES:]}
    return "\n".join(line for at, line in enumerate(lines) if at not in edges or _shape(line) not in running)


def _edges(page: str) -> list[str]:
    lines = [line for line in page.split("\n") if line.strip() and line != TABLE]
    return lines[:RUNNING_LINES] + lines[-RUNNING_LINES:]


def _shape(line: str) -> str:
    """A line without what changes from page to page."""
    return " ".join(_NUMBER.sub("#", line).split())


def _continued(before: str, line: str) -> str:
    if _HYPHENATED.search(before) and line[:1].islower():
        return before[:-1] + line
    return f"{before} {line}"


def _unlock(reader: "PdfReader") -> None:
    """Open a file that only its owner's password locks."""
    from pypdf.errors import DependencyError

    mend = "Save a copy without a password and ingest that."
    try:
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentUnreadable("It is encrypted with a password.", mend)
    except (DependencyError, NotImplementedError) as error:
        raise DocumentUnreadable("It is encrypted in a way that cannot be read here.", mend) from error


def _title(reader: "PdfReader") -> str:
    metadata = reader.metadata
    title = metadata.title if metadata else None
    return _MADE_UP_TITLE.sub("", clean(title)) if isinstance(title, str) else ""
