"""Word documents as they read once their edits are accepted; what each part of one adds to the text, and where."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from docx.oxml import parse_xml

from tests.knowledge.test_formats import with_part
from tests.knowledge.test_readers import blocks, read

NAMES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "v": "urn:schemas-microsoft-com:vml",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    }.items()
)


def document_of(*paragraphs: str) -> docx.document.Document:
    """A document of these paragraphs, each as what stands in one in WordprocessingML."""
    document = docx.Document()
    body = document.element.body
    for told in paragraphs:
        block = told if told.startswith("<w:sdt>") else f"<w:p>{told}</w:p>"
        [made] = parse_xml(f"<w:body {NAMES}>{block}</w:body>")
        body.insert(len(body) - 1, made)
    return document


def saved(document: docx.document.Document) -> bytes:
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def told(content: bytes) -> list[str]:
    return [text for _, _, text in blocks(read("a.docx", content))]


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


RAISED = '<w:vertAlign w:val="superscript"/>'
NOT_STRUCK = '<w:strike w:val="0"/>'
BOX = f"<w:txbxContent><w:p>{run('In a box.')}</w:p></w:txbxContent>"
SHAPE = f"<wps:wsp><wps:txbx>{BOX}</wps:txbx></wps:wsp>"
DRAWN = f"<w:drawing><a:graphic><a:graphicData uri='x'>{SHAPE}</a:graphicData></a:graphic></w:drawing>"
TWICE = (
    f"<mc:AlternateContent><mc:Choice Requires='wps'>{DRAWN}</mc:Choice>"
    f"<mc:Fallback><w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>"
)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f"{run('It is ')}<w:ins w:id='1'>{run('not ')}</w:ins>{run('allowed.')}", ["It is not allowed."]),
        (f"{run('60 ')}<w:del w:id='1'><w:r><w:delText>30 </w:delText></w:r></w:del>{run('days.')}", ["60 days."]),
        (f"<w:moveFrom w:id='1'>{run('Gone.')}</w:moveFrom><w:moveTo w:id='2'>{run('Here.')}</w:moveTo>", ["Here."]),
        (f"{run('For ')}<w:sdt><w:sdtContent>{run('Ann')}</w:sdtContent></w:sdt>{run('.')}", ["For Ann."]),
        (f"<w:sdt><w:sdtContent><w:p>{run('A control.')}</w:p></w:sdtContent></w:sdt>", ["A control."]),
        (f"{run('15', '')}{run('2', RAISED)}{run(' euros.')}", ["15[2] euros."]),
        (f"{run('10')}{run('6', RAISED)}{run(' m')}", ["10^6 m"]),
        (f"{run('17 ')}{run('14 ', '<w:strike/>')}{run('13 ', '<w:dstrike/>')}{run('euros.')}", ["17 euros."]),
        (f"{run('It stays', NOT_STRUCK)}{run(' hidden', '<w:vanish/>')}", ["It stays"]),
        (f"{run('On ')}<w:fldSimple w:instr='DATE'>{run('3 May')}</w:fldSimple>", ["On 3 May"]),
        (f"{run('By ')}<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>", ["By a+b"]),
        (f"{run('Beside it.')}<w:r>{TWICE}</w:r>", ["Beside it.", "In a box."]),
        (f"{run('Beside it.')}<w:r>{DRAWN}</w:r>", ["Beside it.", "In a box."]),
        (f"{run('Beside it.')}<w:r><w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict></w:r>",
         ["Beside it.", "In a box."]),
    ],
)  # fmt: skip
def test_what_stands_in_a_paragraph(inside: str, expected: list[str]) -> None:
    assert told(saved(document_of(inside, run("After it.")))) == [*expected, "After it."]


def test_a_note_stands_below_the_paragraph_of_its_mark_whose_mark_goes() -> None:
    marks = "".join(f"{run('Rent')}<w:r><w:{kind}Reference w:id='2'/></w:r>" for kind in ("footnote", "endnote"))
    content = saved(document_of(f"{marks}{run('.')}", run("After it.")))
    for kind in ("footnote", "endnote"):
        note = f"<w:{kind} w:id='2'><w:p>{run(f'Of the {kind}.')}</w:p></w:{kind}>"
        content = with_part(content, f"word/{kind}s.xml", f"<w:{kind}s {NAMES}>{note}</w:{kind}s>".encode())
        content = _related(content, kind)
    assert told(content) == ["RentRent.", "Of the endnote.", "Of the footnote.", "After it."]


def test_a_note_of_a_cell_stands_below_its_table() -> None:
    mark = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    cells = [
        f"<w:tc><w:p>{inside}</w:p></w:tc>" for inside in (run("Pier"), run("Dues"), run("North") + mark, run("20"))
    ]
    rows = [f"<w:tr>{''.join(cells[at : at + 2])}</w:tr>" for at in (0, 2)]
    table = f"<w:sdt><w:sdtContent><w:tbl>{''.join(rows)}</w:tbl></w:sdtContent></w:sdt>"
    note = f"<w:footnote w:id='2'><w:p>{run('a', RAISED)}{run(' In winter')}{run('a', RAISED)}</w:p></w:footnote>"
    content = saved(document_of(table, run("After it.")))
    content = with_part(content, "word/footnotes.xml", f"<w:footnotes {NAMES}>{note}</w:footnotes>".encode())
    assert told(_related(content, "footnote")) == ["North: Dues is 20.", "[a] In winter[a]", "After it."]


def _related(content: bytes, kind: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        types = archive.read("[Content_Types].xml").decode()
        relations = archive.read("word/_rels/document.xml.rels").decode()
    told_type = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}s+xml"
    types = types.replace("</Types>", f'<Override PartName="/word/{kind}s.xml" ContentType="{told_type}"/></Types>')
    of = f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}s"
    relation = f'<Relationship Id="r{kind}" Type="{of}" Target="{kind}s.xml"/></Relationships>'
    content = with_part(content, "[Content_Types].xml", types.encode())
    return with_part(content, "word/_rels/document.xml.rels", relations.replace("</Relationships>", relation).encode())


def test_deleted_rows_are_not_there() -> None:
    document = docx.Document()
    table = document.add_table(3, 3)
    for at, text in enumerate(("Pier", "Berth", "Depth", "North", "One", "9 m", "South", "Two", "8 m")):
        table.cell(at // 3, at % 3).text = text
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {NAMES} w:id='1'/>"))
    assert told(saved(document)) == ["South: Berth is Two. South: Depth is 8 m."]


def test_a_paragraph_whose_end_is_deleted_goes_on_in_the_next() -> None:
    ended = "<w:pPr><w:rPr><w:del w:id='1'/></w:rPr></w:pPr>"
    content = saved(document_of(f"{ended}{run('It is valid ')}", run("for two years."), f"{ended}{run('The last.')}"))
    assert told(content) == ["It is valid for two years.", "The last."]


def test_headers_and_footers_are_told_once_without_page_numbers_and_comments_are_said_to_be_left_out() -> None:
    document = document_of(run("The text."))
    document.sections[0].header.paragraphs[0].text = "Version 7"
    footer = document.sections[0].footer.paragraphs[0]
    footer.text = "Page "
    footer._p.append(parse_xml(f"<w:fldSimple {NAMES} w:instr='PAGE'>{run('1')}</w:fldSimple>"))
    document.add_comment(document.paragraphs[0].runs, text="Is it?", author="a")
    found = read("a.docx", saved(document))
    assert [(heading, text) for heading, _, text in blocks(found)] == [
        ("", "The text."),
        ("Headers and footers", "Version 7"),
    ]
    assert found.unread == "Its comments are left out"
