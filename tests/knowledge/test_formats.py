"""The readers of data, books, slides and documentation, each on a small real file made here."""

import csv
import io
import json
import zipfile
from collections.abc import Sequence
from datetime import time, timedelta
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.knowledge.test_chunking import holds
from tests.knowledge.test_readers import blocks, read, refused
from veridic.errors import DocumentUnreadable
from veridic.knowledge.chunking import chunked
from veridic.knowledge.readers import files
from veridic.knowledge.readers.sheets import as_shown
from veridic.knowledge.readers.tables import naming_columns
from veridic.ports.file_limits import FileLimits
from veridic.text.hidden import clean

BRIDGES = [
    ["Bridge", "Opened", "Architect"],
    ["Alder Bridge", "1932", "Clara Voss"],
    ["Marsh Bridge", "1951", "Peter Lund"],
]


def texts(name: str, content: bytes | str) -> list[str]:
    return [text for _, _, text in blocks(read(name, content))]


def beyond(name: str, content: bytes, limits: FileLimits) -> str:
    with pytest.raises(DocumentUnreadable) as caught:
        files.parse(Path(name), content, limits)
    return str(caught.value)


def separated(rows: Sequence[Sequence[str]], separator: str = ",") -> bytes:
    held = io.StringIO()
    csv.writer(held, delimiter=separator).writerows(rows)
    return held.getvalue().encode()


