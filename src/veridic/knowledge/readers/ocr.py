"""Text recognition on pictures, by RapidOCR: its models come in its package, nothing is fetched."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 1600
"""Pixels to which a picture is made smaller; with lines read one by one it keeps a page within the memory allowed."""

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
