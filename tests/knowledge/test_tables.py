"""Tables of documents become records: a header names the columns, names stand before their values, no cell is lost."""

import io
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import docx
import openpyxl
import pytest
from docx.oxml import OxmlElement
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.knowledge.test_chunking import holds
from tests.knowledge.test_formats import beyond
from tests.knowledge.test_readers import blocks, read
from veridic.knowledge.readers.model import Composer
from veridic.knowledge.readers.tables import looks_headed, opening, paragraphs, spelt
from veridic.knowledge.readers.tables import told as sentences_of
from veridic.ports.file_limits import FileLimits
from veridic.text.sentences import is_code, sentences

Rows = Sequence[Sequence[str]]

PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{}</body></html>'

ROOMS = (("Room", "Seats", "Projector"), ("Birch room", "12", "yes"), ("Oak hall", "80"))
"""With a header and a row that lacks a cell."""
TOLD = ["Birch room: Seats is 12. Birch room: Projector is yes.", "Oak hall: Seats is 80."]

GLANCE = (("Opening hours", "9 to 17 on weekdays"), ("Lost keys:", "Report them at the desk."), ("Closed in August",))
"""Names with their values, without a header."""
TOLD_GLANCE = ["Opening hours: 9 to 17 on weekdays.", "Lost keys: Report them at the desk.", "Closed in August"]


def as_markdown(rows: Rows, *, header: bool) -> bytes:
    width = max(map(len, rows))
    above = [] if header else [[""] * width]
    first, *body = ["| " + " | ".join(row) + " |" for row in (*above, *rows)]
    return "\n".join([first, "|---" * width + "|", *body]).encode()


def html_table(rows: Rows, *, header: bool) -> str:
    tags = ["th" if header and not number else "td" for number in range(len(rows))]
    cells = ["".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) for tag, row in zip(tags, rows, strict=True)]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def as_html(rows: Rows, *, header: bool) -> bytes:
    return html_table(rows, header=header).encode()


def as_docx(rows: Rows, *, header: bool) -> bytes:
    document = docx.Document()
    table = document.add_table(0, max(map(len, rows)))
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=False):
            cell.text = text
    if header:
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def as_pptx(rows: Rows, *, header: bool) -> bytes:
    pptx = pytest.importorskip("pptx")
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    table = slide.shapes.add_table(len(rows), max(map(len, rows)), 0, 0, 900, 900).table
    table.first_row = header
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(at, column).text = text
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def told(name: str, content: bytes | str) -> list[str]:
    return [text for _, _, text in blocks(read(name, content)) if text != "The table"]


FORMATS = {
    "a.md": as_markdown,
    "a.html": as_html,
    "a.docx": as_docx,
    "a.pptx": as_pptx,
}


@pytest.mark.parametrize("name", FORMATS)
class TestEveryFormat:
    def test_a_row_names_itself_and_its_columns(self, name: str) -> None:
        assert told(name, FORMATS[name](ROOMS, header=True)) == TOLD

    def test_names_without_a_header_stand_before_their_values(self, name: str) -> None:
        assert told(name, FORMATS[name](GLANCE, header=False)) == TOLD_GLANCE

    def test_what_a_long_header_makes_of_many_rows_is_counted(self, name: str) -> None:
        rows = [("Name", "Long " * 40), *((f"Pier {number}", "1") for number in range(60))]
        assert "CHARACTERS" in beyond(name, FORMATS[name](rows, header=True), FileLimits(characters=5_000))


CELLS = st.text(st.sampled_from("abcXYZ019 .,:?-é橋"), max_size=20)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(CELLS, max_size=4), max_size=6), st.sampled_from([None, 0, 1, 2]), st.integers(0, 1))
def test_no_word_of_a_cell_is_lost(rows: list[list[str]], headers: int | None, named: int) -> None:
    cleaned = [Composer().cells(row) for row in rows]
    text = " ".join(paragraph for _, paragraph in sentences_of(cleaned, headers, named))
    above = opening(cleaned) if headers is None else 0
    top = above + (looks_headed(cleaned[above:]) if headers is None else headers)
    for row in (*cleaned[:above], *cleaned[top:]):
        for cell in row:
            assert set(re.findall(r"\w+", cell)) <= set(re.findall(r"\w+", text))


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.docx"])
@settings(max_examples=20, deadline=None)
@given(rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5), header=st.booleans())
def test_chunks_of_any_table_hold_it(name: str, rows: list[list[str]], header: bool) -> None:
    rows[-1][0] = "named"
    holds(read(name, FORMATS[name](rows, header=header)))