class TestSeparated:
    def test_every_sentence_names_its_row_and_its_column(self) -> None:
        assert blocks(read("a.csv", separated(BRIDGES))) == [
            ("", "row 2", "Alder Bridge: Opened is 1932. Alder Bridge: Architect is Clara Voss."),
            ("", "row 3", "Marsh Bridge: Opened is 1951. Marsh Bridge: Architect is Peter Lund."),
        ]

    @pytest.mark.parametrize("separator", list(",;\t|"))
    def test_the_separator_is_told_from_the_rows(self, separator: str) -> None:
        assert texts("a.csv", separated(BRIDGES, separator)) == texts("a.csv", separated(BRIDGES))
        assert texts("a.tsv", separated(BRIDGES, "\t")) == texts("a.csv", separated(BRIDGES))

    def test_a_cell_may_be_a_long_text(self) -> None:
        assert len(texts("a.csv", f"Bridge;Told\nAlder;{'It is old. ' * 20_000}\n")) == 1

    def test_values_without_the_names_of_columns_are_called_nothing_and_that_is_said(self) -> None:
        document = read("a.csv", "Alder,1932,4\nMarsh,1951,9\n")
        assert [text for _, _, text in blocks(document)] == ["Alder: 1932, 4.", "Marsh: 1951, 9."]
        assert document.unread.startswith("No row names the columns")

    @pytest.mark.parametrize("corner", ["", "Region"])
    def test_years_may_name_columns_and_the_corner_may_be_empty(self, corner: str) -> None:
        assert texts("a.csv", f"{corner},2024,2025\nNorth,120,135\nSouth,98,110\n") == [
            "North: 2024 is 120. North: 2025 is 135.",
            "South: 2024 is 98. South: 2025 is 110.",
        ]

    @pytest.mark.parametrize(
        "above",
        ["Region,2026,,Rate\n,Q1,Q2,\n", ",2026,,Rate\nRegion,Q1,Q2,\n", "All of it,,,\nRegion,2026,,Rate\n,Q1,Q2,\n"],
    )
    def test_two_rows_name_columns_together(self, above: str) -> None:
        assert texts("a.csv", f"{above}North,120,135,7 %\nSouth,98,110,8 %\n")[-2:] == [
            "North: 2026 Q1 is 120. North: 2026 Q2 is 135. North: Rate is 7 %.",
            "South: 2026 Q1 is 98. South: 2026 Q2 is 110. South: Rate is 8 %.",
        ]

    def test_a_group_of_columns_may_be_one_whose_name_below_is_another_s_too(self) -> None:
        found = texts("a.csv", "Part,2025,,2026\n,planned,spent,planned\nRoof,120,131,0\nWindows,80,76,40\n")
        assert found[0] == "Roof: 2025 planned is 120. Roof: 2025 spent is 131. Roof: 2026 planned is 0."

    def test_a_row_with_gaps_alone_is_no_header_of_two_rows(self) -> None:
        found = texts("a.csv", "Name,Floor,Desk,Phone\nAnna,,Blue,x\nBo,Second,Green,y\n")
        assert found == [
            "Anna: Desk is Blue. Anna: Phone is x.",
            "Bo: Floor is Second. Bo: Desk is Green. Bo: Phone is y.",
        ]

    @pytest.mark.parametrize(
        "above",
        ["Bank of Ashford;;\nStatement;;\n;;\n", "Account:;DE12 3456;\nPeriod: 01.05. - 31.05.;;\n", "\n\n"],
    )
    def test_the_names_of_columns_are_found_below_what_stands_above_them(self, above: str) -> None:
        rows = "Date;Payee;Amount\n03.05.2026;Kvarn Bakery;-45,20\n09.05.2026;Salary Nordwind;2.850,00\n"
        found = blocks(read("a.csv", above + rows))
        first = above.count("\n") + 2
        assert found[-2:] == [
            ("", f"row {first}", "Kvarn Bakery: Date is 03.05.2026. Kvarn Bakery: Amount is -45,20."),
            ("", f"row {first + 1}", "Salary Nordwind: Date is 09.05.2026. Salary Nordwind: Amount is 2.850,00."),
        ]

    def test_what_stands_above_the_rows_tells_no_separator(self) -> None:
        found = texts("a.csv", "Sales, all regions\n\nName;Sales\nAlpha;1.200,00\nBeta;300,50\n")
        assert found[1:] == ["Alpha: Sales is 1.200,00.", "Beta: Sales is 300,50."]

    def test_two_columns_without_a_header_are_names_and_values(self) -> None:
        assert texts("a.csv", "Alder,1932\nMarsh,1951\n") == ["Alder: 1932.", "Marsh: 1951."]

    def test_a_value_that_is_a_sentence_stays_one(self) -> None:
        assert texts("a.csv", "Code,Level,Meaning\nE01,3,The inlet is blocked.\nE02,1,It is too hot.\n") == [
            "E01: Level is 3. E01, Meaning: The inlet is blocked.",
            "E02: Level is 1. E02, Meaning: It is too hot.",
        ]

    def test_a_long_cell_is_prose_under_its_row_s_name(self) -> None:
        history = "The pier was rebuilt after the flood.\nIt took a year."
        found = texts(
            "a.csv", separated([["Bridge", "Opened", "History"], ["Alder", "1932", history], ["Elm", "1", "x"]])
        )
        assert found[:2] == ["Alder: Opened is 1932.", f"Alder, History: {history}"]

    def test_no_chunk_of_a_long_file_has_a_row_without_its_columns(self) -> None:
        rows = [[f"Bridge {number}", str(1500 + number), f"Architect {number}"] for number in range(400)]
        document = read("a.csv", separated([BRIDGES[0], *rows]))
        holds(document)
        found = chunked(document)
        assert len(found) > 10
        for number in range(400):
            [chunk] = [chunk for chunk in found if f"Bridge {number}: Opened is {1500 + number}." in chunk.text]
            assert f"Bridge {number}: Architect is Architect {number}." in chunk.text

    def test_what_is_refused(self) -> None:
        rows = separated([BRIDGES[0], *BRIDGES[1:] * 100])
        assert "CHARACTERS" in beyond("a.csv", rows, FileLimits(characters=2_000))

    @pytest.mark.parametrize(
        ("rows", "named_by"),
        [
            ([["17", "Alder"], ["18", "Marsh"]], (1,)),
            ([["TK-300", "Badger kettle", "38.00"], ["TK-100", "Heron kettle", "52.00"]], (0, 1)),
            ([["K4", "Garden pump"], ["K40 MkII", "Transfer pump"], ["K44", "Site pump"]], (0, 1)),
            ([["Heron 2", "open"], ["Heron 3", "shut"]], (0,)),
            ([["Norway", "2004", "a"], ["Norway", "2005", "a"], ["Sweden", "2004", "a"]], (0, 1)),
            ([["1932-05-14", "3.1"], ["1932-05-15", "3.1"]], (0,)),
            ([["x" * 80, "Alder"], ["y" * 80, "Marsh"]], (1,)),
            ([["E01", "It is blocked."], ["E02", "It is hot."]], (0,)),
            ([["TK-300", "12 kg"], ["TK-500", "19 kg"]], (0,)),
            (
                [["C01", "Nail clipping", "dog"], ["C02", "Nail clipping", "cat"], ["C03", "Microchip", "dog"]],
                (0, 1, 2),
            ),
            ([["C01", "Desk", "oak"], ["C02", "Desk", "oak"]], (0,)),
            ([["Kite", "40 EUR", "55 EUR"], ["Kite", "42 EUR", "57 EUR"]], (0,)),
            (
                [["03.05.2026", "Kvarn", "-4,20"], ["03.05.2026", "Linde", "-9,00"], ["04.05.2026", "Kvarn", "3"]],
                (0, 1),
            ),
            (
                [["Oil", "1.5 l", "6.5"], ["Oil", "2.5 l", "9.00"], ["Wax", "1.5 l", "4.5"], ["Wax", "2.5 l", "9.00"]],
                (0, 1),
            ),
            ([["-4,20", "12 kg"], ["-9,00", "12 kg"]], (0,)),
            ([], ()),
        ],
    )
    def test_what_names_a_row(self, rows: list[list[str]], named_by: tuple[int, ...]) -> None:
        assert naming_columns(rows) == named_by

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30), max_size=5), max_size=9)
    )
    def test_no_cell_is_lost(self, rows: list[list[str]]) -> None:
        content = separated(rows)
        # a file of separators alone has no cell
        assume(any(clean(cell).strip(" ;\t|") for row in rows for cell in row))
        holds(read("a.csv", content))


