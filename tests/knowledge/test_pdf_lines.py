"""Lines of a PDF by where they stand: raised characters, columns of prose, headings, filled forms, turned pages."""

from __future__ import annotations

import io

import pypdf
import pytest
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, TextStringObject

from tests.knowledge.test_pdf_tables import drawn, paragraphs, pdf
from veridic.knowledge.readers.pdf import read_pdf


def shown(*texts: tuple[float, float, float, str]) -> str:
    """Texts by left, bottom, size."""
    return "\n".join(f"BT /F1 {size} Tf {left} {bottom} Td ({text}) Tj ET" for left, bottom, size, text in texts)


def read(*pages: str) -> list[str]:
    return paragraphs(read_pdf(pdf(*pages)))


def test_what_is_raised_is_an_exponent_or_the_mark_of_a_note() -> None:
    page = shown(
        (72, 720, 12, "The fee is 48"), (142, 725, 7, "2"), (147, 720, 12, "euros."),
        (72, 700, 12, "It holds 10"), (130, 705, 7, "5"), (137, 700, 12, "letters."),
    )  # fmt: skip
    assert read(page) == ["The fee is 48[2] euros. It holds 10^5 letters."]


LEFT = ["The northern station was", "opened in 1931 by the", "railway board and has", "four platforms in all."]
RIGHT = ["The southern station was", "opened in 1964 by the", "city council, and it has", "two platforms only."]


def test_columns_of_prose_that_are_drawn_row_by_row_are_read_in_turn() -> None:
    rows = [(left, 720 - 14 * at, 12, row[column]) for at, row in enumerate(zip(LEFT, RIGHT, strict=True))
            for column, left in enumerate((60, 320))]  # fmt: skip
    assert read(shown(*rows)) == [" ".join(LEFT), " ".join(RIGHT)]


def test_three_columns_under_a_long_title_are_read_in_turn_and_their_lines_are_joined() -> None:
    title = "The stations of the coast and valley lines and what is left of them in our days, by the club"
    third = ["The eastern halt was", "opened in 1901 by the", "quarry, and it has had", "no platform since 1950."]
    columns = [LEFT, RIGHT, third]
    rows = [
        (60 + 165 * at, 690 - 14 * line, 10, column[line]) for line in range(4) for at, column in enumerate(columns)
    ]
    assert read(shown((60, 720, 10, title), *rows)) == [title, *map(" ".join, columns)]


def test_cells_that_no_line_divides_are_no_columns() -> None:
    rows = [("Neutering", "65 GBP"), ("Microchip", "15 GBP"), ("Nail clipping", "9 GBP"), ("Bath", "20 GBP")]
    [told] = read(
        shown(*((60 + 260 * at, 720 - 14 * n, 12, text) for n, row in enumerate(rows) for at, text in enumerate(row)))
    )
    assert "Microchip 15 GBP" in told


def test_a_line_that_is_larger_or_far_from_the_next_begins_a_paragraph() -> None:
    lines = ((720, 18, "Rules"), (700, 12, "All of it is open"), (686, 12, "to all."), (640, 12, "Pay."))
    page = shown(*((72, *line) for line in lines))
    assert read(page) == ["Rules", "All of it is open to all.", "Pay."]


def changed(content: bytes, change: object) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    change(writer)  # type: ignore[operator]
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_that_is_turned_is_read_as_it_is_seen(degrees: int) -> None:
    turn = {90: "0 1 -1 0 600 0", 180: "-1 0 0 -1 612 792", 270: "0 -1 1 0 0 792"}[degrees]
    lines = shown((72, 500, 12, "The first line is here"), (72, 486, 12, "and goes on."), (72, 400, 12, "Far below."))
    content = pdf(f"q {turn} cm {lines} Q")
    turned = changed(content, lambda writer: writer.pages[0].rotate(degrees))
    assert paragraphs(read_pdf(turned)) == ["The first line is here and goes on.", "Far below."]


def field(name: str, value: object, rect: tuple[float, ...], **more: str) -> DictionaryObject:
    told = {
        "/Type": NameObject("/Annot"),
        "/Subtype": NameObject("/Widget"),
        "/T": TextStringObject(name),
        "/V": value,
        "/Rect": ArrayObject(map(FloatObject, rect)),
    } | {f"/{key}": TextStringObject(text) for key, text in more.items()}
    return DictionaryObject({NameObject(key): one for key, one in told.items()})


