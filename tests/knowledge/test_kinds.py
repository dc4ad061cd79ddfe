"""What holds for every kind of file: it is read, here as in the process with limits, and its bombs are not."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import zipfile
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.knowledge.test_chunking import holds
from tests.knowledge.test_formats import LAUGHS, beyond, texts, with_part, workbook
from tests.knowledge.test_readers import blocks, docx_file, pdf, read, refused
from tests.knowledge.test_tables import as_pptx
from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import files
from veridic.knowledge.readers.process import ReadingProcess
from veridic.ports.file_limits import FileLimits

SAID = "The bridge was opened in 1932."


def zipped(**members: str | bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
    'full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    "a.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="a.xhtml" '
    'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    "a.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{SAID}</p></body></html>',
}
NOTEBOOK = {"cells": [{"cell_type": "markdown", "metadata": {}, "source": [SAID]}], "metadata": {}}

WITH_PANDOC: dict[str, bytes] = {
    "a.rtf": f"{{\\rtf1\\ansi {SAID}}}".encode(),
    "a.epub": zipped(**EPUB),
    "a.rst": SAID.encode(),
    "a.org": SAID.encode(),
    "a.tex": f"\\documentclass{{article}}\\begin{{document}}{SAID}\\end{{document}}".encode(),
    "a.ipynb": json.dumps(NOTEBOOK | {"nbformat": 4, "nbformat_minor": 5}).encode(),
}
FILES: dict[str, bytes] = {
    "a.txt": SAID.encode(),
    "a.log": SAID.encode(),
    "a.md": SAID.encode(),
    "a.html": f"<p>{SAID}</p>".encode(),
    "a.pdf": pdf(SAID),
    "a.docx": docx_file(),
    "a.pptx": as_pptx((("Bridge", "Opened"), ("Alder", SAID)), header=True),
    "a.xlsx": workbook(One=[["Bridge", "Told"], ["Alder", SAID]]),
    "a.csv": f"Bridge,Told\nAlder,{SAID}\n".encode(),
    "a.tsv": f"Bridge\tTold\nAlder\t{SAID}\n".encode(),
    "a.json": json.dumps({"told": SAID}).encode(),
    "a.jsonl": json.dumps({"told": SAID}).encode(),
    "a.xml": f"<bridge><told>{SAID}</told></bridge>".encode(),
    "a.eml": f"Subject: Bridges\nFrom: a@b.org\n\n{SAID}\n".encode(),
    "a.mbox": f"From a@b.org Mon\nSubject: Bridges\n\n{SAID}\n".encode(),
    "a.srt": f"1\n00:00:01,000 --> 00:00:02,000\n{SAID}\n".encode(),
    "a.vtt": f"WEBVTT\n\n00:01.000 --> 00:02.000\n{SAID}\n".encode(),
    "a.zip": zipped(**{"b.txt": SAID}),
    "a.py": f'print("{SAID}")\n'.encode(),
}


@pytest.fixture
def content(name: str) -> bytes:
    if name in FILES:
        return FILES[name]
    pypandoc = pytest.importorskip("pypandoc")
    made = [pypandoc.get_pandoc_path(), "--from", "markdown", "--to", "odt", "--output", "-"]
    return WITH_PANDOC.get(name) or subprocess.run(made, input=SAID.encode(), capture_output=True, check=True).stdout


@pytest.mark.parametrize("name", [*FILES, *WITH_PANDOC, "a.odt"])
class TestEveryReader:
    def test_it_tells_what_is_there(self, name: str, content: bytes) -> None:
        document = read(name, content)
        assert "opened in 1932" in document.text
        assert document.unread == ""
        holds(document)

    def test_it_reads_the_same_in_the_process_that_is_held_to_limits(self, name: str, content: bytes) -> None:
        with closing(ReadingProcess(FileLimits())) as reading:
            assert reading.parse(Path(name), content) == files.parse(Path(name), content)

    def test_it_counts_characters(self, name: str, content: bytes) -> None:
        assert beyond(name, content, FileLimits(characters=20))

    @pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
    def test_a_part_of_it_is_read_or_refused(self, name: str, content: bytes, part: float) -> None:
        with contextlib.suppress(DocumentUnreadable):
            assert read(name, content[: int(part * len(content))]).blocks


def test_every_kind_is_tried() -> None:
    tried = {Path(name).suffix for name in (*FILES, *WITH_PANDOC, "a.odt")}
    readers = {id(reader) for ending, (_, reader) in files.READERS.items() if ending in tried}
    assert {id(reader) for _, reader in files.READERS.values()} == readers


@pytest.mark.parametrize("name", ["a.zip", "a.odt", "a.epub"])
def test_what_unpacks_to_too_much_is_refused(name: str) -> None:
    if name != "a.zip":
        pytest.importorskip("pypandoc")
    bomb = zipped(**{"b.txt": b"word " * 400_000})
    assert len(bomb) < 20_000
    assert "UNPACKED_BYTES" in beyond(name, bomb, FileLimits(unpacked_bytes=1_000_000))


ROWS = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (at, at) for at in range(1, 9_000))
SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
ALIASES = b"".join(b"a%d: &a%d [%s]\n" % (at, at, b",".join([b"*a%d" % (at - 1)] * 9)) for at in range(1, 9))
PARTS = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (at, at) for at in range(3_000))
BOMBS: dict[str, tuple[bytes, str]] = {
    "cells.html": (b"<table>" + b"<tr><td colspan=1000 rowspan=65534>a" * 9_000, "SECONDS"),
    "rows.xlsx": (with_part(workbook(One=[["a"]]), "xl/worksheets/sheet1.xml", SHEET % ROWS), "SECONDS"),
    "rows.csv": (b"a,b,c\n" + b"1,2,3\n" * 1_500_000, "SECONDS"),
    "aliases.md": (b"---\na0: &a0 [x]\n" + ALIASES + b"---\nText.\n", "SECONDS"),
    "messages.mbox": (b"From a\n\nx\n" * 1_000_000, "SECONDS"),
    "lines.srt": (b"1\n00:00:01,000 --> 00:00:02,000\nword\n\n" * 900_000, "SECONDS"),
    "parts.eml": (PARTS, "corrupt|SECONDS"),
    "members.zip": (zipped(**{f"{at}.txt": "x" for at in range(11_000)}), "PAGES"),
    "deep.json": (b"[" * 1_000_000, "nested"),
    "deep.xml": (b"<a>" * 1_000_000, "corrupt"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_its_process_and_the_next_file_is_read(name: str) -> None:
    content, said = BOMBS[name]
    with closing(ReadingProcess(FileLimits(seconds=1, memory_bytes=800_000_000))) as reading:
        with pytest.raises(DocumentUnreadable, match=said):
            reading.parse(Path(name), content)
        assert reading.parse(Path("a.md"), SAID.encode()).text == SAID


def test_entities_of_xml_are_never_expanded() -> None:
    with contextlib.suppress(DocumentUnreadable):
        assert "ha ha" not in read("a.xml", LAUGHS + b"<x><y>&c;&d;</y><z>Text.</z></x>").text


def test_pandoc_is_held_to_time_and_opens_no_other_file(tmp_path: Path) -> None:
    pytest.importorskip("pypandoc")
    (tmp_path / "other.txt").write_text("secret")
    document = read("a.rst", f"{SAID}\n\n.. include:: {tmp_path / 'other.txt'}\n")
    assert document.text == SAID
    with closing(ReadingProcess(FileLimits(seconds=0.6))) as reading:
        with pytest.raises(DocumentUnreadable, match=r"more than 0\.6 seconds"):
            reading.parse(Path("a.org"), b"*" * 3_000_000 + b"/a" * 1_000_000)
        assert reading.parse(Path("a.txt"), b"Tea.").text == "Tea."


def test_what_pandoc_reads_has_headings_facts_and_notes() -> None:
    pytest.importorskip("pypandoc")
    note = "\n#+title: Rent\n\n* Costs\nIt is 900 euros[fn:1] for 85 m^2.\n\n[fn:1] It rises in 2028.\n"
    document = read("a.org", note)
    assert document.title == "Rent"
    assert [(heading, text) for heading, _, text in blocks(document)] == [
        ("Costs", "It is 900 euros for 85 m²."),
        ("Costs", "1. It rises in 2028."),
    ]


def test_without_pandoc_what_is_text_is_read_as_written_and_the_rest_says_what_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pypandoc", None)
    assert "veridic[documents]" in read("a.rst", SAID).unread
    with pytest.raises(DocumentUnreadable) as caught:
        read("a.odt", b"PK")
    assert "veridic[documents]" in caught.value.mend


MAIL = b"""From: Olga Brandt <olga@example.com>
Subject: Move
Date: Mon, 02 Mar 2026 09:00:00 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: text/html; charset="utf-8"