def workbook(**sheets: Sequence[Sequence[object]]) -> bytes:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def with_part(archive: bytes, name: str, content: bytes) -> bytes:
    """A zip archive with one of its parts replaced."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            if entry.filename != name:
                new.writestr(entry.filename, old.read(entry))
        new.writestr(name, content)
    return made.getvalue()


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha ha ha ha ha ha ha ha">'
    b'<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">'
    b'<!ENTITY d SYSTEM "file:///etc/passwd">]>'
)
"""Entities that grow, and one that opens a file."""


class TestXlsx:
    def test_sheets_are_headings_and_rows_are_records(self) -> None:
        ferries = [["Ferries of the county"], [], ["Ferry", "Captain", "Fare"], ["Gull", "Anna Holt", 1.5]]
        assert blocks(read("a.xlsx", workbook(Ferries=ferries, Bridges=BRIDGES))) == [
            ("Ferries", "row 1", "Ferries of the county"),
            ("Ferries", "row 4", "Gull: Captain is Anna Holt. Gull: Fare is 1.5."),
            ("Bridges", "row 2", "Alder Bridge: Opened is 1932. Alder Bridge: Architect is Clara Voss."),
            ("Bridges", "row 3", "Marsh Bridge: Opened is 1951. Marsh Bridge: Architect is Peter Lund."),
        ]

    @pytest.mark.parametrize(
        ("value", "code", "shown"),
        [
            (0.19, "0%", "19%"),
            (0.125, "0.0 %", "12.5 %"),
            (1250, '#,##0.00 "EUR"', "1,250.00 EUR"),
            (3400.5, "#,##0.00\\ [$€-407]", "3,400.50 €"),
            (12, "[$$-409]#,##0", "$12"),
            (-5.5, "#,##0.00_);[Red](#,##0.00)", "(5.50)"),
            (31250.5, '_-* #,##0.00 "kr"_-;-* #,##0.00 "kr"_-;_-* "-"??_-;_-@_-', "31,250.50 kr"),
            (-120, '_-* #,##0.00\\ "kr"_-;\\-* #,##0.00\\ "kr"_-', "-120.00 kr"),
            (-3, "0", "-3"),
            (7, "000", "007"),
            (2.5, "0.##", "2.5"),
            (10, "0.##", "10"),
            (1e6, '#,##0,,"M"', "1M"),
            (44, '0" pcs"', "44 pcs"),
            (0.1 + 0.2, "General", "0.3"),
            (0.5, "# ?/?", "0.5"),
            (1234.5, "0.00E+00", "1234.5"),
            (5, "@", "5"),
        ],
    )
    def test_numbers_are_as_the_cell_shows_them(self, value: float, code: str, shown: str) -> None:
        assert as_shown(value, code) == shown
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.load_workbook(io.BytesIO(workbook(One=[["Thing", "Number"], ["Lamp", value]])))
        book.active["B2"].number_format = code
        held = io.BytesIO()
        book.save(held)
        assert texts("a.xlsx", held.getvalue()) == [f"Lamp: Number is {shown}."]

    def test_entities_are_never_expanded(self) -> None:
        sheet = (
            LAUGHS
            + b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">'
            b'<c r="A1" t="inlineStr"><is><t>&c;&d;</t></is></c></row></sheetData></worksheet>'
        )
        spoiled = with_part(workbook(One=BRIDGES), "xl/worksheets/sheet1.xml", sheet)
        assert "corrupt" in refused("a.xlsx", spoiled)

    def test_what_unpacks_to_too_much_is_refused(self) -> None:
        bomb = with_part(workbook(One=BRIDGES), "xl/media/a.bin", b"\0" * 2_000_000)
        assert len(bomb) < 20_000
        assert "UNPACKED_BYTES" in beyond("a.xlsx", bomb, FileLimits(unpacked_bytes=1_000_000))

    def test_a_length_of_time_is_told_in_hours(self) -> None:
        made = workbook(One=[["Who", "Worked"], ["Anna", timedelta(hours=36, minutes=5)]])
        assert texts("a.xlsx", made) == ["Anna: Worked is 36:05."]

    def test_a_cell_over_several_rows_belongs_to_each_of_them(self) -> None:
        openpyxl = pytest.importorskip("openpyxl")
        rows = [
            ["Ward", "Shift", "From"],
            ["A", "early", time(6, 30)],
            [None, "late", time(14, 0)],
            ["B", "early", time(7, 15)],
        ]
        book = openpyxl.load_workbook(io.BytesIO(workbook(One=rows)))
        book["One"].merge_cells("A2:A3")
        book["One"].merge_cells("D9:D12")
        held = io.BytesIO()
        book.save(held)
        assert texts("a.xlsx", held.getvalue()) == [
            "A, early: From is 06:30.",
            "A, late: From is 14:00.",
            "B, early: From is 07:15.",
        ]

    def test_what_is_left_out_of_a_workbook_is_said(self) -> None:
        openpyxl = pytest.importorskip("openpyxl")
        made = workbook(
            Budget=[["Post", "Net", "Gross"], ["Paint", 100, "=B2*2"], ["Wood", 250, "=B3*2"]], Pins=[["a"]]
        )
        book = openpyxl.load_workbook(io.BytesIO(made))
        book["Pins"].sheet_state = "hidden"
        held = io.BytesIO()
        book.save(held)
        document = read("a.xlsx", held.getvalue())
        assert [text for _, _, text in blocks(document)] == ["Paint: Net is 100.", "Wood: Net is 250."]
        assert document.unread.startswith("Hidden sheets are left out: Pins. 2 of its formulas have no value: ")


class TestJson:
    def test_records_are_sentences_under_their_names(self) -> None:
        content = json.dumps(
            {"county": "Marshland", "bridges": [dict(zip(BRIDGES[0], row, strict=True)) for row in BRIDGES[1:]]}
        )
        assert blocks(read("a.json", content)) == [
            ("", "record 1", "county is Marshland."),
            ("bridges", "record 1", "Alder Bridge: Opened is 1932. Alder Bridge: Architect is Clara Voss."),
            ("bridges", "record 2", "Marsh Bridge: Opened is 1951. Marsh Bridge: Architect is Peter Lund."),
        ]

    def test_the_keys_of_records_are_spelt(self) -> None:
        content = json.dumps(
            {"max_open": 3, "boats": [{"name": "Tern", "hire_per_day_gbp": 85, "used_for": "courses"}]}
        )
        assert [text for _, _, text in blocks(read("a.json", content))] == [
            "max_open is 3.",
            "Tern: hire per day gbp is 85. Tern: used for is courses.",
        ]

    def test_what_is_nested_knows_what_it_is_of(self) -> None:
        about = "The library was founded by a weaver. It burned in 1902.\nIt was rebuilt."
        record = {"name": "Marsh Library", "open": True, "rent": None, "address": {"city": "Marsh"}, "about": about}
        assert blocks(read("a.jsonl", json.dumps(record) + "\n\n" + json.dumps({"id": 7, "tags": ["a", "b"]}))) == [
            ("", "line 1", "Marsh Library: open is true."),
            ("", "line 1", f"Marsh Library, about: {about}"),
            ("", "line 1", "Marsh Library, address: city is Marsh."),
            ("", "line 3", "7: tags is a, b."),
        ]

    def test_keys_that_lead_on_are_headings(self) -> None:
        assert blocks(read("a.json", '{"server": {"http": {"port": 8080}}, "list": [1, 2]}')) == [
            ("", "record 1", "list is 1, 2."),
            ("server > http", "record 1", "server, http: port is 8080."),
        ]

    def test_what_is_refused(self) -> None:
        assert "not JSON" in refused("a.json", b'{"a": ')
        assert "Line 2 is not JSON" in refused("a.jsonl", b'{"a": 1}\n{"a"')
        assert "nested more than 100 deep" in refused("a.json", b'{"a":' * 150 + b"1" + b"}" * 150)
        assert "nested more than 100 deep" in refused("a.json", b"[" * 100_000)
        assert "CHARACTERS" in beyond(
            "a.json", json.dumps([{"n": "x" * 100}] * 90).encode(), FileLimits(characters=5_000)
        )

    @settings(max_examples=80, deadline=None)
    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=200),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
            max_leaves=30,
        )
    )
    def test_any_value_can_be_read(self, value: object) -> None:
        holds(read("a.json", json.dumps([{"name": "a", "value": 1}, value])))


class TestPptx:
    def presentation(self) -> bytes:
        pptx = pytest.importorskip("pptx")
        made = pptx.Presentation()
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = "The harbour"
        slide.placeholders[1].text = "It was dredged in 1966.\nIt takes large ships."
        slide.notes_slide.notes_text_frame.text = "The salt company paid."
        table = slide.shapes.add_table(2, 2, 0, 0, 900, 900).table
        for at, text in enumerate(["Pier", "Depth", "North", "9 m"]):
            table.cell(at // 2, at % 2).text = text
        grouped = slide.shapes.add_group_shape().shapes.add_textbox(0, 0, 9, 9)
        grouped.text_frame.text = "In a group."
        made.slides.add_slide(made.slide_layouts[6]).shapes.add_textbox(0, 0, 9, 9).text_frame.text = "No title."
        held = io.BytesIO()
        made.save(held)
        return held.getvalue()

    def test_slides_are_headings(self) -> None:
        assert blocks(read("a.pptx", self.presentation())) == [
            ("The harbour", "slide 1", "It was dredged in 1966."),
            ("The harbour", "slide 1", "It takes large ships."),
            ("The harbour", "slide 1", "North: Depth is 9 m."),
            ("The harbour", "slide 1", "In a group."),
            ("The harbour", "slide 1", "The salt company paid."),
            ("Slide 2", "slide 2", "No title."),
        ]

    def test_entities_are_not_expanded(self) -> None:
        made = self.presentation()
        slide = zipfile.ZipFile(io.BytesIO(made)).read("ppt/slides/slide1.xml")
        spoiled = LAUGHS + slide.partition(b"?>")[2].replace(b"The harbour", b"&c;&d;")
        text = read("a.pptx", with_part(made, "ppt/slides/slide1.xml", spoiled)).text
        assert "ha ha" not in text
        assert "root:" not in text

    def test_what_is_too_much(self) -> None:
        made = self.presentation()
        assert "PAGES" in beyond("a.pptx", made, FileLimits(pages=1))
        assert "UNPACKED_BYTES" in beyond(
            "a.pptx", with_part(made, "x.bin", b"\0" * 10**6), FileLimits(unpacked_bytes=10**6)
        )
        assert "old ppt format" in refused("a.pptx", b"\xd0\xcf\x11\xe0" + b"\0" * 100)
