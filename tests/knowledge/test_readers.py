"""Each reader on a small real file made here: text, headings, places, and what it refuses."""

import contextlib
import io
import zipfile
from pathlib import Path

import docx
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import files
from veridic.knowledge.readers.hyphens import continued
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.pdf import paragraphs
from veridic.knowledge.readers.plain import parse_text
from veridic.text.hidden import clean


def read(name: str, content: bytes | str) -> ParsedDocument:
    return files.parse(Path(name), content.encode() if isinstance(content, str) else content)


def blocks(document: ParsedDocument) -> list[tuple[str, str, str]]:
    """Heading, place and text of each block."""
    return [(block.heading, str(block.place), document.text[block.start : block.end]) for block in document.blocks]


def refused(name: str, content: bytes) -> str:
    with pytest.raises(DocumentUnreadable) as caught:
        read(name, content)
    assert caught.value.mend
    return caught.value.problem


class TestPlain:
    def test_paragraphs_know_their_lines(self) -> None:
        document = read("notes.txt", "First line\nsecond line.\n\n\n  Third.  \n")
        assert blocks(document) == [("", "lines 1-2", "First line\nsecond line."), ("", "line 5", "Third.")]
        assert document.title == "notes"
        assert document.text == "First line\nsecond line.\n\n\n  Third.  \n"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    def test_encodings_that_say_what_they_are(self, encoding: str) -> None:
        assert read("a.txt", "Größe 🌉\r\nzwei\rdrei".encode(encoding)).text == "Größe 🌉\nzwei\ndrei"

    @pytest.mark.parametrize(
        ("text", "encoding"),
        [
            ("Die Brücke wurde für große Schiffe geöffnet.", "cp1252"),
            ("Prix du café : 3 €, à emporter.", "cp1252"),
            ("El señor Muñoz vive en España.", "cp1252"),
            ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "cp1250"),
            ("Мост открыли в пятницу в Москве.", "cp1251"),
            ("Η γέφυρα άνοιξε το 1932.", "cp1253"),
            ("日本語のテキストです。", "cp932"),
            ("The bridge is in Orléans.", "utf_16_le"),
        ],
    )
    def test_other_encodings_are_told_by_what_they_look_like_and_that_is_said(self, text: str, encoding: str) -> None:
        document = read("a.txt", text.encode(encoding))
        assert document.text == text
        assert f"in the encoding {encoding}" in document.unread

    def test_a_byte_that_is_none_of_its_encoding_is_marked_and_said(self) -> None:
        document = read("a.txt", "The café is open. ".encode() + b"Stray \x96 here.")
        assert document.text == "The café is open. Stray � here."
        assert document.unread.startswith("1 byte of it")

    def test_what_is_no_text_is_refused(self) -> None:
        assert "binary" in refused("a.txt", b"abc\0def")
        assert "binary" in refused("a.txt", bytes(range(256)))

    def test_control_characters_are_not_stored(self) -> None:
        assert read("a.txt", "a\x07b\x1b[0m\x0cc\ud800d".encode(errors="ignore")).text == "ab[0m\ncd"


MARKDOWN = """---
title: "The Handbook"
tags: [a]
---
Intro with **bold**, `code`, a [link](http://x) and ![a picture](y.png).

# One

Text
wrapped.

- first item
- second *item*
  1. nested

## Two

| a | b |
|---|---|
| 1 | 2 |

```python
# not a heading

x = 1
```

    indented = True

<div>Some <b>html</b>.</div>

> Quoted.

# Bare

# Last

End<br>of it.
"""


