"""What a file is made of, counted against its limits before it is built."""

from collections.abc import Mapping

from veridic.errors import DocumentUnreadable
from veridic.ports.file_limits import FileLimits


class Count:
    """The elements and characters of one file; raises `DocumentUnreadable` at what is too much."""

    def __init__(self, limits: FileLimits) -> None:
        self._limits = limits
        self._elements = self._characters = 0

    def elements(self, more: int) -> None:
        """Count elements that are about to be made."""
        self._elements += more
        if self._elements > self._limits.elements:
            raise self._limits.beyond("elements")

    def characters(self, more: int) -> None:
        """Count characters of text."""
        self._characters += more
        if self._characters > self._limits.characters:
            raise self._limits.beyond("characters")


class Markup(Count):
    """A target for lxml's parsers, which then make no tree; elements may be nested `depth` deep."""

    def __init__(self, limits: FileLimits, *, depth: int | None = None) -> None:
        super().__init__(limits)
        self._most_depth = depth
        self._depth = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        self.elements(_columns(attributes) if tag.endswith("gridSpan") else 1)
        self._depth += 1
        if self._most_depth is not None and self._depth > self._most_depth:
            raise DocumentUnreadable(
                f"Its elements are nested more than {self._most_depth} deep.", "Save its text as a text file."
            )

    def end(self, _tag: str) -> None:
        """An element ends."""
        self._depth -= 1

    def data(self, text: str) -> None:
        """Text between tags."""
        self.characters(len(text))

    def close(self) -> None:
        """The markup is over."""


def _columns(attributes: Mapping[str, str]) -> int:
    """How many columns a cell spans: python-docx gives it once for each."""
    return max((int(value) for value in attributes.values() if value.isdecimal()), default=1)
