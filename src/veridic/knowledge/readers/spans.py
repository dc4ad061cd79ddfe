"""Tables whose cells span rows and columns, as rows of the same columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridic.knowledge.readers.tables import Tables


@dataclass(frozen=True)
class Cell:
    """What a cell says and how far it reaches."""

    text: str
    columns: int = 1
    rows: int = 1


def laid_out(rows: Sequence[Sequence[Cell]], headers: int, tables: Tables) -> Iterator[list[str]]:
    """Each row with a text for every column, empty where none is. Raises `DocumentUnreadable` at what is too much.

    A cell belongs to all rows that it spans; it names all columns that it spans where it stands among the first
    `headers` rows, and is told in the first of them elsewhere.
    """
    hanging: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows):
        told = {column: text for column, (_, text) in hanging.items()}
        hanging = {column: (left - 1, text) for column, (left, text) in hanging.items() if left > 1}
        at = 0
        for cell in row:
            tables.count(cell.columns)
            while at in told:
                at += 1
            for column in range(at, at + cell.columns):
                told[column] = cell.text if column == at or number < headers else ""
                if cell.rows > 1:
                    hanging[column] = (cell.rows - 1, told[column])
            at += cell.columns
        yield tables.counted([told.get(column, "") for column in range(max(told, default=-1) + 1)] if row else [])
