"""Subtitles (srt, vtt): what is said as running text, without numbers and times."""

import re
from dataclasses import replace

from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.sentences import ends

LONG = 400
"""Characters from which a paragraph ends at the end of a sentence."""

_SPEAKER = re.compile(r"<v(?:\.\S+)?\s+([^>]+)>")
_NAMED = r"\1: "
_TAG = re.compile(r"<[^>]*>|\{\\[^}]*\}")


def read_subtitles(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse subtitles. Raises `DocumentUnreadable`."""
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
    return replace(composer.finish(""), unread=said)
