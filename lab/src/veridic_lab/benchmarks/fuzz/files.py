"""Files of every kind that is read, whole, damaged, nested and blown up; read as ingestion reads them."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import docx
from hypothesis import strategies as st
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.test_readers import docx_file, pdf

from veridic.errors import DocumentUnreadable
from veridic.knowledge.base import open_knowledge
from veridic.knowledge.document_rows import Document
from veridic.knowledge.intake import IngestReport, Intake, Item
from veridic.knowledge.readers import files
from veridic.knowledge.readers.process import ReadingProcess
from veridic.ports.file_limits import FileLimits
from veridic.text.hidden import clean
from veridic_lab.benchmarks.fuzz.running import Attempt, Case, Target
from veridic_lab.benchmarks.fuzz.texts import UTF8, repeated, texts

EXAMPLES = Path(__file__).parents[2] / "examples"
LIMITS = FileLimits(seconds=20)
BOMB = 20_000_000
"""Bytes that a stream of a PDF unpacks to at most, or a little more."""
ENCODINGS = "utf-8 utf-8-sig utf-16 utf-16-le utf-32 latin-1 cp1252 utf-7 cp037 shift_jis gb18030 iso2022_jp".split()

MARKDOWN = st.sampled_from(
    "# |> |- |1. |    |\t|```|~~~|`|[|](|![|][|[^1]: |*|**|_|\\|<div>|</div>|<!--|-->|&#x0;|&amp;|&|| a | b |\n|---|\n"
    "|\n|\n\n|---\n|a: b\n|word |http://a.b/|<b|<?|<![CDATA[|***\n|===\n|[a]: b\n".split("|")
)
TAGS = (
    "div p b table tr td th ul li pre code h1 h6 title svg script style form a img br noscript template article".split()
)
ATTRIBUTES = st.sampled_from(
    [
        "",
        ' a="b"',
        " a",
        ' style="x',
        ' colspan="99999999"',
        " \0",
        ' href="javascript:x"',
        f' id="{"x" * 5000}"',
        " hidden",
    ]
)
HTML = st.one_of(
    st.builds(lambda tag, more: f"<{tag}{more}>", st.sampled_from(TAGS), ATTRIBUTES),
    st.sampled_from([f"</{tag}>" for tag in TAGS]),
    st.sampled_from(
        [
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<!DOCTYPE html>",
            "&lt;",
            "&#0;",
            "&#x110000;",
            "&nosuch;",
            "<",
            ">",
            "</",
            "word ",
        ]
    ),
    st.text(UTF8, max_size=12),
)
HTML_HEADS = st.sampled_from(
    [
        b"",
        b"<html><body>",
        b'<?xml version="1.0" encoding="utf-16"?>',
        b'<meta charset="utf-7">',
        b"\xff\xfe",
        b"<frameset>",
    ]
)
WORD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
WORDS = st.one_of(
    st.sampled_from(
        """<w:p/> <w:p> </w:p> <w:p><w:r><w:t>Word.</w:t></w:r></w:p> <w:tbl> </w:tbl> <w:tr> </w:tr> <w:tc> </w:tc>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl> <w:hyperlink> </w:hyperlink>
        <w:sdt><w:sdtContent><w:p/></w:sdtContent></w:sdt> &e; <x/> <!-- ]]>""".split()
    ),
    st.sampled_from(
        [
            *(
                f"<w:tbl><w:tr><w:tc><w:tcPr>{cell}</w:tcPr><w:p/></w:tc></w:tr></w:tbl>"
                for cell in (*(f'<w:gridSpan w:val="{span}"/>' for span in ("-1", "9999", "x")), "<w:vMerge/>")
            ),
            *(
                f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>a</w:t><w:br/><w:tab/></w:r></w:p>'
                for style in ("Heading1", "no such")
            ),
        ]
    ),
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF), max_size=10),
)
LAUGHS = "".join(f"<!ENTITY a{n} '{10 * f'&a{n - 1};'}'>" for n in range(1, 9))
DOCTYPES = st.sampled_from(
    [
        "",
        "",
        '<!DOCTYPE x [<!ENTITY e "e">]>',
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
        f"<!DOCTYPE x [<!ENTITY a0 'a'>{LAUGHS}<!ENTITY e '&a8;'>]>",
    ]
)
PARTS = st.sampled_from(
    "word/document.xml [Content_Types].xml _rels/.rels word/_rels/document.xml.rels docProps/core.xml word/styles.xml "
    "../../a /a a\\b word/ \u202e.xml".split()
)

PDF_NAMES = st.sampled_from(
    """/Type /Kids /Count /Parent /Contents /Resources /Font /ToUnicode /Length /Filter /Pages /MediaBox /Encoding
    /XObject /Annots /W /Index /Prev /Root /Info /Title /DecodeParms /Predictor /Columns /FirstChar /Widths""".split()
)
PDF_VALUES = st.recursive(
    st.sampled_from(
        [
            *"null true 0 -1 99999999999999999999 1e400 .. (text) (\\) <00> <zz>".split(),
            *"/Name / /#00 << >> [ ] endobj stream".split(),
            *(f"{number} 0 R" for number in (1, 2, 3, 4, 5, 6, 99)),
        ]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5).map(lambda parts: f"[{' '.join(parts)}]"),
        st.lists(st.builds("{} {}".format, PDF_NAMES, inner), max_size=6).map(lambda pairs: f"<<{' '.join(pairs)}>>"),
    ),
    max_leaves=12,
)
PDF_TEXT = repeated(
    st.sampled_from(
        """BT /F1 12 Tf (Green tea.) Tj ET|q|Q|(a) Tj|[(a) -9999 (b)] TJ|1e99 0 0 1 0 0 cm|BI ID x EI|/F1 Do|<<|>>
        |(|)|Tf|0 0 Td|"|nan Tm|/F9 0 Tf|BT|ET""".split("|")
    ).map("{}\n".format),
    3000,
)
CMAP = repeated(
    st.sampled_from(
        """begincmap|endcmap|1 begincodespacerange <00> <FFFF> endcodespacerange|<zz> <> endbfrange
        |1 beginbfrange <0000> <FFFF> <0000> endbfrange|1 beginbfrange <00000000> <00FFFFFF> <0000> endbfrange
        |1 beginbfchar <00> <D800> endbfchar|1 beginbfrange <00> <05> [<00>] endbfrange""".split("|")
    ).map("{}\n".format),
    20,
)


