"""PDF: the text layer, page by page, with wrapped lines joined and running headers left out."""

import io
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import extras, scanned
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from pypdf import PdfReader

FULL_LINE = 0.6
"""A line shorter than this share of the page's longest ends its paragraph."""

RUNNING_LINES = 4
"""So many lines at the top and at the bottom of a page may be a running header or footer."""

RUNNING_PAGES = 4
"""A line that stands there on as many pages, and on most of all pages, is one."""

_HYPHENATED = re.compile(r"[^\W\d_]-$")
_NEW_LINE_MATTERS = re.compile(r"[-*•‣◦▪]\s|\(?\d{1,3}[.)]\s")
_GAP = re.compile(r"\n[ \t]*\n+")
_DOT_LEADER = re.compile(r"[ .]*\.{4,}[ .]*")
_NUMBER = re.compile(r"\d+")
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
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
        pages = [clean(text).translate(_LIGATURES) for text in _texts(reader, limits)]
        title = _title(reader)
        pictures = [at for at, page in enumerate(reader.pages) if scanned.is_scanned(page, pages[at])]
    unread = _recognise(content, pages, pictures, limits) if pictures else ""
    composer = Composer()
    for text, first, last in joined(without_running_lines(pages)):
        composer.block(text, Place("page", first, last))
    return replace(composer.finish(title), unread=unread)


def _recognise(content: bytes, pages: list[str], pictures: Sequence[int], limits: FileLimits) -> str:
    """Fill in the text of the pages that are pictures; what is said of those that stay unread."""
    if not extras.installed(extras.OCR):
        return scanned.note(len(pictures))
    found = scanned.texts(content, pictures, seconds=scanned.SHARE * limits.seconds)
    for at, text in found.items():
        pages[at] = clean(text)
    left = len(pictures) - len(found)
    return scanned.not_reached(left) if left else ""


def _texts(reader: "PdfReader", limits: FileLimits) -> Iterator[str]:
    """The text of each page, as long as all keep to the limits; what a page draws is unpacked before it is read."""
    if len(reader.pages) > limits.pages:
        raise limits.beyond("pages")
    unpacked = characters = 0
    for page in reader.pages:
        drawn = page.get_contents()
        unpacked += len(drawn.get_data()) if drawn is not None else 0
        if unpacked > limits.unpacked_bytes:
            raise limits.beyond("unpacked_bytes")
        text = page.extract_text()
        characters += len(text)
        if characters > limits.characters:
            raise limits.beyond("characters")
        yield text


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
    longest = max((len(line) for line in page.split("\n")), default=0)
    found: list[str] = []
    for part in _GAP.split(page):
        ended = True
        for line in (line.strip() for line in part.split("\n")):
            if ended or _NEW_LINE_MATTERS.match(line):
                found.append(line)
            else:
                found[-1] = _continued(found[-1], line)
            ended = len(line) < FULL_LINE * longest and not _HYPHENATED.search(line)
    return [_DOT_LEADER.sub(" ... ", paragraph) for paragraph in found if paragraph]


def without_running_lines(pages: Sequence[str]) -> list[str]:
    """Pages without what stands on top or at the bottom of most of them, unless nothing else stands there."""
    seen = Counter(shape for page in pages for shape in {_shape(line) for line in _edges(page)})
    running = {shape for shape, count in seen.items() if count >= max(RUNNING_PAGES, 0.6 * len(pages))}
    bodies = [_without(page, running) for page in pages]
    return bodies if any(body.strip() for body in bodies) else list(pages)


def _without(page: str, running: set[str]) -> str:
    lines = page.split("\n")
    written = [at for at, line in enumerate(lines) if line.strip()]
    edges = {*written[:RUNNING_LINES], *written[-RUNNING_LINES:]}
    return "\n".join(line for at, line in enumerate(lines) if at not in edges or _shape(line) not in running)


def _edges(page: str) -> list[str]:
    lines = [line for line in page.split("\n") if line.strip()]
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
