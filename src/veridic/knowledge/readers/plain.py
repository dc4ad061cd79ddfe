"""Plain text: paragraphs between blank lines; stored as it is."""

import codecs
import re

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Block, ParsedDocument, Place, clean

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[ \t]*\S[^\n]*)*")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(content: bytes) -> str:
    """Text of a file: UTF-8, or what its byte order mark says. Raises `DocumentUnreadable`."""
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentUnreadable(
            f"It is not {encoding.removesuffix('-sig').upper()} text (byte {error.start}).",
            "Convert it, for example with `iconv -f WINDOWS-1252 -t UTF-8`.",
        ) from error
    if "\0" in text:
        raise DocumentUnreadable("It is binary, not text.", "Export it as text, PDF or docx.")
    return clean(text)


def parse_text(text: str) -> ParsedDocument:
    """Parse plain text that is already decoded and clean."""
    blocks = []
    line, counted = 1, 0
    for paragraph in _PARAGRAPH.finditer(text):
        line += text.count("\n", counted, paragraph.start())
        last = line + paragraph.group().count("\n")
        start, end = paragraph.start(), paragraph.start() + len(paragraph.group().rstrip())
        blocks.append(Block(start, end, "", Place("line", line, last)))
        line, counted = last, paragraph.end()
    return ParsedDocument(title="", text=text, blocks=tuple(blocks))


def read_plain(content: bytes) -> ParsedDocument:
    """Parse a plain text file. Raises `DocumentUnreadable`."""
    return parse_text(decode(content))
