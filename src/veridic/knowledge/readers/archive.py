"""Zip archives of XML (docx, pptx, xlsx): what they unpack to is counted before any of it becomes a tree."""

import io
import zipfile
from contextlib import suppress

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.counting import Markup
from veridic.ports.file_limits import FileLimits

PIECE = 1 << 16
"""Bytes that are unpacked at a time while they are counted."""

_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
"""How the office formats before these begin, and these where they are encrypted."""


def check(content: bytes, limits: FileLimits, kind: str, *, entities: bool = True) -> None:
    """Raise `DocumentUnreadable` for what is no archive or unpacks to too much.

    `kind` is what it is called. Without `entities` it is refused too where a part has a document type, for readers
    whose library would expand what is declared there.
    """
    mend = f"Open it in its own program and save it as {kind}."
    if content.startswith(_OLD_OFFICE):
        raise DocumentUnreadable(f"It is encrypted, or in the old {kind[:-1]} format.", mend)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # No entry yields more than it says, whatever is packed in it.
            if sum(entry.file_size for entry in archive.infolist()) > limits.unpacked_bytes:
                raise limits.beyond("unpacked_bytes")
            _count(archive, Markup(limits) if entities else _Undeclared(limits))
    except zipfile.BadZipFile as error:
        raise DocumentUnreadable(f"It is not a {kind} file.", mend) from error


class _Undeclared(Markup):
    """Refuses a document type too."""

    def doctype(self, *_: object) -> None:
        """A document type is declared."""
        raise DocumentUnreadable("It declares a document type.", "Open it in its own program and save it again.")


def _count(archive: zipfile.ZipFile, count: Markup) -> None:
    """Refuse more elements or text than is allowed, all parts together.

    Which parts are XML is told by their content: libraries go by a list in the archive and not by their names.
    """
    from lxml import etree  # type: ignore[import-untyped]

    for entry in archive.infolist():
        parser = etree.XMLParser(target=count, resolve_entities=False)
        with archive.open(entry) as part, suppress(etree.XMLSyntaxError):
            while piece := part.read(PIECE):
                parser.feed(piece)
