"""Tables and records as stored text: a row becomes sentences that each name it and their column.

A judge reads prose and no tables: of ten questions to a table of eight rows none was answered as it stands, and nine
where each cell is a sentence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, takewhile, zip_longest

from veridic.text.sentences import ends_before

NAMING_COLUMNS = 3
"""Columns, at most, that name a row together."""

PAIR = 2
"""Columns of a table without a header that is read as names and their values."""

LONG = 160
"""Characters above which a value is a text of its own."""

LONGEST_NAME = 60
"""Characters of a text that may name a record."""

FEWER = 2 / 3
"""Of the cells of a table's rows, at most so many has a row above it, and more than so many the one with its names."""

LOOKED_AT = 20
"""Rows at the top of a sheet among which one may name its columns."""

ENDS = (".", "!", "?")

_MARKS = " :?.!"
"""What may stand behind the name of a column."""

_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Cell:
    """What a cell says and how far it reaches."""

    text: str
    columns: int = 1
    rows: int = 1


def told(rows: Rows, headers: int | None = None, named: int = 0) -> Iterator[tuple[int, str]]:
    """The paragraphs of one table, each with the number of the row it tells, from 0.

    `headers` rows at the top name the columns; None: as it looks, where rows of one cell above them are text. The
    first `named` columns name the rows, those that do it best where there are none.
    """
    above = opening(rows) if headers is None else 0
    top = int(looks_headed(rows[above:])) if headers is None else headers
    yield from ((number, cell) for number, row in enumerate(rows[:above]) for cell in row if cell)
    columns = _columns(rows[above : above + top])
    body = [(number, row) for number, row in enumerate(rows) if number >= above + top and any(row)]
    width = max((len(row) for _, row in body), default=0)
    by = tuple(range(named)) or naming_columns([row for _, row in body])
    for number, row in body:
        paragraphs = _record(columns, row, by, number - above) if columns or width > PAIR else _pair(row)
        yield from ((number, paragraph) for paragraph in paragraphs)
    if columns and not body:
        yield above, ", ".join(filter(None, columns)) + "."


def _record(columns: Sequence[str], row: Sequence[str], by: Sequence[int], number: int) -> list[str]:
    cells = list(enumerate(zip_longest(columns, row, fillvalue="")))
    name = ", ".join(_called(*cells[at][1]) for at in by if at < len(row) and row[at]) or f"Row {number + 1}"
    fields = [field for at, field in cells if at not in by]
    unnamed = ", ".join(cell for column, cell in fields if cell and not column)
    told = list(paragraphs(name, [field for field in fields if field[0]]))
    return [*told, ended(f"{name}: {unnamed}")] if unnamed else told or [name]


def _called(column: str, cell: str) -> str:
    """What a cell says of its row's name: a bare number with what it numbers, as in Week 24."""
    return f"{column.rstrip(_MARKS)} {cell}".lstrip() if cell.isdecimal() else cell


def _pair(row: Sequence[str]) -> list[str]:
    """A name and its value; a cell alone is a text."""
    told = [cell for cell in row if cell]
    return [ended(f"{told[0].rstrip(' :')}: {told[1]}")] if len(told) == PAIR else told


def _columns(headers: Rows) -> list[str]:
    """The name of each column from the rows that name them, those above it before it; empty where none does."""
    names = [
        " ".join(dict.fromkeys(map(spelt, filter(None, column)))) for column in zip_longest(*headers, fillvalue="")
    ]
    return names if any(names) else []


def spelt(name: str) -> str:
    """A column's name as it is said: `max_users` is max users."""
    return name if " " in name else " ".join(filter(None, name.split("_"))) or name


def naming_columns(rows: Rows) -> tuple[int, ...]:
    """The columns by which a row is called: the fewest of the first that tell every row apart.

    Those of words come before others, and quantities are asked for where there is anything else. A code that tells
    every row apart stands before the words, since people ask by either. Where none tell the
    rows apart, it is the first, with a quantity that several rows share if that does: a tin of 0.75 l and one of 2.5 l
    of each oil. None where all are too long for a name.
    """
    width = max(map(len, rows), default=0)
    columns = [[row[at] if at < len(row) else "" for row in rows] for at in range(min(width, NAMING_COLUMNS))]
    short = [at for at, cells in enumerate(columns) if all(len(cell) <= LONGEST_NAME for cell in cells)]
    names = [at for at in short if not any(map(_is_quantity, columns[at]))] or short
    words = [at for at in names if all(map(_is_name, columns[at]))]
    sizes = [(*names[:1], at) for at in short if at not in names and len(set(columns[at])) < len(rows)]
    several = (chosen for of in (words, names) for most in range(len(of)) for chosen in combinations(of, most + 1))
    choices = chain(several, sizes)
    found = next((chosen for chosen in choices if _tell_apart(columns, chosen)), tuple(names[:1]))
    codes = [at for at in names[:1] if at not in found and _are_codes(columns[at])]
    return (*codes, *found)


def _tell_apart(columns: Sequence[Sequence[str]], chosen: Sequence[int]) -> bool:
    together = list(zip(*(columns[at] for at in chosen), strict=True))
    return len(set(together)) == len(together)


def _is_name(cell: str) -> bool:
    """Whether a cell has words and is neither a sentence, nor a code (TK-300), nor, as 12 kg is, a quantity."""
    return any(map(str.isalpha, cell)) and not _is_code(cell) and not cell[0].isdigit() and not cell.endswith(ENDS)


def _are_codes(cells: Sequence[str]) -> bool:
    """Whether cells are mostly codes, each another."""
    return len(set(cells)) == len(cells) and sum(map(_is_code, cells)) > len(cells) / 2


