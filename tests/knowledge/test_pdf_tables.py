"""Tables of PDFs: those whose cells are divided by lines are told as records, where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from veridic.knowledge.readers import pdf_tables
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.pdf import read_pdf
from veridic.ports.file_limits import FileLimits

PRICES = [["Treatment", "Cat", "Dog"], ["Neutering", "65 GBP", "140 GBP"], ["Microchip", "15 GBP", "18 GBP"]]
HOURS = [["Day", "Opens", "Closes"], ["Monday", "8:30", "18:00"], ["Saturday", "9:00", "12:00"]]
NAMES = [["Name", "Room", "Phone"], *([f"Person {letter}", "7", f"10{n}"] for n, letter in enumerate("ABCD"))]

Part = str | Sequence[Sequence[str]]


def drawn(parts: Sequence[Part], *, lines: bool = True) -> Iterator[str]:
    """What a page draws: lines of text and tables, one below the other."""
    at = 740
    for part in parts:
        if isinstance(part, str):
            yield f"BT /F1 11 Tf 60 {at} Td ({part}) Tj ET"
            at -= 30
            continue
        for row in part:
            for column, cell in enumerate(row):
                left = 60 + 150 * column
                yield f"BT /F1 11 Tf {left + 4} {at - 14} Td ({cell}) Tj ET"
                if lines:
                    yield f"{left} {at - 20} 150 20 re S"
            at -= 20
        at -= 30


def pdf(*pages: str) -> bytes:
    """A PDF of pages that draw this."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, page in enumerate(pages):
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * at} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(page)} >>\nstream\n{page}\nendstream",
        ]
    out, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return f"{out}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def read(*pages: Sequence[Part], lines: bool = True, limits: FileLimits | None = None) -> ParsedDocument:
    content = pdf(*("\n".join(drawn(page, lines=lines)) for page in pages))
    return read_pdf(content, limits or FileLimits())


def paragraphs(document: ParsedDocument) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks]


def test_a_ruled_table_is_told_row_by_row_between_the_text_around_it() -> None:
    found = paragraphs(read(["All prices are with tax.", PRICES, "We open on three days.", HOURS, "Ring the bell."]))
    assert found == [
        "All prices are with tax.",
        "Neutering: Cat is 65 GBP. Neutering: Dog is 140 GBP.",
        "Microchip: Cat is 15 GBP. Microchip: Dog is 18 GBP.",
        "We open on three days.",
        "Monday: Opens is 8:30. Monday: Closes is 18:00.",
        "Saturday: Opens is 9:00. Saturday: Closes is 12:00.",
        "Ring the bell.",
    ]


def test_a_table_goes_on_at_the_top_of_the_next_page() -> None:
    for second in (NAMES[3:], [NAMES[0], *NAMES[3:]]):
        document = read(["Who sits where.", NAMES[:3]], [second, "Nobody else."])
        told = paragraphs(document)
        assert told[1:-1] == [f"Person {x}: Room is 7. Person {x}: Phone is 10{n}." for n, x in enumerate("ABCD")]
        assert [str(block.place) for block in document.blocks[1:-1]] == ["page 1", "page 1", "page 2", "page 2"]


def test_another_table_on_the_next_page_is_another() -> None:
    told = paragraphs(read([PRICES], [[["Box", "Key"], ["A", "7"], ["B", "9"]]]))
    assert "A: Key is 7." in told
    assert told[0].startswith("Neutering: Cat")


def test_tables_at_the_top_of_every_page_are_no_running_headers() -> None:
    told = paragraphs(read(*([[["Box", "Key"], [f"A{n}", f"{n}7"]], f"Page {n} of it."] for n in range(6))))
    assert sum("Key is" in one for one in told) == 6


def test_what_is_not_ruled_is_text() -> None:
    document = read(["Prices.", PRICES], lines=False)
    assert "Cat is" not in document.text
    assert "140 GBP" in document.text


@pytest.mark.parametrize(
    "framed", [[["A note in a frame."], ["It has one column."]], [["", "x", ""], ["", "", ""], ["", "", "y"]]]
)
def test_what_lines_only_frame_is_no_table(framed: list[list[str]]) -> None:
    document = read([framed, "Under it."])
    assert "Column" not in document.text
    assert "Under it." in document.text


def test_without_time_tables_are_read_as_text_and_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_tables, "SHARE", -1.0)
    document = read([PRICES])
    assert "140 GBP" in document.text
    assert document.unread.startswith("Tables on 1 of its pages are read line by line")


def test_a_page_that_cannot_be_drawn_keeps_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise TypeError("broken")

    monkeypatch.setattr(pdf_tables, "_tables", fails)
    assert "140 GBP" in read([PRICES]).text
