"""Plain text: paragraphs between blank lines, under headings where lines look like them; stored as it is."""

import codecs
import re

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Block, ParsedDocument, Place
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.headings import heads, poses
from veridic.text.hidden import clean

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[ \t]*\S[^\n]*)*")

_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})[ \t]*")
_NUMBER = re.compile(r"\d+(?:\.\d+)*[.)]?\s+(?=[A-Z])")
_NO_HEADING = re.compile(r"\s*(?:[-*•+|>]|\d+[.)]\s|```|~~~)|.*[.!?:;,…]\s*$|[\W\d_]*$")
_ITEM = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s", re.MULTILINE)
MAX_HEADING_WORDS = 8

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
    """Parse plain text that is already decoded and clean; it is named by the heading it opens with."""
    found = list(_PARAGRAPH.finditer(text))
    blocks: list[Block] = []
    line, counted, heading, section, title = 1, 0, "", 0, ""
    for at, paragraph in enumerate(found):
        told = paragraph.group()
        line += text.count("\n", counted, paragraph.start())
        counted = paragraph.start()
        length = _heading_length(told, found[at + 1].group() if at + 1 < len(found) else "")
        if length:
            heading, section = told.partition("\n")[0].strip(), section + 1
            title = title or (heading if at == 0 else "")
        start, end = paragraph.start() + length, paragraph.start() + len(told.rstrip())
        if start < end:
            first = line + told.count("\n", 0, length)
            blocks.append(Block(start, end, heading, Place("line", first, line + told.count("\n")), section=section))
    return ParsedDocument(title=title, text=text, blocks=tuple(blocks))


def _heading_length(paragraph: str, following: str) -> int:
    """How many characters of a paragraph are its heading.

    That is a short line without a full stop, alone, underlined, in capitals or before a sentence that begins below it;
    or a question above its answer.
    """
    first, _, rest = paragraph.partition("\n")
    if (rest or following) and poses(first.strip(), rest or following):
        return len(paragraph) - len(rest)
    second, _, beyond = rest.partition("\n")
    underlined = bool(_UNDERLINE.fullmatch(second))
    above = heads(first.strip(), rest) and not _ITEM.search(rest)
    if not above and (not _may_head(first) or (rest and not underlined and not first.isupper())):
        return 0
    body = beyond if underlined else rest
    if _may_head((body or following or first).partition("\n")[0]):
        return 0
    return len(paragraph) - len(body)


def _may_head(line: str) -> bool:
    """Numbered lines are items of a list, unless they are in capitals."""
    line = _NUMBER.sub("", line) if line.isupper() else line
    return len(line.split()) <= MAX_HEADING_WORDS and not _NO_HEADING.match(line)


def read_plain(content: bytes, _limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a plain text file. Raises `DocumentUnreadable`."""
    return parse_text(decode(content))
