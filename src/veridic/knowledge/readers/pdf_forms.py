"""What a PDF's form was filled with: each value under the text before or above its field, or the field's name."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from veridic.knowledge.readers.pdf_lines import Line

if TYPE_CHECKING:
    from pypdf import PageObject

OFF = "/Off"
"""The value of a box that is not ticked."""


def filled(page: "PageObject", lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """The filled fields of a page as names and values."""
    for annotation in page.get("/Annots") or ():
        field = annotation.get_object()
        value = _inherited(field, "/V")
        if field.get("/Subtype") != "/Widget" or value in (None, "", OFF):
            continue
        values = value if isinstance(value, list) else [value]
        name = _label(field, page, lines) or str(_inherited(field, "/TU") or _inherited(field, "/T") or "")
        yield name, ", ".join(str(one).removeprefix("/") for one in values)


def _inherited(field: Any, key: str) -> Any:  # noqa: ANN401 - whatever a PDF holds
    """What a field or the one that it is a part of says of itself."""
    parent = field.get("/Parent")
    value = field.get(key)
    return parent.get_object().get(key) if value is None and parent is not None else value


def _label(field: Any, page: "PageObject", lines: Sequence[Line]) -> str:  # noqa: ANN401
    """The text before a field, on its height, or right above it."""
    left, bottom, right, top = map(float, field["/Rect"])
    height = float(page.mediabox.top)
    low, high = height - min(top, bottom), height - max(top, bottom)
    before = [line for line in lines if high <= line.top <= low and line.right <= min(left, right) + 1]
    over = [line for line in lines if 0 <= high - line.top < line.size and line.left < right and line.right > left]
    return max(before or over, key=lambda line: line.right).text.rstrip(" :") if before or over else ""
