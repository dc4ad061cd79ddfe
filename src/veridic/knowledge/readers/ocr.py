"""Text recognition on pictures, and on pages of a PDF that are pictures, by RapidOCR and PDFium.

Their models come in the package: nothing is fetched.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from veridic.knowledge.readers import extras

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdf import PageObject
    from pypdfium2 import PdfDocument

LONGEST_SIDE = 1600
"""Pixels to which a picture is made smaller; with lines read one by one it keeps a page within the memory allowed."""

DOTS_PER_INCH = 200
POINTS_PER_INCH = 72

SHARE = 0.75
"""Of the time for a file, in which pages are recognised; the rest is for what else there is to do."""

MOST_PIXELS = 20_000_000
"""Of a rendered page: larger ones are rendered more coarsely."""

PARAGRAPH_GAP = 0.8
"""Of a line's height: space between two lines above which a paragraph ends."""

GUTTER = 0.02
"""Of a page's width: blank space between two columns, at least."""

COLUMN_LINES = 3
"""Lines of a column, at least."""


@dataclass(frozen=True)
class Line:
    """A line of text where it stands, in pixels."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def recognised(picture: "Image") -> str:
    """The text of a picture, lines as they stand, blank lines between paragraphs; empty where none is seen.

    Raises `MemoryError`, and what RapidOCR raises.
    """
    import numpy as np

    try:
        found = _engine()(np.asarray(picture.convert("RGB")))
    except Exception as error:
        # onnxruntime has no error of its own for memory that it was not given.
        if "alloc" in str(error).lower():
            raise MemoryError from error
        raise
    if found.txts is None:
        return ""
    lines = [_line(box, text) for box, text in zip(found.boxes, found.txts, strict=True)]
    return "\n\n".join(_text(column) for column in columns(lines, picture.width))


def columns(lines: Sequence[Line], width: float) -> Iterator[list[Line]]:
    """The columns of a page from left to right, where a blank gutter runs between them; else all lines."""
    for cut in sorted({line.right for line in lines}):
        left = [line for line in lines if line.right <= cut]
        right = [line for line in lines if line.right > cut]
        clear = min((line.left for line in right), default=cut) - cut >= GUTTER * width
        if clear and min(len(left), len(right)) >= COLUMN_LINES:
            yield sorted(left, key=_place)
            yield from columns(right, width)
            return
    yield sorted(lines, key=_place)


def _place(line: Line) -> tuple[float, float]:
    return line.top, line.left


def _text(lines: Sequence[Line]) -> str:
    """Lines from top to bottom; those side by side are one."""
    pieces: list[str] = []
    above: Line | None = None
    for line in lines:
        if above is not None:
            height = above.bottom - above.top
            beside = line.top < above.bottom - height / 2
            gap = line.top - above.bottom > PARAGRAPH_GAP * height
            pieces.append(" " if beside else "\n\n" if gap else "\n")
        pieces.append(line.text)
        above = line
    return "".join(pieces)


def _line(box: Sequence[Sequence[float]], text: str) -> Line:
    across, down = [float(x) for x, _ in box], [float(y) for _, y in box]
    return Line(min(across), min(down), max(across), max(down), text)


@cache
def _engine() -> Any:  # noqa: ANN401 - RapidOCR is not typed
    from rapidocr import RapidOCR

    return RapidOCR(
        params={"Global.log_level": "critical", "Global.max_side_len": LONGEST_SIDE, "Rec.rec_batch_num": 1}
    )


def is_scanned(page: "PageObject", text: str) -> bool:
    """Whether a page has a picture and no text."""
    return not text.strip() and any(_subtype(one) == "/Image" for one in _drawn(page))


def texts(content: bytes, numbers: Sequence[int], *, seconds: float) -> Mapping[int, str]:
    """The text that is recognised on some pages, counted from 0: on as many of them as are reached in `seconds`."""
    until = time.monotonic() + seconds
    found: dict[int, str] = {}
    with _opened(content) as document:
        for number in numbers:
            if found and time.monotonic() > until:
                break
            found[number] = recognised(_rendered(document, number))
    return found


def note(pages: int) -> str:
    """What is said of so many pages that are left unread."""
    return f"{_pages(pages)} no text layer: {extras.mend(extras.OCR)}"


def not_reached(pages: int) -> str:
    """What is said of so many pages that there was no time to read."""
    return f"{_pages(pages)} no text layer and no turn in the time given: allow more with VERIDIC_FILE_SECONDS"


def _pages(number: int) -> str:
    return "1 page has" if number == 1 else f"{number:,} pages have"


def _opened(content: bytes) -> "AbstractContextManager[PdfDocument]":
    import pypdfium2

    return closing(pypdfium2.PdfDocument(content))


def _rendered(document: "PdfDocument", number: int) -> "Image":
    page = document[number]
    width, height = page.get_size()
    scale = min(DOTS_PER_INCH / POINTS_PER_INCH, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    picture: Image = page.render(scale=scale).to_pil()
    return picture


def _drawn(page: "PageObject") -> Sequence[object]:
    """What a page may put in by name."""
    resources = page.get("/Resources")
    found = resources.get_object().get("/XObject") if resources is not None else None
    return [one.get_object() for one in found.get_object().values()] if found is not None else []


def _subtype(drawn: object) -> object:
    return drawn.get("/Subtype") if isinstance(drawn, Mapping) else None
