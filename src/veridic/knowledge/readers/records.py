"""Rows and records as stored text: sentences that each name what they are of, so that none is cut from its columns.

A judge reads prose and no tables: of ten questions to a table of eight rows none was answered as it stands, and nine
where each cell is a sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from veridic.knowledge.readers.model import Composer, Place
from veridic.limits import FileLimits
from veridic.text.hidden import clean

LONG = 160
"""Characters above which a value is a text of its own."""

LONGEST_NAME = 60
"""Characters of a cell that may name its row."""

NAMING_COLUMNS = 3
"""Columns, at most, that name a row together."""


def paragraphs(name: str, fields: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A record as paragraphs: a sentence for each short value, all together, and each long value for itself."""
    sentences, texts = [], []
    for field, value in fields:
        told = value.strip()
        said = field.rstrip(" :?.!")
        if len(told) > LONG or "\n" in told:
            above = ", ".join(part for part in (name, said) if part)
            texts.append(f"{above}: {told}" if above else told)
        elif told:
            whose = f"{name}: " if name else ""
            sentences.append(f"{whose}{said} is {told}" + ("" if told.endswith((".", "!", "?")) else "."))
    if sentences:
        yield " ".join(sentences)
    yield from texts


class Rows:
    """Puts tables into a composer, a record for each row. Raises `DocumentUnreadable` at what is too much."""

    def __init__(self, composer: Composer, limits: FileLimits) -> None:
        self._composer = composer
        self._limits = limits
        self._cells = self._characters = 0

    def counted(self, row: Sequence[str]) -> list[str]:
        """The cells of a row, cleaned; as they are read, before anything is made of them."""
        self._cells += max(1, len(row))
        if self._cells > self._limits.elements:
            raise self._limits.beyond("elements")
        return [clean(cell).strip() for cell in row]

    def table(self, rows: Sequence[tuple[int, list[str]]]) -> None:
        """Add the rows of one table, each with its number in the file; the first may name the columns."""
        header = rows[0][1] if rows and _names_columns(rows[0][1]) else []
        body = rows[1:] if header else rows
        named_by = naming_columns([cells for _, cells in body])
        for number, cells in body:
            self._row(number, header, cells, named_by)
        if header and not body:
            self._composer.block(", ".join(header) + ".", Place("row", rows[0][0], rows[0][0]))

    def _row(self, number: int, header: list[str], cells: list[str], named_by: Sequence[int]) -> None:
        name = ", ".join(cells[at] for at in named_by if at < len(cells) and cells[at]) or f"Row {number}"
        fields = [
            (column or f"Column {at + 1}", cell)
            for at, (column, cell) in enumerate(zip_longest(header, cells, fillvalue=""))
            if at not in named_by
        ]
        told = list(paragraphs(name, fields)) or ([name] if any(cells) else [])
        for paragraph in told:
            self._characters += len(paragraph)
            if self._characters > self._limits.characters:
                raise self._limits.beyond("characters")
            self._composer.block(paragraph, Place("row", number, number))


def naming_columns(rows: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """The columns by which a row is called: the fewest that tell every row apart.

    That is one of words among the first, any before one of codes such as TK-300, else the first ones together; none
    where they are too long for a name.
    """
    width = max(map(len, rows), default=0)
    columns = [[row[at] if at < len(row) else "" for row in rows] for at in range(min(width, NAMING_COLUMNS))]
    short = [at for at, cells in enumerate(columns) if all(len(cell) <= LONGEST_NAME for cell in cells)]
    apart = [at for at in short if _are_words(columns[at]) and len(set(columns[at])) == len(rows)]
    if apart:
        return (min(apart, key=lambda at: _are_codes(columns[at])),)
    for most in range(1, len(short)):
        together = zip(*(columns[at] for at in short[:most]), strict=True)
        if len(set(together)) == len(rows):
            return tuple(short[:most])
    return tuple(short[:2]) if width > NAMING_COLUMNS else tuple(short[:1])


def _are_words(cells: Sequence[str]) -> bool:
    return all(any(letter.isalpha() for letter in cell) for cell in cells)


def _are_codes(cells: Sequence[str]) -> bool:
    return all(" " not in cell and any(character.isdigit() for character in cell) for cell in cells)


def _names_columns(row: Sequence[str]) -> bool:
    """Whether a first row names the columns: words, each another."""
    told = [cell for cell in row if cell]
    words = all(any(letter.isalpha() for letter in cell) and len(cell) <= LONGEST_NAME for cell in told)
    return len(told) > len(row) / 2 and words and len(set(told)) == len(told)
