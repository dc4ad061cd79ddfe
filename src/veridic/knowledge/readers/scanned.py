"""Pages of a PDF that are pictures: rendered by PDFium, their text recognised."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, closing
from typing import TYPE_CHECKING

from veridic.knowledge.readers import extras, ocr

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdf import PageObject
    from pypdfium2 import PdfDocument

DOTS_PER_INCH = 200
POINTS_PER_INCH = 72

SHARE = 0.75
"""Of the time for a file, in which pages are recognised; the rest is for what else there is to do."""

MOST_PIXELS = 20_000_000
"""Of a rendered page: larger ones are rendered more coarsely."""


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
            found[number] = ocr.recognised(_rendered(document, number))
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
