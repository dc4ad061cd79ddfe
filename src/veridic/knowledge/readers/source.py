"""Source code and settings: blocks of code, each with its lines."""

from dataclasses import replace

from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits

LINES = 40
"""From which a block ends at the next blank line."""


def read_source(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a file of code. Raises `DocumentUnreadable`."""
    composer = Composer(limits)
    text, said = decode(content)
    lines, first = text.split("\n"), 0
    for at, line in enumerate(lines, start=1):
        if at == len(lines) or (at - first >= LINES and not line.strip()):
            composer.code("\n".join(lines[first:at]), Place("line", first + 1, at))
            first = at
    return replace(composer.finish(""), unread=said)
