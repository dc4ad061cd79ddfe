"""Chunks are pieces of the stored text, in order, with nothing lost."""

import io
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.knowledge.chunking import MAX_CHARACTERS, MAX_WHOLE_CHARACTERS, MAX_WORDS, chunked
from veridic.knowledge.readers import files
from veridic.knowledge.readers.markdown import read_markdown
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.plain import parse_text
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
                led = block.whole and chunk.heading.startswith(block.heading)
                assert led or chunk.heading == block.heading
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


def test_rows_of_a_table_are_put_together_with_what_stands_beside_them() -> None:
    document = read_markdown(b"# T\n\nBefore.\n\n| n | v |\n|---|---|\n| a | 1 |\n| b | 2 |\n\n# U\n\nAfter.\n")
    assert [(chunk.heading, chunk.text, chunk.location) for chunk in chunked(document)] == [
        ("T", "Before.\n\na: v is 1.\n\nb: v is 2.", "lines 3-8"),
        ("U", "After.", "line 12"),
    ]


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
def test_every_row_of_a_long_table_stands_in_a_chunk_with_its_columns(name: str, made: Callable[[], bytes]) -> None:
    document = files.parse(Path(name), made())
    holds(document)
    chunks = chunked(document)
    assert len(chunks) > 10
    assert {chunk.heading for chunk in chunks} == {"Survey"}
    for number in range(300):
        told = f"Bridge {number}: Opened is {1800 + number}. Bridge {number}: Architect is Architect number {number}."
        assert sum(told in chunk.text for chunk in chunks) == 1


def test_each_row_of_a_long_table_knows_its_line() -> None:
    document = read_markdown(as_markdown().encode())
    assert [str(block.place) for block in document.blocks] == [f"line {number}" for number in range(5, 305)]
    first, second, *_, last = chunked(document)
    rows = first.text.count("\n\n") + 1
    assert first.location == f"lines 5-{4 + rows}"
    assert second.location.startswith(f"lines {5 + rows}-")
    assert last.location.endswith("-304")


def headings_of(markdown: str) -> list[str]:
    return [chunk.heading for chunk in chunked(read_markdown(markdown.encode())) if chunk.text.startswith("```")]


def test_code_stands_under_the_sentence_that_introduces_it() -> None:
    text = "# Larch\n\n## Use\n\nLogs grow. To delete\nold ones, run:\n\n```sh\nlarch prune\n```\n"
    assert headings_of(text) == ["Larch > Use > To delete old ones, run:"]


@pytest.mark.parametrize(
    "before",
    ["# Larch\n\nLogs grow.\n\n## Use\n\n", "# Larch\n\n## Use\n\n", f"# Larch\n\n## Use\n\n{'very ' * 60}long:\n\n"],
)
def test_what_stands_elsewhere_or_is_too_long_introduces_no_code(before: str) -> None:
    assert headings_of(f"{before}```\nlarch prune\n```\n") == ["Larch > Use"]


def test_code_behind_code_stands_under_nothing_more() -> None:
    text = "# Larch\n\nDelete old logs:\n\n```\nlarch prune\n```\n\n```\nlarch list\n```\n"
    assert headings_of(text) == ["Larch > Delete old logs:", "Larch"]
