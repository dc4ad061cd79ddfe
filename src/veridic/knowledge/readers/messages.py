"""Mail (eml, mbox): a heading for each message; what its head says, its text, and the files it carries."""

import email
import re
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage, MIMEPart
from typing import cast

from veridic.knowledge.readers import html
from veridic.knowledge.readers.archive import Within, include_all
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place, one_line
from veridic.knowledge.readers.plain import decode, parse_text
from veridic.knowledge.readers.tables import paragraphs
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

_TOLD = ("From", "To", "Cc", "Date")
_BETWEEN = re.compile(rb"^From .*\r?\n", re.MULTILINE)


def read_mail(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse one message."""
    return _read([content], limits)


def read_mbox(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a box of messages."""
    return _read(filter(bytes.strip, _BETWEEN.split(content)), limits)


def _read(messages: "Iterator[bytes] | list[bytes]", limits: FileLimits) -> ParsedDocument:
    composer, within = Composer(limits), Within.of(limits)
    said: list[str] = []
    for number, raw in enumerate(messages, start=1):
        message = email.message_from_bytes(raw, policy=policy.default)
        at = Place("message", number, number)
        subject = one_line(message["Subject"]) or f"Message {number}"
        composer.heading(1, subject, at)
        for told in paragraphs(subject, [(name, one_line(message[name])) for name in _TOLD]):
            composer.block(told, at)
        for text in _texts(message, limits):
            composer.block(text, at)
        said.append(include_all(composer, _attached(message), within, level=2))
    return composer.finish(unread=". ".join(dict.fromkeys(filter(None, said))))


def _texts(message: EmailMessage, limits: FileLimits) -> Iterator[str]:
    """The paragraphs of what the message says."""
    for kind in ("html", "plain"):  # of what says the same, HTML marks tables, lists and struck text
        body = message.get_body((kind,))
        content = body.get_payload(decode=True) if body is not None else b""
        if body is not None and isinstance(content, bytes) and content.strip():
            parsed = _parsed(body, content, limits)
            yield from (parsed.text[block.start : block.end] for block in parsed.blocks)
            return


def _parsed(body: MIMEPart, raw: bytes, limits: FileLimits) -> ParsedDocument:
    said = clean(body.get_content()) if body.get_content_charset() else ""
    if body.get_content_subtype() == "html":
        return html.composed(html.page(said or raw), "", limits)
    return parse_text(said or decode(raw)[0])


def _attached(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    alone = [] if message.get_content_maintype() == "text" else [message]
    for part in message.iter_attachments() if message.is_multipart() else alone:
        if part.get_content_type() == "message/rfc822" and part.is_multipart():
            inner = cast("EmailMessage", part.get_payload(0))
            yield f"{one_line(inner['Subject'])}.eml", inner.as_bytes()
            continue
        content = part.get_payload(decode=True)
        yield one_line(part.get_filename()) or part.get_content_type(), content if isinstance(content, bytes) else b""
