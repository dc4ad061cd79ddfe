"""A parsed document as a line of JSON, on its way from the process that read it."""

import json
from typing import Any

from veridic.knowledge.readers.model import Block, ParsedDocument, Place


def packed(document: ParsedDocument) -> bytes:
    """The document as one line."""
    blocks = [
        (one.start, one.end, one.heading, one.place.unit, one.place.first, one.place.last, one.whole, one.section)
        for one in document.blocks
    ]
    return line({"title": document.title, "text": document.text, "blocks": blocks, "unread": document.unread})


def unpacked(told: dict[str, Any]) -> ParsedDocument:
    """The document that such a line tells."""
    blocks = (
        Block(start, end, heading, Place(unit, first, last), whole, section)
        for start, end, heading, unit, first, last, whole, section in told["blocks"]
    )
    return ParsedDocument(told["title"], told["text"], tuple(blocks), told["unread"])


def line(told: dict[str, Any]) -> bytes:
    """Anything as one line of JSON."""
    return json.dumps(told).encode() + b"\n"
