"""Tables of HTML, put as paragraphs into the tree that they stand in, before anything looks for its main text."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from veridic.knowledge.readers.tables import LONGEST_NAME, PAIR, Cell, laid_out, looks_headed, told
from veridic.text.hidden import clean

Element = Any
"""An lxml element; lxml is not typed."""

_CELLS = frozenset({"td", "th"})
_APART = ("br", "p", "div", "li", "dt", "dd", "hr")
"""Elements within a cell whose words do not join those beside them."""

_UNSEEN = ("script", "style", "noscript", "template", "svg")
_LAYOUT = ("h1", "h2", "h3", "table")
"""What only a table holds that places things on a page."""

MOST_COLUMNS, MOST_ROWS = 1000, 65534
"""What a cell spans at most; HTML Standard, 4.9.11."""


def tell(root: Element) -> None:
    """Put a paragraph for each row in the place of every table that holds data."""
    from lxml import etree  # type: ignore[import-untyped]

    for table in list(root.iter("table")):
        _lift(table)
    for table in list(root.iter("table")):
        if not _is_data(table):
            continue
        written = etree.Element("div", table.attrib)
        written.tail = table.tail
        for text in _paragraphs(table):
            etree.SubElement(written, "p").text = text
        table.getparent().replace(table, written)


def _lift(table: Element) -> None:
    """Put the tables within the cells of a table whose rows have names below it, each row led by its outer row's."""
    rows = _rows(table)
    if not _is_headed(rows) and not _has_names(rows):
        return
    below = table
    for row in rows[1:]:
        for inner in [inner for cell in row[1:] for inner in cell.iterchildren("table")]:
            within = _rows(inner)
            headed = _is_headed(within) or looks_headed([list(map(_text, led)) for led in within])
            for number, led in enumerate(within):
                named = number == 0 and headed
                led[0].addprevious(deepcopy(rows[0][0] if named else row[0]))
            inner.getparent().remove(inner)
            below.addnext(inner)
            below = inner


def _is_headed(rows: Sequence[Sequence[Element]]) -> bool:
    return bool(rows) and all(cell.tag == "th" for cell in rows[0])


def _has_names(rows: Sequence[Sequence[Element]]) -> bool:
    """Whether each of several rows begins with a short text of its own; what only places things is not so."""
    names = [_text(row[0]) for row in rows]
    named = all(0 < len(name) <= LONGEST_NAME for name in names)
    return named and PAIR < len(rows) == len(set(names))


def _is_data(table: Element) -> bool:
    """Whether a table holds rows of cells, and is not there to place things on the page."""
    placed = any(inner is not table for inner in table.iter(*_LAYOUT))
    code = any("\n" in "".join(block.itertext()) for block in table.iter("pre"))
    return not placed and not code and any(len(row) > 1 for row in _rows(table))


def _rows(table: Element) -> list[list[Element]]:
    own = table.xpath("./tr | ./thead/tr | ./tbody/tr | ./tfoot/tr")
    rows = ([cell for cell in row if cell.tag in _CELLS] for row in own)
    return [row for row in rows if row]


def _paragraphs(table: Element) -> Iterator[str]:
    for caption in table.iter("caption"):
        yield _text(caption)
    rows = _rows(table)
    while len(rows[0]) == 1:  # a row of one cell above the others is a caption too
        yield _text(rows.pop(0)[0])
    top = _headers(rows)
    named = sum(row[0].tag == "th" for row in rows[top:])
    known = top or named
    spread = laid_out([[_cell(cell) for cell in row] for row in rows], top)
    found = told(list(spread), top if known else None, int(2 * named > len(rows) - top))
    yield from (paragraph for _, paragraph in found)


def _headers(rows: Sequence[Sequence[Element]]) -> int:
    """How many rows at the top name the columns."""
    for number, row in enumerate(rows):
        if row[0].getparent().getparent().tag != "thead" and any(cell.tag != "th" for cell in row):
            return number
    return 1


def _cell(cell: Element) -> Cell:
    return Cell(_text(cell), _span(cell, "colspan", MOST_COLUMNS), _span(cell, "rowspan", MOST_ROWS))


def _span(cell: Element, name: str, most: int) -> int:
    told = cell.get(name, "").strip()
    return min(max(int(told), 1), most) if told.isdecimal() and len(told) <= len(str(most)) else 1


def _text(element: Element) -> str:
    from lxml import etree

    etree.strip_elements(element, *_UNSEEN, with_tail=False)
    for apart in element.iter(*_APART):
        apart.text, apart.tail = f" {apart.text or ''}", f" {apart.tail or ''}"
    return clean(" ".join("".join(element.itertext()).split()))
