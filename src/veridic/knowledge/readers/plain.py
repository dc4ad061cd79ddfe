"""Plain text, stored as it is: paragraphs under headings where lines look like them; source code; subtitles."""

import re
from dataclasses import replace

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Block, Composer, ParsedDocument, Place
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.headings import heads, poses
from veridic.text.hidden import clean
from veridic.text.sentences import ITEM, ends

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[ \t]*\S[^\n]*)*")

_UNDERLINES = ({"="}, {"-"}, {"~"})
_NUMBER = re.compile(r"\d+(?:\.\d+)*[.)]?\s+(?=[A-Z])")
_NO_HEADING = re.compile(r"\s*(?:[-*•+|>]|\d+[.)]\s|```|~~~)|.*[.!?:;,…]\s*$|[\W\d_]*$")
MAX_HEADING_WORDS = 8

_TRIED = (
    "cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 koi8_r cp932 euc_jp gb18030 big5 euc_kr "
    "utf_16_le utf_16_be"
).split()
"""Encodings that people's programs write; of those that say the same the first is told."""

_MARK = "\N{REPLACEMENT CHARACTER}"

LINES = 40
"""Of source code, from which a block ends at the next blank line."""

LONG = 400
"""Characters of subtitles from which a paragraph ends at the end of a sentence."""

_SPEAKER = re.compile(r"<v(?:\.\S+)?\s+([^>]+)>")
_NAMED = r"\1: "
_TAG = re.compile(r"<[^>]*>|\{\\[^}]*\}")


def decode(content: bytes) -> tuple[str, str]:
    """The text of a file and what is said of its encoding: nothing of UTF-8, or of what its byte order mark says.

    Of text in UTF-8 with a few other bytes those are marked; any other is told by what it looks like. Raises
    `DocumentUnreadable`.
    """
    from charset_normalizer.utils import identify_sig_or_bom

    said = ""
    marked, _ = identify_sig_or_bom(content)
    encoding = marked if marked in ("utf_16", "utf_32") else "utf-8-sig"
    text = content.decode(encoding, errors="replace")
    lost = text.count(_MARK) - content.count(_MARK.encode())
    if "\0" in text or lost > sum(not character.isascii() for character in text) - lost:
        text, said = _guessed(content)
    elif lost:
        bytes_are = "1 byte of it is" if lost == 1 else f"{lost:,} bytes of it are"
        said = f"{bytes_are} no UTF-8 and marked as {_MARK}: save it as UTF-8 in the program that wrote it"
    if "\0" in text:
        raise DocumentUnreadable("It is binary, not text.", "Export it as text, PDF or docx.")
    return clean(text), said


def _guessed(content: bytes) -> tuple[str, str]:
    from charset_normalizer import from_bytes

    found = [
        (round(match.chaos, 2), _TRIED.index(name), str(match))
        for match in from_bytes(content, cp_isolation=list(_TRIED))
        for name in match.could_be_from_charset
        if name in _TRIED
    ]
    if not found:
        raise DocumentUnreadable("It is binary, or in an encoding that is not known.", "Save it as UTF-8 text.")
    _, at, text = min(found)
    return text, f"It was taken to be in the encoding {_TRIED[at]}: save it as UTF-8 if that reads wrong"


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
    underlined = len(second.rstrip()) > 2 and set(second.rstrip()) in _UNDERLINES
    above = heads(first.strip(), rest) and not ITEM.search(rest)
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
    text, said = decode(content)
    return replace(parse_text(text), unread=said)


def read_source(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a file of code: blocks of it, each with its lines. Raises `DocumentUnreadable`."""
    composer = Composer(limits)
    text, said = decode(content)
    lines, first = text.split("\n"), 0
    for at, line in enumerate(lines, start=1):
        if at == len(lines) or (at - first >= LINES and not line.strip()):
            composer.code("\n".join(lines[first:at]), Place("line", first + 1, at))
            first = at
    return composer.finish(unread=said)


def read_subtitles(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse subtitles: what is said as running text, without numbers and times. Raises `DocumentUnreadable`."""
    composer = Composer(limits)
    text, said = decode(content)
    told, first, inside = "", 1, False
    for number, line in enumerate(text.split("\n"), start=1):
        if "-->" in line or not line.strip():
            inside = "-->" in line
        elif inside:
            first = first if told else number
            plain = _TAG.sub("", _SPEAKER.sub(_NAMED, line))
            told = " ".join(f"{told} {plain}".split())
            if len(told) >= LONG and ends(told):
                composer.block(told, Place("line", first, number))
                told = ""
    composer.block(told, Place("line", first, text.count("\n") + 1))
    return composer.finish(unread=said)
