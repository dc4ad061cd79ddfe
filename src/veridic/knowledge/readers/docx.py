"""Word documents (docx): headings by style, paragraphs, tables."""

import io
from typing import TYPE_CHECKING

from veridic.knowledge.readers.archive import check
from veridic.knowledge.readers.docx_settled import settle
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place, one_line
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from docx.table import Table, _Cell, _Row
    from docx.text.paragraph import Paragraph


def read_docx(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a docx file. Raises `DocumentUnreadable`, and whatever python-docx raises on a corrupt one."""
    import docx

    check(content, limits, "docx")
    document = docx.Document(io.BytesIO(content))
    around, left_out = settle(document)
    composer = Composer(limits)
    for number, item in enumerate(document.iter_inner_content(), start=1):
        place = Place("paragraph", number, number)
        if isinstance(item, docx.table.Table):
            _table(composer, item, place)
        else:
            _paragraph(composer, item, place)
    number = len(document.element.body)
    if any(around):
        composer.heading(1, "Headers and footers", Place("paragraph", number, number))
    for text in around:
        composer.block(clean(text), Place("paragraph", number, number))
    return composer.finish(clean(document.core_properties.title), unread=left_out)


def _paragraph(composer: Composer, paragraph: "Paragraph", place: Place) -> None:
    text = clean(paragraph.text)
    if not text.strip():
        return  # looking up its style is what costs time
    style = (paragraph.style.name if paragraph.style else None) or ""
    level = style.lower().removeprefix("heading ")
    if level != style.lower() and level.isdecimal():
        composer.heading(int(level), text, place)
    elif style == "Title":
        composer.heading(0, text, place)
    else:
        composer.block(("- " if style.startswith("List") else "") + text, place)


def _table(composer: Composer, table: "Table", place: Place) -> None:
    """Add a table; rows that Word repeats on each page, or the first one if it looks so, name columns."""
    repeated = [bool(row._tr.xpath("./w:trPr/w:tblHeader[not(@w:val='0' or @w:val='false')]")) for row in table.rows]
    headers = [*repeated, False].index(False)
    marked = table._tbl.xpath("./w:tblPr/w:tblLook[@w:firstRow='0']")
    rows = [composer.cells(row) for row in _rows(table, headers)]
    composer.table(rows, lambda _: place, headers if headers or marked else None)


def _rows(table: "Table", headers: int = 0) -> list[list[str]]:
    """The cells of each row: one that is merged over columns is told in the first, and names them all in a header."""
    return [_distinct(row, repeated=number < headers) for number, row in enumerate(table.rows)]


def _distinct(row: "_Row", *, repeated: bool) -> list[str]:
    told, before = [""] * row.grid_cols_before, None
    for cell in row.cells:
        told.append(_cell(cell) if repeated or cell._tc is not before else "")
        before = cell._tc
    return told


def _cell(cell: "_Cell") -> str:
    inner = [" ".join(part for part in row if part) for table in cell.tables for row in _rows(table)]
    return one_line(" ".join([cell.text, *inner]))
