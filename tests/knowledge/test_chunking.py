"""Chunks are pieces of the stored text, in order, with nothing lost."""

import io
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.knowledge.chunking import MAX_CHARACTERS, MAX_WORDS, chunked
from veridic.knowledge.readers import files
from veridic.knowledge.readers.markdown import read_markdown
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.readers.tables import MAX_WHOLE_CHARACTERS, PART_CHARACTERS
from veridic.text.hidden import clean

WORDS = st.sampled_from(
    ["bridge", "a", "Dr.", "3.5", "opened.", "why?", "x" * 300, "🌉", "桥。", "|", "```", "#", "-", "e.g."]
)
GAPS = st.sampled_from([" ", " ", " ", "\n", "\n\n", "  ", "\t", "\u3000"])
TEXTS = st.lists(st.tuples(WORDS, GAPS), max_size=400).map(lambda pairs: "".join(word + gap for word, gap in pairs))


def holds(document: ParsedDocument) -> None:
    """What is true of the chunks of any document."""
    chunks = chunked(document)
    at = 0
    for chunk in chunks:
        assert document.text[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        assert chunk.start >= at
        at = chunk.end
    covered = {offset for chunk in chunks for offset in range(chunk.start, chunk.end)}
    for block in document.blocks:
        lost = [offset for offset in range(block.start, block.end) if offset not in covered]
        assert not "".join(document.text[offset] for offset in lost).strip()
        for chunk in chunks:
            if chunk.start < block.end and block.start < chunk.end:
                assert chunk.heading == block.heading
                if not block.whole:
                    assert len(chunk.text) <= MAX_CHARACTERS
                    assert len(chunk.text.split()) <= MAX_WORDS


@settings(max_examples=60, deadline=None)
@given(st.one_of(TEXTS, st.text(max_size=3000)))
def test_of_any_plain_text(text: str) -> None:
    holds(parse_text(clean(text)))


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_of_any_markdown(text: str) -> None:
    holds(read_markdown(text.encode()))


def test_paragraphs_of_one_section_are_put_together() -> None:
    document = read_markdown(b"# A\n\nOne.\n\nTwo.\n\n## B\n\nThree.\n\n# A\n\nFour.\n")
    assert [(chunk.heading, chunk.text, chunk.location) for chunk in chunked(document)] == [
        ("A", "One.\n\nTwo.", "lines 3-5"),
        ("A > B", "Three.", "line 9"),
        ("A", "Four.", "line 13"),
    ]


def test_two_sections_of_one_name_are_not_put_together() -> None:
    document = read_markdown(b"# Example\n\nOne.\n\n# Example\n\nTwo.\n")
    assert [chunk.text for chunk in chunked(document)] == ["One.", "Two."]


def test_a_long_paragraph_is_cut_at_sentence_ends_and_evenly() -> None:
    text = "".join(f"Sentence number {number} says that the bridge is still standing.\n" for number in range(30))
    chunks = chunked(parse_text(text))
    assert all(chunk.text.endswith("standing.") for chunk in chunks)
    sizes = [len(chunk.text) for chunk in chunks]
    assert len(sizes) == 2
    assert min(sizes) > 0.8 * max(sizes)
    assert [chunk.location for chunk in chunks] == ["lines 1-15", "lines 16-30"]


def test_a_table_stands_alone_and_whole() -> None:
    rows = "\n".join(f"| {number} | value of {number} |" for number in range(60))
    document = read_markdown(f"# T\n\nBefore.\n\n| n | v |\n|---|---|\n{rows}\n\nAfter.\n".encode())
    before, table, after = chunked(document)
    assert (before.text, after.text) == ("Before.", "After.")
    assert table.text.count("\n") == 61
    assert MAX_CHARACTERS < len(table.text) < MAX_WHOLE_CHARACTERS


def test_a_very_long_code_block_is_cut_at_its_lines() -> None:
    lines = "\n".join(f"value_{number} = {number}" for number in range(600))
    chunks = chunked(read_markdown(f"```\n{lines}\n```\n".encode()))
    assert len(chunks) > 1
    assert all(len(chunk.text) <= MAX_WHOLE_CHARACTERS for chunk in chunks)
    assert all(line.startswith(("value_", "```")) for chunk in chunks for line in chunk.text.split("\n"))


def test_one_long_word_is_cut_all_the_same() -> None:
    chunks = chunked(parse_text("x" * 5000))
    assert "".join(chunk.text for chunk in chunks) == "x" * 5000


COLUMNS = ["Bridge", "Opened", "Architect"]
ROWS = [[f"Bridge {number}", str(1800 + number), f"Architect number {number}"] for number in range(300)]


def as_markdown() -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (COLUMNS, ["---"] * 3, *ROWS)]
    return "# Survey\n\n" + "\n".join(lines) + "\n"


def as_html() -> str:
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in (COLUMNS, *ROWS))
    return f"<main><h1>Survey</h1><p>The county counted its bridges in 1932.</p><table>{rows}</table></main>"


def as_docx() -> bytes:
    document = docx.Document()
    document.add_heading("Survey", 1)
    table = document.add_table(0, 3)
    for row in (COLUMNS, *ROWS):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "made"),
    [("a.md", lambda: as_markdown().encode()), ("a.html", lambda: as_html().encode()), ("a.docx", as_docx)],
)
def test_every_chunk_of_a_long_table_has_its_columns_and_its_heading(name: str, made: Callable[[], bytes]) -> None:
    chunks = [chunk for chunk in chunked(files.parse(Path(name), made())) if chunk.text.startswith("|")]
    assert len(chunks) > 5
    assert {chunk.heading for chunk in chunks} == {"Survey"}
    assert all(chunk.text.startswith("| Bridge | Opened | Architect |\n") for chunk in chunks)
    assert all(len(chunk.text) <= PART_CHARACTERS for chunk in chunks)
    for number in range(300):
        assert sum(f"| Bridge {number} | {1800 + number} | Architect number {number} |" in c.text for c in chunks) == 1


def test_each_part_of_a_long_table_knows_its_lines() -> None:
    first, second, *_, last = chunked(read_markdown(as_markdown().encode()))
    rows = first.text.count("\n") - 1
    assert first.location == f"lines 3-{4 + rows}"
    assert second.location.startswith(f"lines {5 + rows}-")
    assert last.location.endswith("-304")


def test_a_row_longer_than_a_chunk_names_its_row_and_column() -> None:
    long = "The pier was rebuilt after the flood. " * 200
    page = "<table>" + "".join(
        f"<tr><td>{name}</td><td>{text}</td></tr>"
        for name, text in [("Bridge", "History"), ("Alder", long), ("Elm", "x")]
    )
    document = files.parse(Path("a.html"), page.encode())
    holds(document)
    texts = [chunk.text for chunk in chunked(document)]
    assert texts[0].startswith("Alder, History: The pier was rebuilt")
    assert all(len(text) <= MAX_CHARACTERS for text in texts)
    assert texts[-1] == "| Bridge | History |\n| Elm | x |"