class TestMarkdown:
    def test_structure_is_kept_and_markup_is_not(self) -> None:
        document = read("book.md", MARKDOWN)
        assert document.title == "The Handbook"
        assert blocks(document) == [
            ("", "lines 2-3", "The Handbook: tags is a."),
            ("", "line 5", "Intro with bold, code, a link and a picture."),
            ("One", "lines 9-10", "Text wrapped."),
            ("One", "line 12", "- first item"),
            ("One", "line 13", "- second item"),
            ("One", "line 14", "1. nested"),
            ("One > Two", "line 20", "a 1: b is 2."),
            ("One > Two", "lines 22-26", "```\n# not a heading\n\nx = 1\n```"),
            ("One > Two", "line 28", "```\nindented = True\n```"),
            ("One > Two", "line 30", "Some html."),
            ("One > Two", "line 32", "Quoted."),
            ("", "line 34", "Bare"),
            ("Last", "line 38", "End\nof it."),
        ]
        assert [block.whole for block in document.blocks].count(True) == 2

    def test_a_title_is_the_heading_it_opens_with_or_the_file_s_name(self) -> None:
        assert read("a.md", "# Alpha *beta*\n\nText.").title == "Alpha beta"
        assert read("a.md", "Text.\n\n# Later\n\nMore.").title == "a"

    def test_front_matter_is_what_the_document_says_of_itself(self) -> None:
        facts = "title: Leave\nauthor: Karin Holm\ndate: 2026-02-14\nmore: {a: 1}\nby:\n- {name: Ann, role: HR}\n"
        page = f"---\n{facts}---\nText.\n"
        assert blocks(read("a.md", page))[:-1] == [
            ("", "lines 2-7", "Leave: author is Karin Holm. Leave: date is 2026-02-14."),
            ("", "lines 2-7", "Leave, more: a is 1."),
            ("", "lines 2-7", "Leave, by, Ann: role is HR."),
        ]
        toml = '+++\ntitle = "Leave"\ndate = 2026-02-14\nissue = 1.10\n+++\nText.\n'
        assert read("a.md", toml).text == "Leave: date is 2026-02-14. Leave: issue is 1.10.\n\nText."
        assert (
            read("a.md", "---\nissue: 1.10\ndraft: no\n---\nText.\n").text == "issue is 1.10.\n\ndraft is no.\n\nText."
        )
        assert read("a.md", "---\ntitle:\na: 1\n---\nText.\n").text == "a is 1.\n\nText."
        assert read("a.md", "---\n: [\n---\nText.\n").text == "Text."

    def test_raised_and_struck_text(self) -> None:
        page = "It costs ~~14~~ 15<sup>2</sup> euros, 10<sup>6</sup> times.\n\nIt is <del>12</del> 18 m<sup>2</sup>.\n"
        assert [text for _, _, text in blocks(read("a.md", page))] == [
            "It costs 15[2] euros, 10^6 times.",
            "It is 18 m².",
        ]

    def test_lines_of_a_chat_stay_lines(self) -> None:
        page = "[9:58] Ana: Who has\nthe key\n[10:02] *Bo*: I do\n\n| A | B |\n|---|---|\n| | 1 |\n"
        assert [text for _, _, text in blocks(read("a.md", page))] == [
            "[9:58] Ana: Who has the key\n[10:02] Bo: I do",
            "Row 2: B is 1.",
        ]

    def test_headings_alone_are_text_too(self) -> None:
        assert [text for _, _, text in blocks(read("a.md", "# A\n## B\n## C\n"))] == ["B", "C"]

    def test_a_paragraph_above_a_rule_is_no_heading(self) -> None:
        document = read("a.md", "long " * 60 + "\n---\nMore.")
        assert [heading for heading, _, _ in blocks(document)] == ["", ""]

    @pytest.mark.parametrize(
        "text",
        [
            "# Asked\n\n**May I park here?**\nYes, if you\npay.\n\nAt the *gate*.",
            "# Asked\n\nMay I park here?\n\nYes, if you pay.\n\nAt the gate.",
            "# Asked\n\nMay I **park** here?<br>Yes, if you pay.\n\nAt the gate.",
        ],
    )
    def test_a_question_heads_its_answer(self, text: str) -> None:
        found = [(heading, told) for heading, _, told in blocks(read("a.md", text))]
        assert found == [("Asked > May I park here?", "Yes, if you pay."), ("Asked > May I park here?", "At the gate.")]

    def test_a_heading_ends_what_stands_under_a_question_and_a_lone_question_is_text(self) -> None:
        found = blocks(read("a.md", "## One\n\nWho pays the toll?\n\nWho built the bridge?\n\n## Two\n\nVoss."))
        assert [(heading, told) for heading, _, told in found] == [
            ("One", "Who pays the toll?"),
            ("One", "Who built the bridge?"),
            ("Two", "Voss."),
        ]

    def test_fences_within_fences(self) -> None:
        [(_, _, text)] = blocks(read("a.md", "~~~~\n```\nx\n```\n~~~~\n"))
        assert text == "~~~\n```\nx\n```\n~~~"


LONG = "The bridge was opened by the mayor of the town. " * 12