def test_what_runs_through_the_pages_goes_wherever_it_is_drawn() -> None:
    pages = [
        shown((72, 800, 12, f"Sheet {at * at}"), (72, 40, 12, f"Page {at}"), (72, 400, 12, f"Finding {at} is here."))
        for at in range(1, 5)
    ]
    found = paragraphs(read_pdf(pdf(*pages)))
    assert found[1::2] == [f"Finding {at} is here." for at in range(1, 5)]
    assert "Page" not in " ".join(found)


def test_what_stands_beside_a_page_s_number_is_told_once() -> None:
    pages = [
        shown((72, 400, 12, f"Note for {name}"), (72, 40, 12, "Mill Road 2"), (400, 40, 12, f"Page {at} of 3"))
        for at, name in enumerate(("Ana", "Bo", "Cem"), start=1)
    ]
    assert read(*pages) == ["Note for Ana", "Mill Road 2", "Note for Bo", "Note for Cem"]


def test_a_sentence_that_runs_through_the_pages_is_told_once() -> None:
    pages = [
        shown((72, 800, 12, "Berg Transport"), (72, 400, 12, f"Total {at * at} EUR"), (72, 60, 12, "Pay in 14 days."))
        for at in range(1, 5)
    ]
    assert read(*pages) == [
        "Berg Transport",
        "Total 1 EUR",
        "Pay in 14 days.",
        "Total 4 EUR",
        "Total 9 EUR",
        "Total 16 EUR",
    ]


def test_what_runs_through_the_left_or_the_right_pages_stands_in_no_sentence() -> None:
    heads = ["Birds of the Fens", "Waders"]
    lines = ["The crane nests in the", "reeds and is heard from", "early spring until the"]
    lines += ["first frost of the", "year or later, if the", "lake stays open."]
    pages = [
        shown((72 if at % 2 else 400, 800, 12, heads[at % 2]), (72, 760, 12, line)) for at, line in enumerate(lines)
    ]
    assert read(*pages) == ["Birds of the Fens", " ".join(lines), "Waders"]


def test_what_is_alike_in_all_records_is_told_once() -> None:
    pages = [shown((72, 760, 12, f"Slip of {name}"), (72, 740, 12, "Bonus: 200 EUR")) for name in ("Ana", "Bo", "Cem")]
    assert read(*pages) == ["Slip of Ana", "Bonus: 200 EUR", "Slip of Bo", "Slip of Cem"]


def test_a_full_line_at_the_end_of_a_page_goes_on_with_a_name() -> None:
    first = shown((72, 760, 12, "The quays are four in all, and"), (72, 746, 12, "the harbour master there is"))
    assert read(first, shown((72, 760, 12, "Greta Lunde."))) == [
        "The quays are four in all, and the harbour master there is Greta Lunde."
    ]


def test_what_a_form_was_filled_with_is_told_under_what_stands_before_it() -> None:
    fields = [
        field("f1", TextStringObject("Henrik Solberg"), (140, 715, 300, 735)),
        field("f2", NameObject("/Yes"), (300, 500, 310, 510), TU="Insured"),
        field("f3", NameObject("/Off"), (300, 400, 310, 410)),
        field("f4", TextStringObject(""), (300, 300, 310, 310)),
        field("f5", TextStringObject("11"), (140, 676, 300, 694)),
    ]
    content = changed(
        pdf(shown((72, 720, 12, "Name:"), (142, 700, 12, "Days"))),
        lambda writer: writer.pages[0].__setitem__(NameObject("/Annots"), ArrayObject(map(writer._add_object, fields))),
    )
    assert paragraphs(read_pdf(content))[-1] == "Name is Henrik Solberg. Insured is Yes. Days is 11."


def test_a_citation_names_one_page_where_a_sentence_stands_on_one() -> None:
    from veridic.knowledge.chunking import chunked

    pages = ["\n".join(drawn([f"Person {number} has the number {number}."])) for number in range(5)]
    assert [chunk.location for chunk in chunked(read_pdf(pdf(*pages)))] == [f"page {n + 1}" for n in range(5)]