def encoded(parts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    """A text in one encoding or another."""
    return st.builds(lambda text, encoding: text.encode(encoding, "replace"), parts, st.sampled_from(ENCODINGS))


def docx_archive(body: str, head: str, more: list[tuple[str, bytes]], dropped: list[str], bomb: int) -> bytes:
    """A Word document with this body; parts added, dropped, and one that unpacks to so many megabytes."""
    plain, made = zipfile.ZipFile(io.BytesIO(PLAIN_DOCX)), io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in plain.infolist():
            if entry.filename not in dropped:
                own = f"{head}{WORD}{body}</w:body></w:document>".encode(errors="replace")
                new.writestr(entry.filename, own if entry.filename == "word/document.xml" else plain.read(entry))
        for name, content in more:
            new.writestr(name, content)
        if bomb:
            with new.open("word/media/a.xml", "w") as entry:
                for _ in range(bomb):
                    entry.write(bytes(1_000_000))
    return made.getvalue()


def _plain_docx() -> bytes:
    made = io.BytesIO()
    docx.Document().save(made)
    return made.getvalue()


PLAIN_DOCX = _plain_docx()


def pdf_file(values: list[str], text: str, cmap: str, packed: int) -> bytes:
    """A PDF of one page with this text and font, among objects of any value."""
    streams = [zlib.compress(one.encode() * min(packed, BOMB // (len(one) + 1) + 1)) for one in (text, cmap)]
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F1 6 0 R>>>>>>",
        *(b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(one), one) for one in streams),
        b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 5 0 R>>",
    ]
    for at, value in enumerate(values):
        objects[at % len(objects)] = value.encode(errors="replace")
    whole = b"%PDF-1.7\n" + b"".join(b"%d 0 obj %s endobj\n" % (n, one) for n, one in enumerate(objects, start=1))
    return whole + b"trailer<</Root 1 0 R/Size 7>>\nstartxref\n0\n%%EOF"


def mutated(content: bytes, edits: list[tuple[float, str, bytes, int]]) -> bytes:
    """The bytes with something cut out, put in, or doubled here and there."""
    for place, edit, piece, length in edits:
        at = int(place * len(content))
        if edit == "cut":
            content = content[:at] + content[at + length :]
        elif edit == "put":
            content = content[:at] + piece + content[at:]
        elif edit == "write":
            content = content[:at] + piece + content[at + len(piece) :]
        elif edit == "double":
            content = content[:at] + content[at : at + length] * 3 + content[at + length :]
        else:
            content = content[:at]
    return content[:5_000_000]


def seeds() -> dict[str, bytes]:
    """Files that can be read."""
    found = {one.suffix: one.read_bytes() for one in sorted(EXAMPLES.iterdir()) if files.known(one)}
    return {**found, ".docx": docx_file(), ".pdf": pdf("Green tea is steamed.", "It is drunk hot.")}


EDIT = st.tuples(
    st.floats(0, 1),
    st.sampled_from("cut put write write write double end".split()),
    st.binary(min_size=1, max_size=6)
    | st.sampled_from([b"\0", b"<", b"(" * 500, b"\xff" * 8, b"<div>" * 200, b"0 R", b"obj"]),
    st.integers(1, 2000),
)
MADE: dict[str, st.SearchStrategy[bytes]] = {
    ".txt": encoded(texts(20_000)) | st.binary(max_size=500),
    ".md": encoded(repeated(MARKDOWN | st.text(UTF8, max_size=6), 30_000)),
    ".html": st.builds(lambda head, rest: head + rest, HTML_HEADS, encoded(repeated(HTML, 3000))),
    ".docx": st.builds(
        docx_archive,
        repeated(WORDS, 5000),
        DOCTYPES,
        st.lists(st.tuples(PARTS, st.binary(max_size=50)), max_size=2),
        st.lists(PARTS, max_size=1),
        st.one_of(st.just(0), st.just(0), st.integers(0, 400)),
    ),
    ".pdf": st.builds(pdf_file, st.lists(PDF_VALUES, max_size=6), PDF_TEXT, CMAP, st.sampled_from([1, 1, 1, 20, 1000])),
}
CASES: st.SearchStrategy[Case] = st.one_of(
    st.sampled_from(sorted(MADE)).flatmap(
        lambda kind: st.fixed_dictionaries(
            {"kind": st.just(kind), "content": st.builds(mutated, MADE[kind], st.lists(EDIT, max_size=2))}
        )
    ),
    st.sampled_from(sorted(seeds())).flatmap(
        lambda kind: st.fixed_dictionaries(
            {
                "kind": st.just(kind),
                "content": st.lists(EDIT, max_size=20).map(lambda edits: mutated(seeds()[kind], edits)),
            }
        )
    ),
    st.fixed_dictionaries({"kind": st.sampled_from(sorted(files.READERS)), "content": st.binary(max_size=2000)}),
)


@contextmanager
def opened(folder: Path) -> Iterator[Attempt]:
    """A knowledge base that takes in each file in place of the one before."""
    corpus = open_knowledge(folder / "kb.sqlite", "default", HashingEmbedder()).corpus
    with closing(ReadingProcess(LIMITS)) as reading:

        def attempt(case: Case) -> None:
            path = folder / f"a{case['kind']}"
            path.write_bytes(case["content"])
            report = IngestReport()
            Intake(corpus, "human", report, lambda *_: None).run([_item(path, reading)])
            for one in report.unreadable:
                if "broke down" in one.reason:
                    raise AssertionError(one.reason)
                raise DocumentUnreadable(one.reason)
            _look_at(corpus.document(str(path)))

        yield attempt


def _item(path: Path, reading: ReadingProcess) -> Item:
    return Item(
        url=str(path),
        name=path.name,
        media_type=files.media_type(path),
        content=lambda: files.load(path, LIMITS),
        parse=lambda content: reading.parse(path, content),
    )


def _look_at(stored: Document) -> None:
    if not (clean(stored.text) == stored.text and clean(stored.title) == stored.title):
        raise AssertionError("hidden characters were stored")


READERS = Target(CASES, opened, seconds=30, megabytes=3_000)