HTML = f"""<html><head><title>Bridges &amp; more</title><style>p {{}}</style></head><body>
<nav><a href="/">Home</a></nav>
<article><h1>Alder Bridge</h1><p>{LONG}</p><h2>History</h2><p>It took <i>four</i> years.</p>
<ul><li>steel</li><li>stone</li></ul>
<table><tr><th>Year</th><th>Toll</th></tr><tr><td>1932</td><td>2</td></tr></table>
<pre>a = 1
  b = 2</pre></article><script>alert(1)</script></body></html>"""


class TestHtml:
    def test_the_main_text_of_a_page(self) -> None:
        document = read("page.html", HTML)
        assert document.title == "Bridges & more"
        found = [(heading, text) for heading, _, text in blocks(document)]
        assert found == [
            ("Alder Bridge", LONG.strip()),
            ("Alder Bridge > History", "It took four years."),
            ("Alder Bridge > History", "- steel"),
            ("Alder Bridge > History", "- stone"),
            ("Alder Bridge > History", "Year 1932: Toll is 2."),
            ("Alder Bridge > History", "```\na = 1\n  b = 2\n```"),
        ]

    @pytest.mark.parametrize(
        "beside",
        [
            '<nav><a href="/">Home</a></nav>',
            "<figure><figcaption>A drawing.</figcaption></figure>",
            "<button>Copy</button>",
            "<p>Updated <time>5 February 2026</time>.</p>",
            f"<aside><p>{LONG}</p></aside>",
        ],
    )
    @pytest.mark.parametrize("around", ["{}", "<form>{}</form>"])
    def test_headings_are_kept_without_a_main_element(self, beside: str, around: str) -> None:
        answers = "".join(f"<h3>Question {n}?</h3><p>Answer {n} is that {LONG[:200]}</p>" for n in range(10))
        body = around.format(f"{beside}<h1>Answers</h1><h2>Crossing</h2>{answers}")
        page = f"<head><title>FAQ</title></head><body>{body}"
        document = read("faq.html", page)
        headings = {block.heading.split(" > ")[-1] for block in document.blocks}
        assert {f"Question {n}?" for n in range(10)} <= headings
        assert "Home" not in document.text

    def test_a_date_in_an_element_of_its_own_is_kept(self) -> None:
        page = HTML.replace("It took", "On <time>5 March 1932</time> it took")
        assert "On 5 March 1932 it took four years." in read("page.html", page).text

    def test_a_short_page_loses_nothing(self) -> None:
        page = "<p>one<p>two<b>bold</b><!-- unseen --><table><tr><td>cell</td></tr></table><h3>Sub</h3>a<br>b"
        assert [text for _, _, text in blocks(read("a.htm", page))] == ["one", "twobold", "cell", "a\nb"]
        assert blocks(read("a.htm", page))[-1][0] == "Sub"

    def test_a_mark_with_which_a_note_begins_is_a_note_s_elsewhere(self) -> None:
        page = "<p>It costs 45<sup>a</sup> on the 4<sup>th</sup>.</p><p><sup>a</sup> Without tax.</p>"
        assert [text for _, _, text in blocks(read("a.html", page))] == [
            "It costs 45[a] on the 4th.",
            "[a] Without tax.",
        ]

    @pytest.mark.parametrize("long", ["", f"<p>{LONG}</p>"])
    def test_raised_struck_and_numbered_text_is_as_it_looks(self, long: str) -> None:
        page = (
            "<h1>Pool</h1><p>A ticket costs <s>14</s> 15<sup>2</sup> euros.</p><p>10<sup>6</sup> litres, "
            "850 m<i><sup>2</sup></i>, 1<sup>1</sup>/<sub>2</sub> cups, the 1<sup>st</sup>, H<sub>2</sub>O.</p>"
            "<p><span style='text-decoration: line-through'>Closed.</span> Open<sup><a href='#n'>1</a></sup>.</p>"
            "<ol start=3><li>Press it.</li><li>Wait.</li><li value=7>Go.</li></ol>"
            "<ol reversed><li>Two.</li><li>One.</li></ol>"
        )
        found = [text for _, _, text in blocks(read("a.html", f"<article>{page}{long}</article>"))]
        assert found[:8] == [
            "A ticket costs 15[2] euros.",
            "10^6 litres, 850 m², 1 1/2 cups, the 1st, H2O.",
            "Open[1].",
            "3. Press it.",
            "4. Wait.",
            "7. Go.",
            "2. Two.",
            "1. One.",
        ]

    def test_a_term_stands_before_what_is_briefly_said_of_it(self) -> None:
        page = f"<dl><dt>Deposit</dt><dd>80 euros</dd><dd>in cash</dd><dt>Pier</dt><dd>{'Long. ' * 50}</dd></dl>"
        found = [text for _, _, text in blocks(read("a.html", page))]
        assert found[:3] == ["Deposit: 80 euros", "Deposit: in cash", "Pier"]

    def test_text_without_tags_is_text(self) -> None:
        assert read("a.html", "just words").text == "just words"

    def test_a_declared_encoding(self) -> None:
        page = "<html><head><meta charset='iso-8859-1'></head><body><p>Größe und Maß der Brücke.</p></body></html>"
        assert read("a.html", page.encode("latin-1")).text == "Größe und Maß der Brücke."

    def test_what_is_refused(self) -> None:
        assert "no text" in refused("a.html", b"<html><body><script>1</script></body></html>")
        assert "binary" in refused("a.html", bytes(range(256)))

    @settings(max_examples=30, deadline=None)
    @given(st.binary(max_size=200))
    def test_any_bytes_are_read_or_refused(self, content: bytes) -> None:
        for name in ("a.html", "a.md", "a.txt", "a.pdf", "a.docx"):
            with contextlib.suppress(DocumentUnreadable):
                assert read(name, content).blocks


