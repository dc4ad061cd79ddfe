"""PDF: the text layer, page by page, wrapped lines joined and running headers left out; ruled tables as records."""

import io
import logging
import re
import warnings
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from statistics import median_low
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import pdf_tables
from veridic.knowledge.readers.hyphens import continued
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.pdf_forms import filled
from veridic.knowledge.readers.pdf_lines import Line, in_rows, lines_of
from veridic.knowledge.readers.tables import paragraphs as as_sentences
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.headings import BLANK_LINE
from veridic.text.hidden import clean
from veridic.text.sentences import sentences, whole_of

if TYPE_CHECKING:
    from pypdf import PdfReader

FULL_LINE = 0.6
"""A line shorter than this share of the page's longest ends its paragraph."""

RUNNING_LINES = 8
"""So many lines, or parts of lines, at the top and at the bottom of a page may be a running header or footer."""

RUNNING_PAGES, MOST = 3, 0.6
"""A line that stands there on as many pages, and on such a share of all, or of all on one side, is one."""

FAR = 1.6
"""Distances of lines from which a line begins a paragraph."""

LARGER = 1.25
"""So much larger than its neighbour is the line of a heading."""

TABLE = "\x01"
"""A line that stands for the next table; text has none, as it is cleaned."""

AWAY = "\x02"
"""What a line begins with that belongs to no paragraph."""

COLUMN = "\x03"
"""What stands before a line that begins a column, or goes on below columns."""

