"""Word documents (docx): headings by style, paragraphs, tables."""

import io
import re
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.counting import Count
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from docx.table import Table, _Cell
    from docx.text.paragraph import Paragraph

PIECE = 1 << 16
"""Bytes that are unpacked at a time while they are counted."""

_HEADING = re.compile(r"heading (\d)$", re.IGNORECASE)


def read_docx(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a docx file. Raises `DocumentUnreadable`, and whatever python-docx raises on a corrupt one."""
    import docx

    _check_archive(content, limits)
    document = docx.Document(io.BytesIO(content))
    composer = Composer()
    for number, item in enumerate(document.iter_inner_content(), start=1):
        place = Place("paragraph", number, number)
        if isinstance(item, docx.table.Table):
            composer.table(_rows(item), place)
        else:
            _paragraph(composer, item, place)
    return composer.finish(clean(document.core_properties.title))


def _check_archive(content: bytes, limits: FileLimits) -> None:
    """Refuse what unpacks to too much, before python-docx makes trees of all of it."""
    mend = "Open it in its own program and save it as docx."
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise DocumentUnreadable("It is encrypted, or in the old doc format.", mend)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # No entry yields more than it says, whatever is packed in it.
            if sum(entry.file_size for entry in archive.infolist()) > limits.unpacked_bytes:
                raise limits.beyond("unpacked_bytes")
            _count(archive, limits)
    except zipfile.BadZipFile as error:
        raise DocumentUnreadable("It is not a docx file.", mend) from error


def _count(archive: zipfile.ZipFile, limits: FileLimits) -> None:
    """Refuse more elements or text than is allowed, all parts together.

    Which parts are XML is told by their content: python-docx goes by a list in the archive and not by their names.
    """
    from lxml import etree  # type: ignore[import-untyped]

    count = Count(limits)
    for entry in archive.infolist():
        parser = etree.XMLParser(target=count, resolve_entities=False)
        with archive.open(entry) as part, suppress(etree.XMLSyntaxError):
            while piece := part.read(PIECE):
                parser.feed(piece)


def _paragraph(composer: Composer, paragraph: "Paragraph", place: Place) -> None:
    text = clean(paragraph.text)
    if not text.strip():
        return  # looking up its style is what costs time
    style = (paragraph.style.name if paragraph.style else None) or ""
    heading = _HEADING.match(style)
    if heading:
        composer.heading(int(heading.group(1)), text, place)
    elif style == "Title":
        composer.heading(0, text, place)
    else:
        composer.block(("- " if style.startswith("List") else "") + text, place)


def _rows(table: "Table") -> list[list[str]]:
    """The cells of each row; a merged cell is told once."""
    return [[_cell(cell) for cell in _distinct(row.cells)] for row in table.rows]


def _distinct(cells: Iterable["_Cell"]) -> Iterable["_Cell"]:
    return {id(cell._tc): cell for cell in cells}.values()


def _cell(cell: "_Cell") -> str:
    inner = [" ".join(part for part in row if part) for table in cell.tables for row in _rows(table)]
    return clean(" ".join([cell.text, *inner])).strip()
