"""Markup counted while it streams by, before a tree is made of it."""

from collections.abc import Mapping

from veridic.errors import DocumentUnreadable
from veridic.ports.file_limits import FileLimits


class Count:
    """What lxml's parsers tell of elements and text as they come; raises `DocumentUnreadable` at what is too much.

    Given to one as its target it keeps the parser from making a tree. `depth` is how deep elements may be nested.
    """

    def __init__(self, limits: FileLimits, *, depth: int | None = None) -> None:
        self._limits = limits
        self._most_depth = depth
        self._elements = self._characters = self._depth = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self._elements += _columns(attributes) if tag.endswith("gridSpan") else 1
        self._depth += 1
        if self._elements > self._limits.elements:
            raise self._limits.beyond("elements")
        if self._most_depth is not None and self._depth > self._most_depth:
            raise DocumentUnreadable(
                f"Its elements are nested more than {self._most_depth} deep.", "Save its text as a text file."
            )

    def end(self, _tag: str) -> None:
        """An element ends."""
        self._depth -= 1

    def data(self, text: str) -> None:
        """Text between tags."""
        self._characters += len(text)
        if self._characters > self._limits.characters:
            raise self._limits.beyond("characters")

    def close(self) -> None:
        """The markup is over."""


def _columns(attributes: Mapping[str, str]) -> int:
    """How many columns a cell spans: python-docx gives it once for each."""
    return max((int(value) for value in attributes.values() if value.isdecimal()), default=1)
