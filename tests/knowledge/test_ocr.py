"""Pictures of text, with the extra `ocr`; without it what stands where on a page alone."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from veridic.errors import DocumentUnreadable, NothingRecognised
from veridic.knowledge.readers import extras, files, ocr
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.ocr import Line
from veridic.ports.file_limits import FileLimits

needs_extra = pytest.mark.skipif(not extras.installed(extras.OCR), reason="the extra ocr is not installed")

TEXT = ["The Alder Bridge was opened in 1932.", "It is a steel arch of 214 metres.", "Clara Voss designed it."]

Saved = Callable[..., bytes]


def saved(kind: str, lines: list[str] = TEXT, **more: Any) -> bytes:
    """A picture of these lines."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (1000, 400), "white")
    for number, line in enumerate(lines):
        ImageDraw.Draw(picture).text((60, 60 + 60 * number), line, fill="black", font=ImageFont.load_default(36))
    held = io.BytesIO()
    picture.save(held, kind, **more)
    return held.getvalue()


def words(document: ParsedDocument) -> list[str]:
    return document.text.split()


@needs_extra
@pytest.mark.parametrize(("kind", "name"), [("PNG", "a.png"), ("TIFF", "a.tif"), ("PDF", "a.pdf")])
def test_the_text_of_a_picture_is_read(kind: str, name: str) -> None:
    document = files.parse(Path(name), saved(kind))
    assert words(document) == " ".join(TEXT).split()
    assert {str(block.place) for block in document.blocks} == {"page 1"}
    assert document.unread == ""


@needs_extra
def test_a_picture_without_text_is_no_error_of_a_folder() -> None:
    with pytest.raises(NothingRecognised):
        files.parse(Path("a.png"), saved("PNG", []))


@needs_extra
def test_a_picture_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(DocumentUnreadable, match="UNPACKED_BYTES"):
        files.parse(Path("a.png"), saved("PNG"), FileLimits(unpacked_bytes=1_000_000))


@needs_extra
def test_pages_that_there_is_no_time_for_are_named() -> None:
    from PIL import Image

    second = Image.new("RGB", (1000, 400), "white")
    content = saved("PDF", save_all=True, append_images=[second])
    document = files.parse(Path("a.pdf"), content, FileLimits(seconds=1e-9))
    assert document.unread.startswith("1 page has no text layer and no turn in the time given")
    assert words(document) == " ".join(TEXT).split()


def line(left: int, top: int, text: str) -> Line:
    return Line(left, top, left + 300, top + 20, text)


def test_columns_are_read_one_after_the_other() -> None:
    rows = range(0, 120, 30)
    page = [line(at, top, f"{at}-{top}") for top in rows for at in (0, 400)]
    assert [[one.text for one in column] for column in ocr.columns(page, 700)] == [
        [f"{at}-{top}" for top in rows] for at in (0, 400)
    ]


def test_lines_across_the_page_are_one_column() -> None:
    page = [line(at, top, "x") for at, top in ((0, 0), (200, 30), (400, 60), (100, 90))]
    assert len(list(ocr.columns(page, 700))) == 1