def test_a_row_of_markdown_knows_its_line_and_has_no_markup() -> None:
    page = "# T\n\n| `name` | *what* |\n|---|---|\n| `VERIDIC_KB` | the **file** \\| a [path](x) |\n| b | c |\n"
    assert blocks(read("a.md", page)) == [
        ("T", "line 5", "VERIDIC_KB: what is the file | a path."),
        ("T", "line 6", "b: what is c."),
    ]


def test_a_row_with_the_names_of_settings_is_prose() -> None:
    row = "| `VERIDIC_RATE` | 120/minute | | Requests that a caller may make, for example 120/minute. |"
    [text] = told("a.md", f"| name | default | bounds | meaning |\n|---|---|---|---|\n{row}\n")
    assert text.startswith("VERIDIC_RATE: default is 120/minute. VERIDIC_RATE, meaning: Requests that")
    assert not is_code(text)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("<tr><th>Architect</th><td>Clara Voss</td></tr><tr><th>Opened</th><td>1932</td></tr>",
         ["Architect: Clara Voss.", "Opened: 1932."]),
        ("<tr><th colspan=2>Alder Bridge</th></tr><tr><th>Architect</th><td>Clara Voss</td></tr>",
         ["Alder Bridge", "Architect: Clara Voss."]),
        ("<caption>Fares</caption><thead><tr><td>Ferry</td><td>Fare</td></tr></thead><tr><td>Gull</td><td>2</td></tr>",
         ["Fares", "Gull: Fare is 2."]),
        ("<tr><th rowspan=2>Plan<th colspan=2>Price<tr><th>2023<th>2024<tr><td>Harbour<td>30<td>40",
         ["Harbour: Price 2023 is 30. Harbour: Price 2024 is 40."]),
        ("<tr><th>Pier<th>Berth<th>Depth<tr><td rowspan=2>North<td>One<td>9 m<tr><td>Two<td>8 m",
         ["One: Pier is North. One: Depth is 9 m.", "Two: Pier is North. Two: Depth is 8 m."]),
        ("<tr><th>Year<th>Toll<th>Mayor<tr><th>1932<td>2<td>Voss<tr><th>1951<td>3<td>Lund",
         ["Year 1932: Toll is 2. Year 1932: Mayor is Voss.", "Year 1951: Toll is 3. Year 1951: Mayor is Lund."]),
        ("<tr><td>Ferry<td>Fare<tr><td>Gull<td><style>p {}</style>two<br>pence<ul><li>cash<li>card</ul>",
         ["Ferry: Fare.", "Gull: two pence cash card."]),
        ("<tr><td>Course<td>When<tr><td>Pottery<td><ul><li>Monday<li>Friday</ul><tr><td>Weaving<td><table><tr><td>Day"
         "<td>Hour<tr><td>Tuesday<td>19:00<tr><td>Sunday<td>11:00</table>",
         ["Course: When.", "Pottery: Monday Friday.", "Weaving", "Tuesday: Course is Weaving. Tuesday: Hour is 19:00.",
          "Sunday: Course is Weaving. Sunday: Hour is 11:00."]),
        ("<tr><td><h2>News</h2>It opened.<td>About us", ["It opened.", "About us"]),
        ("<tr><td><pre>1\n2</pre><td><pre>a = 1\nb = 2</pre>", ["```\n1\n2\n```", "```\na = 1\nb = 2\n```"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("long", ["", "<p>" + "The bridge was opened by the mayor of the town. " * 15 + "</p>"])
def test_what_html_says_of_its_tables(table: str, expected: list[str], long: str) -> None:
    page = PAGE.format(f"<article><h1>Page</h1><p>First.</p>{long}<table>{table}</table></article>")
    assert told("a.html", page)[2 if long else 1 :] == expected


def merged(change: Callable[[Any], None]) -> bytes:
    document = docx.Document()
    table = document.add_table(3, 3)
    for at, text in enumerate(("Pier", "Berth", "Depth", "North", "One", "9 m", "", "Two", "8 m")):
        table.cell(at // 3, at % 3).text = text
    change(table)
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def test_merged_cells_of_word_keep_their_columns() -> None:
    over_rows = merged(lambda table: table.cell(1, 0).merge(table.cell(2, 0)))
    assert told("a.docx", over_rows) == [
        "One: Pier is North. One: Depth is 9 m.",
        "Two: Pier is North. Two: Depth is 8 m.",
    ]
    over_columns = merged(lambda table: table.cell(1, 0).merge(table.cell(1, 1)))
    assert told("a.docx", over_columns) == ["North One: Depth is 9 m.", "Row 3: Berth is Two. Row 3: Depth is 8 m."]


def test_a_row_of_one_cell_above_the_header_is_text() -> None:
    rows = [("Rooms of the house", "", ""), *ROOMS]
    assert told("a.docx", as_docx(rows, header=False)) == ["Rooms of the house", *TOLD]


TRADE = [
    ["Trade terms, per sack", None, None, None, None],
    [],
    ["Product", "Sack kg", "1 to 9", "10 and more", "Days"],
    ["Fine", 25, 38.4, 35.1, 3],
    ["Coarse", 20, 46, 41.8, 4],
    [],
    ["Wet", 20, 40, 36, 4],
    [],
    ["Zone", "Parcel", "Pallet"],
    ["Island", "free", 18],
    ["North", 11.4, 82],
    ["Abroad", 29.5, "ask Bram"],
    [],
    ["Abroad is never free of carriage. Payment is due within 21 days; first orders are paid in advance."],
]


def test_a_sheet_has_as_many_tables_as_have_names_of_columns_over_numbers() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in TRADE:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    said = told("terms.xlsx", content.getvalue())
    assert "Coarse: 1 to 9 is 46." in " ".join(said)
    assert "Wet: Sack kg is 20." in " ".join(said), "below an empty row the table goes on"
    assert "North: Parcel is 11.4. North: Pallet is 82." in said
    assert said[-1] == TRADE[-1][0]


@pytest.mark.parametrize(
    ("rows", "headed"),
    [
        ([], False),
        ([["Name", "Role", "Office"], ["Ann", "cook", "3"]], True),
        ([["Year", "Toll"], ["1932", "2"], ["none", ""]], True),
        ([["Opening hours", "9 to 17"], ["Closed", "on Sunday"]], False),
        ([["Captain", "Anna Holt"], ["Cook", "Peter Lund"]], False),
        ([["Fire", "112"], ["Desk", "4417"]], False),
        ([["only", "row"]], False),
    ],
)
def test_whether_a_table_looks_headed(rows: Rows, headed: bool) -> None:
    assert looks_headed(rows) is headed


@pytest.mark.parametrize(
    "page", ["<table></table>", "<table><tr></tr></table>", "<table><tr><td></td><td></td></tr></table>"]
)
def test_an_empty_table_is_nothing(page: str) -> None:
    assert told("a.html", f"<p>Before.</p>{page}") == ["Before."]


def test_a_table_of_one_row_or_one_column_is_text() -> None:
    assert told("a.md", "| a | b |\n|---|---|\n") == ["a, b."]
    assert told("a.docx", as_docx([("one",), ("two",)], header=False)) == ["one", "two"]


def test_each_value_is_a_sentence_of_its_own_whatever_its_row_is_called() -> None:
    rows = (("files", "needs", "size"), ("scanned PDF, PNG", "ocr", "20 MB"), ("Oven", "guard of class B", "small"))
    assert told("a.md", as_markdown(rows, header=True)) == [
        "scanned PDF, PNG: needs is ocr.",
        "scanned PDF, PNG: size is 20 MB.",
        "Oven: needs is guard of class B.",
        "Oven: size is small.",
    ]


@pytest.mark.parametrize(
    ("name", "said"), [("max_users", "max users"), ("_", "_"), ("snake_case name", "snake_case name")]
)
def test_how_a_column_is_said(name: str, said: str) -> None:
    assert spelt(name) == said


NAMES = st.sampled_from(["pump", "Pump", "iPhone", "Vitamin C", "Alder Inc", "e.g", "°C", "x"])


@given(NAMES, st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=4))
def test_what_is_told_is_cut_into_what_was_told(name: str, fields: list[tuple[str, str]]) -> None:
    cut = [one.text for paragraph in paragraphs(name, fields) for one in sentences(paragraph)]
    assert cut == [f"{name}: {field} is {value}." for field, value in fields]