def pdf(*pages: str, title: str = "") -> bytes:
    """A minimal PDF with a text layer, one line of text a line."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{4 + 2 * at} 0 R' for at in range(len(pages)))}] >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, page in enumerate(pages):
        shown = " T* ".join(f"({line}) Tj" for line in page.split("\n"))
        stream = f"BT /F1 12 Tf 14 TL 72 720 Td {shown} ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * at} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append(f"<< /Title ({title}) >>")
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, item in enumerate(objects, start=1):
        offsets.append(len(out))
        body = item if isinstance(item, bytes) else item.encode()
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return bytes(out) + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


def encrypted(user: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf("Locked words.")))
    writer.encrypt(user_password=user, owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


class TestPdf:
    def test_pages_are_the_places(self) -> None:
        document = read("a.pdf", pdf("First page.", "Second page.", title="On Bridges"))
        assert document.title == "On Bridges"
        assert blocks(document) == [("", "page 1", "First page."), ("", "page 2", "Second page.")]

    def test_wrapped_lines_and_hyphens_are_joined(self) -> None:
        page = "The bridge was opened in the year 1932 by the mayor of the\ntown and it was a great under-\ntaking."
        assert paragraphs(page + "\nShort end.\nNext one.") == [
            "The bridge was opened in the year 1932 by the mayor of the town and it was a great undertaking.",
            "Short end.",
            "Next one.",
        ]
        assert paragraphs("A list of things that is long enough\n- one\n2. two") == [
            "A list of things that is long enough",
            "- one",
            "2. two",
        ]
        assert paragraphs("1.2 Fonts ............. 21") == ["1.2 Fonts ... 21"]
        assert paragraphs("") == []

    def test_running_headers_are_told_once_and_page_numbers_are_left_out(self) -> None:
        pages = [f"The Annual Report\nFinding {word} is on this page.\nPage {at}" for at, word in enumerate("abcde")]
        found = blocks(read("a.pdf", pdf(*pages)))
        assert found == [
            ("", "page 1", "The Annual Report"),
            *(("", f"page {at + 1}", f"Finding {word} is on this page.") for at, word in enumerate("abcde")),
        ]
        assert "Annual" in read("a.pdf", pdf(*pages[:2])).text
        roman = [f"The Annual Report\nFinding {at} is on this page.\n{at}" for at in ("iii", "iv", "v", "vi")]
        assert [text for _, _, text in blocks(read("a.pdf", pdf(*roman)))][1:] == [
            f"Finding {at} is on this page." for at in ("iii", "iv", "v", "vi")
        ]
        assert len(blocks(read("a.pdf", pdf(*["The same."] * 5)))) == 5

    def test_lines_that_differ_in_their_digits_stay_and_stand_in_no_sentence(self) -> None:
        pages = [
            "Ashford Yearbook\nThe oldest of the coins in the museum\nCopy 17 of it",
            "Ashford Yearbook\nwas struck in Athens.\nCopy 18 of it",
            "Ashford Yearbook\nIt is closed.\nCopy 21 of it",
        ]
        assert [found[1:] for found in blocks(read("a.pdf", pdf(*pages)))] == [
            ("page 1", "Ashford Yearbook"),
            ("page 1", "The oldest of the coins in the museum was struck in Athens."),
            ("page 1", "Copy 17 of it"),
            ("page 2", "Copy 18 of it"),
            ("page 3", "It is closed."),
            ("page 3", "Copy 21 of it"),
        ]

    @pytest.mark.parametrize(
        ("before", "after", "told"),
        [
            ("a much-", "respected man", "a much-respected man"),
            ("a self-", "priming pump", "a self-priming pump"),
            ("the infor-", "mation desk", "the information desk"),
            ("the cat-", "egorizing of it", "the categorizing of it"),
            ("2024-", "2026", "2024-2026"),
            ("by e-", "mail only", "by e-mail only"),
            ("AB-77-", "1203", "AB-77-1203"),
            ("Anglo-", "American", "Anglo-American"),
            ("a well-", "baked cake", "a well-baked cake"),
            ("no end", "here", "no end here"),
        ],
    )
    def test_a_hyphen_at_the_end_of_a_line_goes_where_it_is_not_the_word_s_own(
        self, before: str, after: str, told: str
    ) -> None:
        assert continued(before, after) == told

    def test_how_a_document_writes_a_word_elsewhere_decides(self) -> None:
        assert continued("a zor-", "blat", {"zor-blat"}) == "a zor-blat"
        assert continued("a well-", "baked", {"wellbaked"}) == "a wellbaked"

    def test_a_sentence_over_two_pages_is_one_and_is_of_the_page_on_which_it_begins(self) -> None:
        document = read(
            "a.pdf", pdf("The bridge was opened in a", "very cold winter.\nThe end came when it was over.", "Of it.")
        )
        assert [found[1:] for found in blocks(document)] == [
            ("page 1", "The bridge was opened in a very cold winter."),
            ("page 2", "The end came when it was over."),
            ("page 3", "Of it."),
        ]

    def test_a_paragraph_over_many_pages_is_told_by_pages(self) -> None:
        pages = (
            "The pool has four lanes. It is kept for",
            "those who swim. The water is as cold as",
            "the sea. It is deep.",
        )
        assert [found[1:] for found in blocks(read("a.pdf", pdf(*pages)))] == [
            ("page 1", "The pool has four lanes. It is kept for those who swim."),
            ("page 2", "The water is as cold as the sea."),
            ("page 3", "It is deep."),
        ]

    def test_made_up_titles_are_not_titles(self) -> None:
        assert read("a.pdf", pdf("Text.", title="Microsoft Word - plan.doc")).title == "plan.doc"
        assert read("a.pdf", pdf("Text.", title="untitled")).title == "a"
        assert read("a.pdf", pdf("Text.", title="about:blank")).title == "a"

    def test_a_password_is_refused_an_owner_s_is_not_needed(self, caplog: pytest.LogCaptureFixture) -> None:
        assert "encrypted" in refused("a.pdf", encrypted("secret"))
        assert read("a.pdf", encrypted("")).text == "Locked words."
        assert caplog.text == ""

    def test_what_is_refused(self) -> None:
        assert "no text" in refused("a.pdf", pdf(" "))
        assert "corrupt" in refused("a.pdf", b"%PDF-1.7\nnothing follows")
        assert "corrupt" in refused("a.pdf", b"<html>")

    @pytest.mark.parametrize("cut", [20, 100, 300, 500])
    def test_a_cut_file_is_read_or_refused(self, cut: int) -> None:
        with contextlib.suppress(DocumentUnreadable):
            assert read("a.pdf", pdf("First page.", "Second page.")[:-cut]).blocks


def docx_file() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Plan"
    document.add_heading("Alder Bridge", level=1)
    document.add_paragraph("It was opened in 1932.")
    document.add_heading("Toll", level=2)
    document.add_paragraph("Two pence.", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells), ("Year", "Toll", "1932", "2"), strict=True
    ):
        cell.text = text
    merged = table.add_row().cells
    merged[0].merge(merged[1]).text = "none\nlater"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


class TestDocx:
    def test_headings_lists_and_tables(self) -> None:
        document = read("plan.docx", docx_file())
        assert document.title == "Plan"
        assert blocks(document) == [
            ("Alder Bridge", "paragraph 2", "It was opened in 1932."),
            ("Alder Bridge > Toll", "paragraph 4", "- Two pence."),
            ("Alder Bridge > Toll", "paragraph 5", "Year 1932: Toll is 2."),
            ("Alder Bridge > Toll", "paragraph 5", "none later"),
        ]

    def test_what_is_refused(self) -> None:
        assert "not a docx" in refused("a.docx", b"PK\x03\x04 and nothing")
        assert "old doc format" in refused("a.docx", b"\xd0\xcf\x11\xe0" + b"\0" * 100)
        other = io.BytesIO()
        with zipfile.ZipFile(other, "w") as archive:
            archive.writestr("a.txt", "text")
        assert "corrupt" in refused("a.docx", other.getvalue())


def blocks_of(text: str) -> list[tuple[str, str, str]]:
    found = parse_text(text)
    return [(block.heading, found.text[block.start : block.end], str(block.place)) for block in found.blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PARKING\nStop here.\nPay.", [("PARKING", "Stop here.\nPay.", "lines 2-3")]),
        ("Parking\n=======\nStop here.", [("Parking", "Stop here.", "line 3")]),
        ("2. PARKING\nStop here.", [("2. PARKING", "Stop here.", "line 2")]),
        ("2. Parking\n\nStop here.", [("", "2. Parking", "line 1"), ("", "Stop here.", "line 3")]),
        ("Parking\nYou may stop here.", [("Parking", "You may stop here.", "line 2")]),
        ("2. Parking\nYou may stop here.", [("2. Parking", "You may stop here.", "line 2")]),
        ("2. Parking\nYou may stop here.\n3. Toll", [("", "2. Parking\nYou may stop here.\n3. Toll", "lines 1-3")]),
        ("Parking\nis here for all,\nwhoever comes.", [("", "Parking\nis here for all,\nwhoever comes.", "lines 1-3")]),
        ("Parking\n-------\n\nStop here.", [("Parking", "Stop here.", "line 4")]),
        ("Parking\n\nStop here.\n\nPay.", [("Parking", "Stop here.", "line 3"), ("Parking", "Pay.", "line 5")]),
        ("Milk\n\nEggs\n\nBread", [("", "Milk", "line 1"), ("", "Eggs", "line 3"), ("", "Bread", "line 5")]),
        ("Parking", [("", "Parking", "line 1")]),
        ("Stop here,\nand pay.", [("", "Stop here,\nand pay.", "lines 1-2")]),
        ("- PARKING\nStop here.", [("", "- PARKING\nStop here.", "lines 1-2")]),
        ("May I stop here?\nYes.\nIt is free.", [("May I stop here?", "Yes.\nIt is free.", "lines 2-3")]),
        ("May I stop here?\n\nYes.", [("May I stop here?", "Yes.", "line 3")]),
        (
            "May I stop here?\n\nWho pays?\n\nMay I?",
            [("", t, f"line {n}") for n, t in ((1, "May I stop here?"), (3, "Who pays?"), (5, "May I?"))],
        ),
        ("1932\n\nIt was opened.", [("", "1932", "line 1"), ("", "It was opened.", "line 3")]),
    ],
)
def test_a_line_that_stands_over_plain_text_is_its_heading(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert blocks_of(text) == expected


def test_plain_text_is_named_by_the_heading_it_opens_with() -> None:
    assert parse_text("PARKING\nStop here.").title == "PARKING"
    assert parse_text("Stop here.\n\nPARKING\nStop there.").title == ""


HIDDEN = "\u202e\u200b\x9b\U000e0041"
ENTITIES = "&#x202e;&#8203;&#xE0041;"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", f"To{HIDDEN}p\n\nOne{HIDDEN} two."),
        ("a.md", f"---\ntitle: To{HIDDEN}p\n---\n# To{HIDDEN}p\n\nOne{HIDDEN} two.\n\n```\nx{HIDDEN}\n```\n"),
        (
            "a.md",
            f"# To{ENTITIES}p\n\nOne{ENTITIES} two.\n\n| a{ENTITIES} | b |\n|---|---|\n| <b>c{ENTITIES}</b> | d |\n",
        ),
        ("a.html", f"<title>To{ENTITIES}p</title><h1>To{HIDDEN}p</h1><p>One{ENTITIES} two.<pre>x{HIDDEN}</pre>"),
    ],
)
def test_nothing_hidden_is_stored_written_or_by_its_number(name: str, content: str) -> None:
    document = read(name, content)
    assert clean(document.text) == document.text
    assert "One two." in document.text
    assert document.title == "Top" if name != "a.txt" else document.title
    assert [block.heading for block in document.blocks if clean(block.heading) != block.heading] == []


def test_a_file_is_named_in_one_line_without_what_is_hidden() -> None:
    assert read(f"mi\x1bll{HIDDEN}\nroof.txt", "One.").title == "mill roof"
    assert read(f"{HIDDEN}.txt", "One.").title == ".txt"
