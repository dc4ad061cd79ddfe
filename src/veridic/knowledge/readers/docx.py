"""Word documents (docx): headings by style, paragraphs, tables."""

import io
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from veridic.knowledge.readers.archive import checked
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from docx.table import Table, _Cell
    from docx.text.paragraph import Paragraph

_HEADING = re.compile(r"heading (\d)$", re.IGNORECASE)


def read_docx(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a docx file. Raises `DocumentUnreadable`, and whatever python-docx raises on a corrupt one."""
    import docx

    checked(content, limits, "docx").close()
    document = docx.Document(io.BytesIO(content))
    composer = Composer()
    for number, item in enumerate(document.iter_inner_content(), start=1):
        place = Place("paragraph", number, number)
        if isinstance(item, docx.table.Table):
            composer.table(_rows(item), place)
        else:
            _paragraph(composer, item, place)
    return composer.finish(clean(document.core_properties.title))


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
