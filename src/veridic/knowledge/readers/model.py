"""What every reader yields: the stored text and the blocks it is made of.

In stored text a code block stands between lines of ```, whatever the format was; that is how `veridic.text` knows it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from veridic.knowledge.readers.tables import Rows, told
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.headings import poses
from veridic.text.hidden import clean

Unit = Literal["line", "page", "paragraph", "row", "record", "slide", "message"]


@dataclass(frozen=True)
class Place:
    """Where something stands in the file, for people; counted from 1, `last` included."""

    unit: Unit
    first: int
    last: int

    def __str__(self) -> str:
        """`page 3`, `lines 10-24`."""
        if self.first == self.last:
            return f"{self.unit} {self.first}"
        return f"{self.unit}s {self.first}-{self.last}"

    def to(self, other: "Place") -> "Place":
        """From the beginning of this place to the end of another in the same unit."""
        return replace(self, last=max(self.last, other.last))


@dataclass(frozen=True)
class Block:
    """A paragraph, list item, row of a table or code block: `text[start:end]` of the stored text."""

    start: int
    end: int
    heading: str
    """The headings above it, outermost first, joined by ` > `."""
    place: Place
    whole: bool = False
    """A code block, which is not split."""
    section: int = 0
    """Blocks under one heading have one number, and blocks under different headings different ones."""


@dataclass(frozen=True)
class ParsedDocument:
    """Stored text with its blocks in order; blocks do not overlap."""

    title: str
    """Empty when the document does not name itself."""
    text: str
    blocks: tuple[Block, ...]
    unread: str = ""
    """What of it could not be read, and what to do; empty where all is here."""

    @classmethod
    def of(cls, told: dict[str, Any]) -> "ParsedDocument":
        """The document that `asdict` made this of."""
        blocks = (Block(**{**block, "place": Place(**block["place"])}) for block in told["blocks"])
        return cls(**{**told, "blocks": tuple(blocks)})


def one_line(text: object) -> str:
    """A text, or what a message or a key is as one, cleaned and in one line; empty of None."""
    return " ".join(clean("" if text is None else str(text)).split())


MAX_HEADING = 200
"""Characters above which a heading is a paragraph that only looks like one."""
ASKED = 7
"""Level of a question that heads its answer without being marked as a heading, below all that are."""


class Composer:
    """Puts stored text together from headings, blocks and tables; raises `DocumentUnreadable` at what is too much.

    A heading stands in the text and above its blocks; it becomes a block itself only when
    nothing stands under it.
    """

    def __init__(self, limits: FileLimits = DEFAULT_LIMITS) -> None:
        self._limits = limits
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._path: list[tuple[int, str]] = []
        self._bare: tuple[int, Block] | None = None
        self._section = 0
        self._opening = ""

    def heading(self, level: int, text: str, place: Place) -> None:
        """Begin a section; level 1 is the outermost."""
        text = " ".join(text.split())
        if not text:
            return
        if len(text) > MAX_HEADING:
            self.block(text, place)
            return
        if not self._pieces:
            self._opening = text
        if self._bare and level <= self._bare[0]:
            self._blocks.append(self._bare[1])
        self._section += 1
        self._path = [(depth, name) for depth, name in self._path if depth < level]
        self._bare = (level, self._append(text, place, whole=False))
        self._path.append((level, text))

    def block(self, text: str, place: Place, *, whole: bool = False) -> None:
        """Add a paragraph, or a code block that stays whole; white space alone is nothing.

        A question that begins it, or is all of it, heads the answer.
        """
        text = text.strip("\n") if whole else text.strip()
        first, _, rest = text.partition("\n")
        if not whole and poses(first.rstrip(), rest):
            self.heading(ASKED, first, place)
            text = rest.strip()
        if text.strip():
            self._bare = None
            self._blocks.append(self._append(text, place, whole=whole))

    def code(self, text: str, place: Place) -> None:
        """Add a code block."""
        if text.strip():
            fence = "~~~" if "```" in text else "```"
            self.block(f"{fence}\n{text.strip(chr(10))}\n{fence}", place, whole=True)

    def cells(self, row: Sequence[str]) -> list[str]:
        """The cells of a row, cleaned."""
        return [clean(cell).strip() for cell in row]

    def table(self, rows: Rows, place: Callable[[int], Place], headers: int | None = None) -> None:
        """Add the sentences of a table, see `tables.told`; `place` says where the row of a number stands."""
        for number, paragraph in told(rows, headers):
            self.block(paragraph, place(number))

    def include(self, document: ParsedDocument, level: int = 1) -> None:
        """Add a document that stands within this one, under its title as a heading of this level."""
        if not document.blocks:
            return
        self.heading(level, document.title, document.blocks[0].place)
        section = None
        for block in document.blocks:
            if block.section != section:
                section = block.section
                for depth, name in enumerate(filter(None, block.heading.split(" > ")), start=level + 1):
                    self.heading(depth, name, block.place)
            self.block(document.text[block.start : block.end], block.place, whole=block.whole)

    def finish(self, title: str = "", *, unread: str = "") -> ParsedDocument:
        """The document; without a title it takes the heading it opens with."""
        if self._bare:
            self._blocks.append(self._bare[1])
        return ParsedDocument(
            title=" ".join(title.split()) or self._opening,
            text="".join(self._pieces),
            blocks=tuple(self._blocks),
            unread=unread,
        )

    def _append(self, text: str, place: Place, *, whole: bool) -> Block:
        if self._pieces:
            self._pieces.append("\n\n")
            self._length += 2
        if self._length + len(text) > self._limits.characters:
            raise self._limits.beyond("characters")
        start = self._length
        self._pieces.append(text)
        self._length += len(text)
        return Block(start, self._length, " > ".join(name for _, name in self._path), place, whole, self._section)