_NEW_LINE_MATTERS = re.compile(r"[-*•‣◦▪]\s|\(?\d{1,3}[.)]\s")
_DOT_LEADER = re.compile(r"[ .]*\.{4,}[ .]*")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_PAGE_NUMBER = re.compile(
    r"^\W*(\d{1,5}|[ivxl]+)(?:\s*/\s*\d+)?\W*$|\bpage\W{1,3}(\d{1,5}|[ivxl]+)(?:\s+of\s+\d+)?\b", re.IGNORECASE
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_SENTENCE_END = re.compile(rf"(?:[.!?:;][\"'”’)\]]*|{TABLE})$")
_MADE_UP_TITLE = re.compile(r"^(?:Microsoft \w+ - |untitled.*$|\(anonymous\)$|about:blank$)", re.IGNORECASE)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


def read_pdf(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a PDF file. Raises `DocumentUnreadable`, and whatever pypdf and PDFium raise on a corrupt one."""
    from pypdf import PdfReader

    # pypdf tells of each oddity of a file; the outcome is told once, by the report.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = PdfReader(io.BytesIO(content))
        _unlock(reader)
        ruled = [at for at, drawn in enumerate(_drawn(reader, limits)) if pdf_tables.is_ruled(drawn)]
        pages = list(_pages(content, reader, limits))
        forms = [list(filled(page, lines)) for page, lines in zip(reader.pages, pages, strict=True)]
        title = _title(reader)
        scanned = sum(1 for page, lines in zip(reader.pages, pages, strict=True) if not lines and page.images)
    found = pdf_tables.with_tables(content, ruled, seconds=pdf_tables.SHARE * limits.seconds) if ruled else {}
    missed = pdf_tables.NOT_REACHED.format(len(ruled) - len(found)) if len(found) < len(ruled) else ""
    texts = [_text(_without_tables(page, found.get(at, []))) for at, page in enumerate(without_running_lines(pages))]
    tables = (rows for placed in found.values() for _, _, rows in placed)
    composer = Composer(limits)
    for text, rows, page in _with_rows(joined(texts), tables):
        at = [Place("page", number, number) for _, number in rows]
        composer.table([composer.cells(row) for row, _ in rows], at.__getitem__)
        composer.block(text, page)
    for number, fields in enumerate(forms, start=1):
        for told in as_sentences("", fields):
            composer.block(clean(told), Place("page", number, number))
    return composer.finish(title, unread=" ".join(filter(None, (_without_text(scanned), missed))))


def _apart(before: Line, line: Line, far: float) -> bool:
    """Whether a line begins a paragraph by its place, its size, or at the top of a column."""
    small, large = sorted((before.size, line.size))
    ended = line.top < before.top and _SENTENCE_END.search(before.text)
    alone = before.apart != line.apart or (line.apart and not line.text[:1].islower())
    return alone or line.top - before.top > far or large > LARGER * small or bool(ended)


def _drawn(reader: "PdfReader", limits: FileLimits) -> Iterator[bytes]:
    """What each page draws, unpacked, as long as all keep to the limits."""
    if len(reader.pages) > limits.pages:
        raise limits.beyond("pages")
    from pypdf.errors import LimitReachedError

    unpacked = 0
    for page in reader.pages:
        try:
            contents = page.get_contents()
            drawn = contents.get_data() if contents is not None else b""
        except LimitReachedError as error:
            raise DocumentUnreadable("A page unpacks to more than is read.", "Print it to a new PDF.") from error
        unpacked += len(drawn)
        if unpacked > limits.unpacked_bytes:
            raise limits.beyond("unpacked_bytes")
        yield drawn


def _pages(content: bytes, reader: "PdfReader", limits: FileLimits) -> Iterator[list[Line]]:
    """The lines of each page, as long as their characters keep to the limit.

    Where Arabic or Hebrew is on it they are pypdf's: PDFium turns some round.
    """
    from pypdfium2 import PdfDocument

    characters = 0
    with closing(PdfDocument(content)) as document:
        for page, again in zip(document, reader.pages, strict=True):
            lines = [replace(line, text=clean(line.text).translate(_LIGATURES)) for line in lines_of(page)]
            page.close()
            if any(bidirectional(character) in ("R", "AL") for line in lines for character in line.text):
                texts = clean(again.extract_text()).split("\n")
                lines = [Line(text, 0.0, 0.0, float(at - len(texts)), 0.0) for at, text in enumerate(texts)]
            characters += sum(len(line.text) for line in lines)
            if characters > limits.characters:
                raise limits.beyond("characters")
            yield [line for line in lines if line.text.strip()]


def _without_tables(lines: Sequence[Line], tables: pdf_tables.Placed) -> Iterator[Line]:
    """The lines of a page with a mark in the place of those that stand in a table."""
    left = list(tables)
    for line in lines:
        while left and line.top > left[0][1]:
            yield _mark(left.pop(0)[0])
        if not any(top <= line.top <= bottom for top, bottom, _ in tables):
            yield line
    yield from (_mark(top) for top, _, _ in left)


def _mark(top: float) -> Line:
    return Line(TABLE, 0.0, 0.0, top, 0.0, apart=True)


def _text(lines: Iterable[Line]) -> str:
    """Lines as text, with a blank line between those that are farther from each other than most."""
    told = in_rows(lines)
    distances = [two.top - one.top for one, two in pairwise(told) if two.top > one.top]
    far = FAR * median_low(distances or [0.0])
    text = ""
    for before, line in zip([None, *told], told, strict=False):
        begins = before is None or _apart(before, line, far)
        mark = AWAY if begins and line.apart and line.text != TABLE else ""
        column = COLUMN if before and before.column != line.column else ""
        text += f"{column}{chr(10) * (1 + begins) if text else ''}{mark}{line.text}"
    return text


def _with_rows(
    paragraphs: Sequence["Paragraph"], tables: Iterator[pdf_tables.Rows]
) -> Iterator[tuple[str, list[tuple[list[str], int]], Place]]:
    """Each paragraph with its page, or no text and a table's rows, each with its page.

    What goes on at the top of the next page is one table, told under the names of its first row.
    """
    rows: list[tuple[list[str], int]] = []
    for paragraph in paragraphs:
        for text, number in paragraph.by_page():
            page = Place("page", number, number)
            if text != TABLE:
                yield text, rows, page
                rows = []
                continue
            more = next(tables)
            if rows and (rows[-1][1] + 1 != number or len(more[0]) != len(rows[0][0])):
                yield "", rows, page
                rows = []
            rows += [(row, number) for row in more if not rows or row != rows[0][0]]
    if rows:
        yield "", rows, Place("page", rows[0][1], rows[-1][1])


def _without_text(scanned: int) -> str:
    """What is said of so many pages that are pictures and no text; empty where there are none."""
    pages = "1 page has" if scanned == 1 else f"{scanned:,} pages have"
    return f"{pages} no text layer: run text recognition first, for example `ocrmypdf`" if scanned else ""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, which may run over pages."""

    text: str
    begins: tuple[tuple[int, int], ...]
    """From which of its characters on it stands on which page."""

    def goes_on(self, text: str, page: int, words: Collection[str]) -> "Paragraph":
        """This with what stands of it on the next page."""
        whole = continued(self.text, text, words)
        return Paragraph(whole, (*self.begins, (len(whole) - len(text), page)))

    def by_page(self) -> Iterator[tuple[str, int]]:
        """Its sentences, those together that begin on one page."""
        told = sentences(self.text) if len(self.begins) > 1 else [whole_of(self.text)]
        for number, held in groupby(told, lambda one: max(page for at, page in self.begins if at <= one.start)):
            first, *more = held
            yield self.text[first.start : (more or [first])[-1].end], number


def joined(pages: Sequence[str]) -> list[Paragraph]:
    """The paragraphs of all pages; one that a page's end cuts in two is put together."""
    words = frozenset(_WORD.findall("\n".join(pages).lower()))
    found: list[Paragraph] = []
    last = -1
    for number, page in enumerate(pages, start=1):
        goes_on = last >= 0
        for paragraph in paragraphs(page, words):
            if paragraph.startswith(AWAY):
                found.append(Paragraph(paragraph.removeprefix(AWAY), ((0, number),)))
                continue
            text = found[last].text if goes_on else ""
            begun = paragraph[0].islower() or (goes_on and _breaks_off(pages[number - 2], text))
            if goes_on and begun and not _SENTENCE_END.search(text):
                found[last] = found[last].goes_on(paragraph, number, words)
            else:
                last = len(found)
                found.append(Paragraph(paragraph, ((0, number),)))
            goes_on = False
    return found


def _breaks_off(page: str, paragraph: str) -> bool:
    """Whether the last paragraph of a page, which is wrapped, ends with a full line."""
    lines = page.rsplit(COLUMN)[-1].split("\n")
    longest = max(map(len, lines))
    return 0 < longest < len(paragraph) and len(lines[-1]) >= FULL_LINE * longest


def paragraphs(page: str, words: Collection[str] = ()) -> list[str]:
    """The paragraphs of a page's text: hyphenated words and wrapped lines joined, dot leaders shortened."""
    found: list[str] = []
    ended = True
    for column in page.split(COLUMN):
        short = FULL_LINE * max(map(len, column.split("\n")))
        for number, part in enumerate(BLANK_LINE.split(column)):
            ended = ended or number > 0
            for line in filter(None, map(str.strip, part.split("\n"))):
                if ended or _NEW_LINE_MATTERS.match(line) or (len(line) < short and _heads(line, found[-1])):
                    found.append(line)
                else:
                    found[-1] = continued(found[-1], line, words)
                ended = len(line) < short and not (line.endswith("-") and line[-2:-1].isalnum())
    return [_DOT_LEADER.sub(" ... ", paragraph) for paragraph in found if paragraph]


def _heads(line: str, before: str) -> bool:
    """Whether a short line is a heading of its own though the paragraph above it fills its last line."""
    return line[0].isupper() and not _SENTENCE_END.search(line) and bool(_SENTENCE_END.search(before))


def without_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Pages without what stands in one place of most of them, or of most left or right ones, but for a page's number.

    It stays, apart from the text, on the first page that has it. So does what differs in its digits alone, on each.
    """
    numbered = list(enumerate(pages, start=1))
    running = _frequent([[_running(line, number) for line in _edges(page)] for number, page in numbered])
    alike = _frequent([list(map(_alike, _edges(page))) for page in pages])
    around = [_around(page, [_running(line, number) in running for line in page]) for number, page in numbered]
    if all(len(above | below) == len(page) for page, (above, below) in zip(pages, around, strict=True)):
        return [list(page) for page in pages]
    said: set[str] = set()
    return [
        [replace(page[at], apart=_alike(page[at]) in alike) for at in _kept(page, parts, said)]
        for page, parts in zip(pages, around, strict=True)
    ]


def _kept(page: Sequence[Line], around: Iterable[set[int]], said: set[str]) -> list[int]:
    """The lines of a page without those around its text, unless one of them was not `said` before."""
    gone: set[int] = set()
    for part in around:
        texts = {page[at].text for at in part if not _PAGE_NUMBER.search(page[at].text)}
        gone |= {at for at in part if texts <= said or _PAGE_NUMBER.search(page[at].text)}
        said |= texts
    return [at for at in range(len(page)) if at not in gone]


def _around(page: Sequence[Line], runs: Sequence[bool]) -> tuple[set[int], set[int]]:
    """Which lines at the top and at the bottom of a page run through the document."""
    order = sorted(range(len(page)), key=lambda at: page[at].top)
    above = set(takewhile(runs.__getitem__, order[:RUNNING_LINES]))
    return above, set(takewhile(runs.__getitem__, reversed(order[-RUNNING_LINES:]))) - above


def _frequent(pages: Sequence[Sequence[Hashable]]) -> set[Hashable]:
    """What most pages have, or most of those on one side."""
    found: set[Hashable] = set()
    for side in (pages, pages[::2], pages[1::2]):
        counted = Counter(key for keys in side for key in set(keys))
        found |= {key for key, count in counted.items() if count >= max(RUNNING_PAGES, MOST * len(side))}
    return found


def _edges(page: Sequence[Line]) -> list[Line]:
    placed = sorted(page, key=lambda line: line.top)
    return [*placed[:RUNNING_LINES], *placed[RUNNING_LINES:][-RUNNING_LINES:]]


def _running(line: Line, number: int) -> Hashable:
    """A line with its place; a page's number counts from the page, and stands wherever its line begins."""
    found = _PAGE_NUMBER.search(line.text)
    if found is None:
        return line.text, round(line.top), round(line.left)
    own = _counted(next(filter(None, found.groups())).lower())
    return line.text[: found.start()], line.text[found.end() :], own - number, round(line.top)


def _counted(number: str) -> int:
    """A page's number, which may be written in Roman letters."""
    if number.isdecimal():
        return int(number)
    letters = [_ROMAN[letter] for letter in number]
    return sum(-one if one < two else one for one, two in pairwise([*letters, 0]))


def _alike(line: Line) -> Hashable:
    return _NUMBER.sub("#", line.text), round(line.top)


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
