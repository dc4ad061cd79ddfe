"""PDF: the text layer, page by page, with wrapped lines joined."""

import io
import logging
import re
import warnings
from typing import TYPE_CHECKING

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place, clean

if TYPE_CHECKING:
    from pypdf import PdfReader

_HYPHENATED = re.compile(r"[^\W\d_]-$")
_NEW_LINE_MATTERS = re.compile(r"[-*•‣◦▪]\s|\(?\d{1,3}[.)]\s")
_MADE_UP_TITLE = re.compile(r"^(?:Microsoft \w+ - |untitled.*$|\(anonymous\)$)", re.IGNORECASE)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_GAP = re.compile(r"\n[ \t]*\n+")

FULL_LINE = 0.6
"""A line shorter than this share of the page's longest ends its paragraph."""


def read_pdf(content: bytes) -> ParsedDocument:
    """Parse a PDF file. Raises `DocumentUnreadable`, and whatever pypdf raises on a corrupt one."""
    from pypdf import PdfReader

    # pypdf tells of each oddity of a file; the outcome is told once, by the report.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = PdfReader(io.BytesIO(content))
        _unlock(reader)
        composer = Composer()
        for number, page in enumerate(reader.pages, start=1):
            for paragraph in paragraphs(clean(page.extract_text()).translate(_LIGATURES)):
                composer.block(paragraph, Place("page", number, number))
        return composer.finish(_title(reader))


def paragraphs(page: str) -> list[str]:
    """The paragraphs of a page's text: hyphenated words and wrapped lines joined."""
    longest = max((len(line) for line in page.split("\n")), default=0)
    found: list[str] = []
    for part in _GAP.split(page):
        ended = True
        for line in (line.strip() for line in part.split("\n")):
            if ended or _NEW_LINE_MATTERS.match(line):
                found.append(line)
            else:
                found[-1] = _joined(found[-1], line)
            ended = len(line) < FULL_LINE * longest and not _HYPHENATED.search(line)
    return [paragraph for paragraph in found if paragraph]


def _joined(before: str, line: str) -> str:
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