<p>The office <b>moves</b> on 1 June.</p>
--x
Content-Type: text/plain
Content-Disposition: attachment; filename="parking.txt"

Parking costs 40 euros.
--x
Content-Type: image/png
Content-Disposition: attachment; filename="map.png"

x
--x--
"""


class TestWithin:
    def test_a_message_has_its_head_its_text_and_what_it_carries(self) -> None:
        document = read("a.eml", MAIL)
        assert document.title == "Move"
        assert document.unread == "Left out of it: map.png (Its kind is unknown)"
        assert [(heading, str(place), text) for heading, place, text in blocks(document)] == [
            (
                "Move",
                "message 1",
                "Move: From is Olga Brandt <olga@example.com>. Move: Date is Mon, 02 Mar 2026 09:00:00 +0100.",
            ),
            ("Move", "message 1", "The office moves on 1 June."),
            ("Move > parking.txt", "line 1", "Parking costs 40 euros."),
        ]

    def test_of_two_wordings_of_a_message_the_one_that_marks_its_tables_is_read(self) -> None:
        message = EmailMessage()
        message["Subject"] = "Keys"
        message.set_content("Gate Tan")
        message.add_alternative(
            "<p>The café has one.<table><tr><th>Key<th>Holder<tr><td>Gate<td>Tan</table>", "html", charset="cp1252"
        )
        assert [text for _, _, text in blocks(read("a.eml", bytes(message)))] == [
            "The café has one.",
            "Gate: Holder is Tan.",
        ]
        message.get_payload(1).set_content(" ", "html")
        assert [text for _, _, text in blocks(read("a.eml", bytes(message)))] == ["Gate Tan"]

    def test_a_message_that_is_a_file_and_nothing_else_is_read(self) -> None:
        head = b"Subject: Scan\nContent-Type: application/zip; name=a.zip\nContent-Disposition: attachment\n\n"
        document = read("a.eml", head + zipped(**{"b.txt": SAID}))
        assert [(heading, text) for heading, _, text in blocks(document)] == [("Scan > a.zip > b.txt", SAID)]

    def test_a_box_has_its_messages(self) -> None:
        box = b"From a Mon\nSubject: One\n\nFirst.\n\nFrom b Tue\nSubject: Two\n\nSecond.\n"
        assert [found[:2] for found in blocks(read("a.mbox", box))] == [("One", "message 1"), ("Two", "message 2")]

    def test_members_of_an_archive_are_read_by_their_names(self) -> None:
        members = {"d/a.md": "# Tea\n\nGreen.", "c.txt": "Plain.", "e.txt": " ", "f.png": "x", "._c.txt": "x"}
        document = read("a.zip", zipped(**members))
        assert [(heading, text) for heading, _, text in blocks(document)] == [
            ("d/a.md > Tea", "Green."),
            ("c.txt", "Plain."),
        ]
        assert document.unread == "Left out of it: e.txt (It is empty), f.png (Its kind is unknown)"

    def test_what_holds_files_is_read_within_another_and_no_deeper(self) -> None:
        inner = {"b.txt": SAID.encode("utf-16-le"), "deep.zip": zipped(**{"c.txt": "No."}), "m.eml": MAIL}
        document = read("a.zip", zipped(**{"in.zip": zipped(**inner), "m.eml": MAIL}))
        assert [heading for heading, _, _ in blocks(document)] == [
            "in.zip > b.txt",
            "m.eml > Move",
            "m.eml > Move",
            "m.eml > Move > parking.txt",
        ]
        assert "Of in.zip: Left out of it: deep.zip (It stands within 2 others), m.eml (It" in document.unread
        assert "Of b.txt: It was taken to be in the encoding utf_16_le" in document.unread
        assert "Of m.eml: Left out of it: map.png" in document.unread

    def test_a_message_that_is_sent_on_is_read(self) -> None:
        head = b"Subject: Keys\nContent-Type: multipart/mixed; boundary=y\n\n--y\nContent-Type: message/rfc822\n\n"
        found = blocks(read("a.eml", head + MAIL + b"\n--y--\n"))
        assert [heading for heading, _, _ in found][-1] == "Keys > Move.eml > Move > parking.txt"

    def test_all_that_stands_within_one_file_is_held_to_its_limits_together(self) -> None:
        inner = {f"{at}.zip": zipped(**{"b.txt": f"{SAID} " * 200}) for at in range(5)}
        limits = FileLimits(unpacked_bytes=20_000)
        bomb = {"0-bomb.zip": zipped(**{"b.txt": b"word " * 10_000})}
        document = files.parse(Path("a.zip"), zipped(**bomb, **inner), limits)
        assert "0-bomb.zip (It has" in document.unread
        assert document.text.count(".zip") == 3
        assert "3.zip (It has more than 20,000 bytes unpacked), 4.zip (It has" in document.unread
        assert "more than 4 members" in beyond("a.zip", zipped(**inner), FileLimits(pages=4))

    def test_a_member_s_name_hides_nothing(self) -> None:
        document = read("a.zip", zipped(**{"b\u202e\x1b.txt": SAID}))
        assert [heading for heading, _, _ in blocks(document)] == ["b.txt"]

    def test_an_archive_of_nothing_that_is_read_says_so(self) -> None:
        assert "Left out of it" in refused("a.zip", zipped(**{"f.png": "x"}))


def test_subtitles_are_running_text() -> None:
    told = "WEBVTT\n\nNOTE Made by hand\n\n1\n00:01.000 --> 00:02.000\n<v Olga>The fee\nis <i>3</i> euros.\n"
    assert texts("a.vtt", told) == ["Olga: The fee is 3 euros."]


def test_records_of_xml_are_told_as_those_of_json() -> None:
    named = enumerate(("Alder", "Elm"))
    bridges = "".join(f"<bridge id='{number}'><name>{name}</name><!-- x --></bridge>" for number, name in named)
    assert texts("a.xml", f"<bridges>{bridges}<note>It <b>is</b> old.</note></bridges>") == [
        "note: It is old.",
        "Alder: id is 0.",
        "Elm: id is 1.",
    ]


def test_code_stays_whole_and_knows_its_lines() -> None:
    lines = ["x = 1", *[f"y{number} = {number}" for number in range(45)], "", "z = 2"]
    document = read("a.py", "\n".join(lines))
    assert [(block.whole, str(block.place)) for block in document.blocks] == [(True, "lines 1-47"), (True, "line 48")]
