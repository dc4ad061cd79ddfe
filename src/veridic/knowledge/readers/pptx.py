"""Presentations (pptx): a heading for each slide; its text, tables and notes."""

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from veridic.knowledge.readers.archive import check
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place, one_line
from veridic.knowledge.readers.tables import Cell, laid_out
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from pptx.slide import Slide

Shape = Any
"""A shape of python-pptx, which is typed in part."""


def read_pptx(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a presentation. Raises `DocumentUnreadable`, and whatever python-pptx raises on a corrupt one."""
    import pptx

    check(content, limits, "pptx")
    presentation = pptx.Presentation(io.BytesIO(content))
    composer = Composer(limits)
    for number, slide in enumerate(presentation.slides, start=1):
        if number > limits.pages:
            raise limits.beyond("pages")
        _slide(composer, slide, Place("slide", number, number))
    return composer.finish(clean(presentation.core_properties.title))


def _slide(composer: Composer, slide: "Slide", place: Place) -> None:
    title = slide.shapes.title
    told = one_line(title.text_frame.text) if title is not None else ""
    composer.heading(1, told or f"Slide {place.first}", place)
    for shape in _shapes(slide.shapes):
        if title is None or shape.shape_id != title.shape_id:
            _shape(composer, shape, place)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
        composer.block(clean(notes.text), place)


def _shapes(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Every shape, those in groups too."""
    for shape in shapes:
        yield from _shapes(shape.shapes) if hasattr(shape, "shapes") else (shape,)


def _shape(composer: Composer, shape: Shape, place: Place) -> None:
    if shape.has_text_frame:
        for paragraph in shape.text_frame.paragraphs:
            composer.block(clean("".join(run.text for run in paragraph.runs)), place)
    elif getattr(shape, "has_table", False):
        headers = int(shape.table.first_row)  # it names the columns where it has the look of one that does
        rows = [[_cell(cell) for cell in row.cells if not cell.is_spanned] for row in shape.table.rows]
        composer.table(list(laid_out(rows, headers)), lambda _: place, headers)


def _cell(cell: Shape) -> Cell:
    spans = (cell.span_width, cell.span_height) if cell.is_merge_origin else (1, 1)
    return Cell(one_line(cell.text), *spans)
