"""Files that would cost more than they may: refused by name of the limit, and the files after them are read."""

import io
import json
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.knowledge.test_readers import docx_file, pdf
from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import files
from veridic.knowledge.readers.model import Block, ParsedDocument, Place
from veridic.knowledge.readers.process import ReadingProcess, line
from veridic.ports.file_limits import FileLimits
from veridic.settings import Settings

WORD = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'

WIDE = b'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99000000"/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>'

held_to_memory = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is not held to some memory")


def docx_of(body: bytes) -> bytes:
    """A docx file with this for its text."""
    plain = io.BytesIO()
    docx.Document().save(plain)
    made = io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            text = WORD + body + b"</w:body></w:document>"
            new.writestr(entry.filename, text if entry.filename == "word/document.xml" else old.read(entry))
    return made.getvalue()


def refused(name: str, content: bytes, limits: FileLimits) -> str:
    with pytest.raises(DocumentUnreadable) as caught:
        files.parse(Path(name), content, limits)
    return str(caught.value)


@pytest.mark.parametrize(
    ("body", "limits", "setting"),
    [
        (b"<w:p/>" * 10_000, FileLimits(unpacked_bytes=50_000), "UNPACKED_BYTES"),
        (b"<w:p><w:r><w:t>" + b"word " * 4_000 + b"</w:t></w:r></w:p>", FileLimits(characters=10_000), "CHARACTERS"),
    ],
)
def test_what_a_docx_is_held_to(body: bytes, limits: FileLimits, setting: str) -> None:
    assert refused("a.docx", docx_of(body), limits).endswith(f"VERIDIC_FILE_{setting}.")


def test_what_is_nested_deep_is_read_or_refused() -> None:
    deep = "<div>" * 240 + "The bridge was opened." + "</div>" * 240
    for name in ("a.html", "a.md"):
        assert files.parse(Path(name), deep.encode()).text == "The bridge was opened."
    assert "corrupt" in refused("a.html", ("<div>" * 1_500 + "The bridge was opened.").encode(), FileLimits())


@pytest.mark.parametrize(
    ("limits", "setting"),
    [
        (FileLimits(pages=2), "PAGES"),
        (FileLimits(unpacked_bytes=100), "UNPACKED_BYTES"),
        (FileLimits(characters=50), "CHARACTERS"),
    ],
)
def test_what_a_pdf_is_held_to(limits: FileLimits, setting: str) -> None:
    content = pdf(*["The bridge was opened in 1932."] * 3)
    assert refused("a.pdf", content, limits).endswith(f"VERIDIC_FILE_{setting}.")
    assert files.parse(Path("a.pdf"), content).text


def test_a_page_of_a_pdf_that_unpacks_to_too_much_is_refused() -> None:
    packed = zlib.compress(b"BT (x) Tj ET\n" * 7_000_000)
    page = pdf("x")
    begin, end = page.index(b"<< /Length"), page.index(b"endstream")
    stream = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\n" % (len(packed), packed)
    assert "unpacks to more" in refused("a.pdf", page[:begin] + stream + page[end:], FileLimits())


def test_the_settings_are_the_limits() -> None:
    assert Settings.load().file_limits == FileLimits()
    assert Settings.load(file_seconds=3, file_pages=7).file_limits == FileLimits(seconds=3, pages=7)


class TestProcess:
    """Reading in a process that is held to time and memory."""

    @pytest.fixture
    def reading(self) -> Iterator[ReadingProcess]:
        with closing(ReadingProcess(FileLimits())) as process:
            yield process

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("a.md", b"# Tea\n\nGreen tea.\n\n- one\n- two \xe2\x80\xa8 \xf0\x9f\x8d\xb5"),
            ("a.html", b"<h1>Tea</h1><p>Green tea."),
            ("a.docx", docx_file()),
            ("a.pdf", pdf("Green tea is steamed.")),
            ("a.txt", b"Green tea."),
        ],
    )
    def test_it_reads_what_would_be_read_here(self, reading: ReadingProcess, name: str, content: bytes) -> None:
        assert reading.parse(Path(name), content) == files.parse(Path(name), content)

    def test_it_refuses_what_would_be_refused_here_and_reads_on(self, reading: ReadingProcess) -> None:
        with pytest.raises(DocumentUnreadable, match=r"It is corrupt .* save it again"):
            reading.parse(Path("a.pdf"), b"%PDF-1.4 nothing follows")
        assert reading.parse(Path("a.md"), b"Green tea.").text == "Green tea."

    def test_text_starts_no_process(self, reading: ReadingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("subprocess.Popen", None)
        assert reading.parse(Path("a.txt"), b"Green tea.").text == "Green tea."

    def test_one_that_takes_too_long_is_ended(self) -> None:
        with closing(ReadingProcess(FileLimits(seconds=0.5))) as reading:
            with pytest.raises(DocumentUnreadable, match=r"more than 0\.5 seconds.*VERIDIC_FILE_SECONDS"):
                reading.parse(Path("a.md"), b"![[](" * 1_000_000)
            assert reading.parse(Path("a.txt"), b"Green tea.").text == "Green tea."

    @held_to_memory
    @pytest.mark.parametrize("body", [b"<w:p/>" * 1_500_000, WIDE], ids=["paragraphs", "columns"])
    def test_one_that_takes_too_much_memory_is_ended_and_the_next_is_read(self, body: bytes) -> None:
        content = docx_of(body)
        assert len(content) < 50_000
        with closing(ReadingProcess(FileLimits(memory_bytes=150_000_000))) as reading:
            reading.parse(Path("a.md"), b"Green tea.")
            with pytest.raises(DocumentUnreadable, match=r"of memory.*VERIDIC_FILE_MEMORY_BYTES"):
                reading.parse(Path("a.docx"), content)
            assert reading.parse(Path("a.md"), b"Green tea.").text == "Green tea."

    def test_one_that_breaks_the_reader_is_told_and_the_next_is_read(
        self, reading: ReadingProcess, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        broken = line({"path": "a.md"})
        with monkeypatch.context() as patched:
            patched.setattr("veridic.knowledge.readers.process.line", lambda _: broken)
            with pytest.raises(DocumentUnreadable, match="broke down"):
                reading.parse(Path("a.md"), b"Green tea.")
        assert reading.parse(Path("a.md"), b"Green tea.").text == "Green tea."


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(0, 9),
    st.booleans(),
)
def test_a_document_comes_over_as_it_is(title: str, text: str, place: int, whole: bool) -> None:
    document = ParsedDocument(title, text, (Block(0, len(text), title, Place("page", place, place + 1), whole, place),))
    told = line(asdict(document))
    assert told.count(b"\n") == 1
    assert ParsedDocument.of(json.loads(told)) == document
