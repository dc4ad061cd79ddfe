"""The text or the result that a command is given, from a file or standard input."""

import re
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from veridic.errors import DocumentMissing, DocumentUnreadable, InvalidText
from veridic.ports.file_limits import LONGEST_TEXT, FileLimits

if TYPE_CHECKING:
    from veridic.knowledge.readers.model import ParsedDocument

PLAIN = frozenset((".txt", ".text", ".md", ".markdown"))
"""Files that are checked as they are written; so is one of unknown kind."""
_LINE = re.compile(r"^(?=\S)", re.MULTILINE)
BYTES = 4
"""Of a character, at most."""


def given_text(name: str, limits: FileLimits) -> str:
    """The text of a file, or of standard input for `-`; offsets count in it.

    What the reader of another kind than plain text knows to be a heading is marked as one, as in Markdown.
    Raises `DocumentMissing`, `DocumentUnreadable`, and `InvalidText` for what is no UTF-8 text.
    """
    from veridic.knowledge.readers.files import known, load
    from veridic.knowledge.readers.process import ReadingProcess

    path = Path(name).expanduser()
    if name == "-" or not known(path) or path.suffix.lower() in PLAIN:
        return _decoded(given_bytes(name, most=BYTES * LONGEST_TEXT), name)
    if not path.exists():
        raise _missing(name)
    try:
        with closing(ReadingProcess(limits)) as reading:
            return with_headings(reading.parse(path, load(path, limits)))
    except DocumentUnreadable as error:
        raise DocumentUnreadable(f"{name}: {error.problem}", error.mend) from error


def with_headings(parsed: "ParsedDocument") -> str:
    """The text of a document with `# ` before each heading.

    Those are what no block holds, and a block that begins a section with no heading above it: it heads nothing.
    """
    text, told, at, section = parsed.text, "", 0, 0
    for block in parsed.blocks:
        above, own = text[at : block.start], text[block.start : block.end]
        bare = block.section != section and not above.strip()
        told += _marked(above) + (_marked(own) if bare else own)
        at, section = block.end, block.section
    return told + _marked(text[at:])


def _marked(headings: str) -> str:
    return _LINE.sub("# ", headings)


def given_bytes(name: str, *, most: int) -> bytes:
    """What a file or standard input holds, of a large one a byte more than `most`.

    Raises `DocumentMissing`, `DocumentUnreadable`.
    """
    if name == "-":
        return sys.stdin.buffer.read(most + 1)
    try:
        with Path(name).expanduser().open("rb") as file:
            return file.read(most + 1)
    except FileNotFoundError as error:
        raise _missing(name) from error
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else "no file can be called so"
        raise DocumentUnreadable(f"{name}: {told}.", "Name a file that you may read.") from error


def _missing(name: str) -> DocumentMissing:
    return DocumentMissing(
        f"{name}: there is no such file.",
        "Name one, or - for standard input: a text itself is handed in so, `echo TEXT | veridic … -`.",
    )


def _decoded(content: bytes, name: str) -> str:
    if len(content) > BYTES * LONGEST_TEXT:
        raise InvalidText(
            f"{name}: it has more than {LONGEST_TEXT:,} characters; no more can be checked at once.",
            "Check it in parts.",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidText(
            f"{name}: it is not UTF-8 text (byte {error.start}).",
            "Convert it, for example with `iconv -f WINDOWS-1252 -t UTF-8`.",
        ) from error
