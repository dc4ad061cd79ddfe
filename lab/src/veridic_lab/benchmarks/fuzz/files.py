"""Files of every kind that is read, whole, damaged and blown up; read as ingestion reads them."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hypothesis import strategies as st
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.test_readers import docx_file, pdf

from veridic.errors import DocumentUnreadable
from veridic.knowledge.base import open_knowledge
from veridic.knowledge.intake import IngestReport, Intake, Item
from veridic.knowledge.readers import files
from veridic.knowledge.readers.process import ReadingProcess
from veridic.ports.file_limits import FileLimits
from veridic.text.hidden import clean
from veridic_lab.benchmarks.fuzz.target import Attempt, Case, Target
from veridic_lab.benchmarks.fuzz.texts import UTF8, repeated, texts

LIMITS = FileLimits(seconds=20)
LARGEST = 5_000_000
ENCODINGS = "utf-8 utf-8-sig utf-16 utf-16-le utf-32 latin-1 cp1252 utf-7 cp037 shift_jis gb18030 iso2022_jp".split()
MARKUP = st.sampled_from(
    "# |> |- |1. |    |\t|```|`|[|](|![|[^1]: |*|_|\\|<div>|</div>|<!--|-->|<![CDATA[|]]>|&#x0;|&nosuch;|a | b |\n|"
    "---|\n|\n\n|---\n|a: b\n|word |<b|<?|<script>|<table>|<td colspan='99999999'>|<meta charset=utf-7>|</|<svg>".split(
        "|"
    )
)
EDIT = st.tuples(
    st.floats(0, 1),
    st.sampled_from("cut put write write write double end".split()),
    st.binary(min_size=1, max_size=6)
    | st.sampled_from([b"\0", b"<", b"(" * 500, b"\xff" * 8, b"<div>" * 200, b"0 R", b"obj", b"99999999999"]),
    st.integers(1, 2000),
)


def encoded(parts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    """A text in one encoding or another."""
    return st.builds(lambda text, encoding: text.encode(encoding, "replace"), parts, st.sampled_from(ENCODINGS))


def mutated(content: bytes, edits: list[tuple[float, str, bytes, int]]) -> bytes:
    """The bytes with something cut out, put in, or doubled here and there."""
    for place, edit, piece, length in edits:
        at = int(place * len(content))
        content = {
            "cut": content[:at] + content[at + length :],
            "put": content[:at] + piece + content[at:],
            "write": content[:at] + piece + content[at + len(piece) :],
            "double": content[:at] + content[at : at + length] * 3 + content[at + length :],
            "end": content[:at],
        }[edit]
    return content[:LARGEST]


def bomb(megabytes: int) -> bytes:
    """A Word document with a part that unpacks to so many megabytes."""
    made = io.BytesIO(docx_file())
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("word/media/a.xml", "w") as entry:
        for _ in range(megabytes):
            entry.write(bytes(1_000_000))
    return made.getvalue()


WHOLE = {".docx": docx_file(), ".pdf": pdf("Green tea is steamed.", "It is drunk hot.")}
TEXTS = encoded(repeated(MARKUP | st.text(UTF8, max_size=6), 30_000) | texts(20_000))
CASES: st.SearchStrategy[Case] = st.one_of(
    st.builds(
        lambda kind, content, edits: {"kind": kind, "content": mutated(content, edits)},
        st.sampled_from([".txt", ".md", ".html"]),
        TEXTS,
        st.lists(EDIT, max_size=2),
    ),
    st.builds(
        lambda kind, edits: {"kind": kind, "content": mutated(WHOLE[kind], edits)},
        st.sampled_from(sorted(WHOLE)),
        st.lists(EDIT, max_size=20),
    ),
    st.builds(lambda size: {"kind": ".docx", "content": bomb(size)}, st.integers(0, 400)),
    st.fixed_dictionaries({"kind": st.sampled_from(sorted(files.READERS)), "content": st.binary(max_size=2000)}),
)


@contextmanager
def opened(folder: Path) -> Iterator[Attempt]:
    """A knowledge base that takes in each file in place of the one before."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = open_knowledge(folder / "kb.sqlite", "default", HashingEmbedder()).corpus
    with closing(ReadingProcess(LIMITS)) as reading:

        def attempt(case: Case) -> None:
            path, report = folder / f"a{case['kind']}", IngestReport()
            path.write_bytes(case["content"])
            item = Item(
                url=str(path),
                name=path.name,
                media_type=files.media_type(path),
                content=lambda: files.load(path, LIMITS),
                parse=lambda content: reading.parse(path, content),
            )
            Intake(corpus, "human", report, lambda *_: None).run([item])
            for one in report.unreadable:
                if "broke down" in one.reason:
                    raise AssertionError(one.reason)
                raise DocumentUnreadable(one.reason)
            stored = corpus.document(str(path))
            if (clean(stored.text), clean(stored.title)) != (stored.text, stored.title):
                raise AssertionError("hidden characters were stored")

        yield attempt


FILES = Target(CASES, opened, seconds=30)