def _is_code(cell: str) -> bool:
    """Whether a cell is one word with letters and digits, as TK-300 is."""
    return " " not in cell and _has_digit(cell) and any(map(str.isalpha, cell))


def _is_quantity(cell: str) -> bool:
    """Whether a cell is a number with a unit, a sign or decimals, and neither a date nor what may number a thing."""
    return _has_digit(cell) and not cell[0].isalpha() and not cell.isdecimal() and not _DATE.match(cell)


def names_columns(row: Sequence[str]) -> bool:
    """Whether a first row may name the columns: words, each another, or years that follow one another."""
    told = [cell for cell in row if cell]
    years = [int(cell) for cell in told if cell.isdecimal() and len(cell) == len("2026")]
    named = [cell for cell in told if any(map(str.isalpha, cell)) and len(cell) <= LONGEST_NAME]
    follow = len(years) > 1 and all(later - year == 1 for year, later in pairwise(years))
    all_named = len(named) + (len(years) if follow else 0) == len(told)
    return len(told) > len(row) / 2 and all_named and len(set(told)) == len(told)


def named_at(rows: Rows) -> int | None:
    """Which row of a sheet names its columns, the first or one below others that have far fewer cells; None: none."""
    filled = [sum(map(bool, row)) for row in rows]
    for at, row in enumerate(rows[:LOOKED_AT]):
        below = sorted(filled[at + 1 :]) or [filled[at]]
        most = max(filled[:at], default=0)
        full = filled[at] + (not row[0])  # the corner above names of rows may be empty
        if most <= FEWER * full and below[len(below) // 2] * FEWER < full and names_columns(row):
            return at if full > 1 or max(filled) == 1 else None
    return None


def stacked(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """The names of columns that two rows give together: the upper one groups some of them, and names the others alone.

    Empty where the rows are not of this kind.
    """
    columns = list(zip_longest(upper, lower, fillvalue=""))
    grouped = [at for at, (group, name) in enumerate(columns) if name and not group and at]
    several = [name for name in lower if name and list(lower).count(name) > 1]
    fit = all(bool(name) == (at + 1 in grouped) or name in several for at, (group, name) in enumerate(columns) if group)
    if not grouped or not fit or not all(map(any, columns)) or all(columns[0]):
        return []
    group, names = "", []
    for above, name in columns:
        group = above or group
        names.append(f"{group} {name}".strip())
    return names if names_columns(names) else []


def heads_numbers(rows: Rows) -> bool:
    """Whether the first row names columns, one of which has mostly numbers below a name without any."""
    if len(rows) < PAIR or not names_columns(rows[0]):
        return False
    below = ([cell for cell in column if cell] for column in zip_longest(*rows[1:], fillvalue=""))
    numbers = (sum(map(_has_digit, cells)) > len(cells) / 2 for cells in below)
    return any(name and not _has_digit(name) and count for name, count in zip(rows[0], numbers, strict=False))


def opening(rows: Rows) -> int:
    """How many rows at the top hold one cell at most."""
    return sum(1 for _ in takewhile(lambda row: sum(map(bool, row)) <= 1, rows))


def looks_headed(rows: Rows) -> bool:
    """Whether a table of a document, which does not say so, begins with the names of its columns.

    One of two columns does where they name numbers; otherwise it is taken for names with their values.
    """
    if not rows or not names_columns(rows[0]):
        return False
    if max(map(len, rows)) > PAIR:
        return True
    first, *values = [row[-1] for row in rows if len(row) == PAIR and all(row)] or [""]
    return bool(values) and not _has_digit(first) and all(map(_has_digit, values))


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def laid_out(rows: Sequence[Sequence[Cell]], headers: int) -> Iterator[list[str]]:
    """Each row with a text for every column, empty where none is.

    A cell belongs to all rows that it spans; it names all columns that it spans where it stands among the first
    `headers` rows, and is told in the first of them elsewhere.
    """
    hanging: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows):
        told = {column: text for column, (_, text) in hanging.items()}
        hanging = {column: (left - 1, text) for column, (left, text) in hanging.items() if left > 1}
        at = 0
        for cell in row:
            while at in told:
                at += 1
            for column in range(at, at + cell.columns):
                told[column] = cell.text if column == at or number < headers else ""
                if cell.rows > 1:
                    hanging[column] = (cell.rows - 1, told[column])
            at += cell.columns
        width = max(told, default=-1) + 1 if row else 0
        yield [told.get(column, "") for column in range(width)]


def paragraphs(name: str, fields: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A record as paragraphs: a sentence for each short value, all together, and each long value for itself.

    A value that is a sentence stands as it is behind what it is of. Where a sentence's end would not be seen, before a
    small letter or behind "class B", the next one begins a paragraph.
    """
    sentences, texts = [], []
    for field, value in fields:
        told = value.strip()
        said = field.rstrip(_MARKS)
        above = ", ".join(part for part in (name, said) if part)
        if len(told) > LONG or "\n" in told:
            texts.append(f"{above}: {told}" if above else told)
        elif told[:1].isupper() and told.endswith(ENDS) and above:
            sentences.append(f"{above}: {told}")
        elif told:
            sentences.append(ended(f"{name}: {said} is {told}" if name else f"{said} is {told}"))
    yield from _together(sentences)
    yield from texts


def _together(sentences: Iterable[str]) -> Iterator[str]:
    """Sentences as few paragraphs."""
    told, last = "", ""
    for sentence in sentences:
        if told and not ends_before(last, sentence):
            yield told
            told = ""
        told, last = f"{told} {sentence}".lstrip(), sentence
    if told:
        yield told


def ended(sentence: str) -> str:
    """A sentence with a mark at its end."""
    return sentence if sentence.endswith(ENDS) else f"{sentence}."
