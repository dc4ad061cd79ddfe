"""Which reader reads a file, and what holds for every file."""

import stat
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import pandoc
from veridic.knowledge.readers.archive import read_zip
from veridic.knowledge.readers.docx import read_docx
from veridic.knowledge.readers.html import read_html
from veridic.knowledge.readers.json_data import read_json, read_json_lines, read_xml
from veridic.knowledge.readers.markdown import read_markdown
from veridic.knowledge.readers.messages import read_mail, read_mbox
from veridic.knowledge.readers.model import ParsedDocument, one_line
from veridic.knowledge.readers.pdf import read_pdf
from veridic.knowledge.readers.plain import read_plain, read_source, read_subtitles
from veridic.knowledge.readers.pptx import read_pptx
from veridic.knowledge.readers.sheets import read_separated, read_xlsx
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

NO_MEMORY = 2
"""The code of lxml's syntax errors that are none: libxml2 had no memory left."""

HIDDEN = (".", "~$")
"""How names begin of hidden files, and of those by which Office marks what is open."""

Reader = Callable[[bytes, FileLimits], ParsedDocument]

_OFFICE = "application/vnd.openxmlformats-officedocument."

_CODE = (
    ".bat .c .cc .cfg .conf .cpp .cs .css .go .h .hpp .ini .java .js .jsx .kt .lua .php .pl .properties .ps1 .py .r "
    ".rb .rs .scala .sh .sql .swift .tf .toml .ts .tsx .yaml .yml"
).split()

READERS: dict[str, tuple[str, Reader]] = {
    ".txt": ("text/plain", read_plain),
    ".text": ("text/plain", read_plain),
    ".log": ("text/plain", read_plain),
    ".md": ("text/markdown", read_markdown),
    ".markdown": ("text/markdown", read_markdown),
    ".html": ("text/html", read_html),
    ".htm": ("text/html", read_html),
    ".xhtml": ("text/html", read_html),
    ".pdf": ("application/pdf", read_pdf),
    ".docx": (f"{_OFFICE}wordprocessingml.document", read_docx),
    ".pptx": (f"{_OFFICE}presentationml.presentation", read_pptx),
    ".xlsx": (f"{_OFFICE}spreadsheetml.sheet", read_xlsx),
    ".csv": ("text/csv", read_separated),
    ".tsv": ("text/tab-separated-values", partial(read_separated, separator="\t")),
    ".json": ("application/json", read_json),
    ".jsonl": ("application/jsonl", read_json_lines),
    ".ndjson": ("application/jsonl", read_json_lines),
    ".xml": ("application/xml", read_xml),
    ".eml": ("message/rfc822", read_mail),
    ".mbox": ("application/mbox", read_mbox),
    ".srt": ("application/x-subrip", read_subtitles),
    ".vtt": ("text/vtt", read_subtitles),
    ".zip": ("application/zip", read_zip),
    ".odt": ("application/vnd.oasis.opendocument.text", partial(pandoc.read, kind="odt")),
    ".rtf": ("application/rtf", partial(pandoc.read, kind="rtf")),
    ".epub": ("application/epub+zip", partial(pandoc.read, kind="epub")),
    ".rst": ("text/x-rst", partial(pandoc.read, kind="rst")),
    ".org": ("text/org", partial(pandoc.read, kind="org")),
    ".tex": ("text/x-tex", partial(pandoc.read, kind="latex")),
    ".ipynb": ("application/x-ipynb+json", partial(pandoc.read, kind="ipynb")),
    **dict.fromkeys(_CODE, ("text/x-code", read_source)),
}
"""Media type and reader by file name extension."""

DOCUMENTS = tuple(ending for ending in READERS if ending not in _CODE)
"""Extensions of what is not source code."""


def known(path: Path) -> bool:
    """Whether a file's name says that it can be read."""
    return path.suffix.lower() in READERS


def media_type(path: Path) -> str:
    """Media type by file name; empty when the file is not `known`."""
    return READERS[path.suffix.lower()][0] if known(path) else ""


def unknown() -> DocumentUnreadable:
    """What is said of a file whose name does not say that it can be read."""
    return DocumentUnreadable("Its kind is unknown.", f"Convert it to one of {', '.join(DOCUMENTS)}.")


def empty() -> DocumentUnreadable:
    """What is said of a file without anything in it."""
    return DocumentUnreadable("It is empty.", "Put text into it, or remove it.")


def check(path: Path, size: int, limits: FileLimits) -> None:
    """Raise `DocumentUnreadable` for a file of this name and size that is not read: of unknown kind, or too large."""
    if not known(path):
        raise unknown()
    if size > limits.bytes:
        raise limits.beyond("bytes")


def load(path: Path, limits: FileLimits = DEFAULT_LIMITS) -> bytes:
    """The bytes of a file. Raises `DocumentUnreadable` when it of unknown kind, empty, too large or closed to us."""
    check(path, 0, limits)
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise DocumentUnreadable("It is not a regular file.", "Name a file or a folder.")
        check(path, found.st_size, limits)
        content = path.read_bytes()
    except OSError as error:
        raise DocumentUnreadable(f"{error.strerror}.", "See that it is there and that you may read it.") from error
    return filled(content)


def filled(content: bytes) -> bytes:
    """The bytes of a file. Raises `DocumentUnreadable` where they are none but white space."""
    if not content.strip():
        raise empty()
    return content


def parse(path: Path, content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a file's bytes by the kind its name tells; without a title it takes its file's name.

    What libraries do with it is bounded by `ReadingProcess`, not here. Raises `DocumentUnreadable`; `MemoryError`
    too, where this process is held to some memory.
    """
    reader = READERS[path.suffix.lower()][1]
    try:
        parsed = reader(content, limits)
    except (DocumentUnreadable, MemoryError):
        raise
    except Exception as error:
        if getattr(error, "code", None) == NO_MEMORY:
            raise MemoryError from error
        raise DocumentUnreadable(
            f"It is corrupt ({type(error).__name__}).", "Open it in its own program and save it again."
        ) from error
    if not parsed.blocks:
        raise _without_text(parsed.unread)
    if len(parsed.text) > limits.characters:
        raise limits.beyond("characters")
    return parsed if parsed.title else replace(parsed, title=one_line(path.stem) or clean(path.name))


def _without_text(unread: str) -> DocumentUnreadable:
    problem, separated, needed = unread.partition(": ")
    return (
        DocumentUnreadable(f"{problem}:", needed)
        if separated
        else DocumentUnreadable("It holds no text.", "Leave it out.")
    )
