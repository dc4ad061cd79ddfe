"""`veridic ingest`, `show` and `doctor`."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, Veridic


def test_ingest_tells_what_became_of_each_file(veridic: Veridic, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("# Mill\n\nThe mill was built in 1820.")
    (folder / "empty.txt").write_text("")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing follows")
    first = veridic("ingest", str(folder))
    counts, skipped = first.out.splitlines()
    assert (first.status, counts) == (1, "1 added, 1 skipped")
    assert skipped == f"  skipped: {folder / 'empty.txt'}: It is empty"
    assert "broken.pdf" in first.err
    assert len(first.err.splitlines()) == 1
    assert "1 unchanged" in veridic("ingest", str(folder)).out
    (folder / "good.md").unlink()
    assert "1 pruned" in veridic("ingest", str(folder), "--prune").out


def test_what_is_skipped_is_named_with_why_and_the_rest_counted(veridic: Veridic, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("Makefile", *(f"p{number:02}.mp4" for number in range(12)), "y.iso"):
        (folder / name).write_text("x")
    (folder / "good.md").write_text("# Mill\n\nThe mill was built in 1820.")
    shown = veridic("ingest", str(folder))
    assert (shown.status, shown.err) == (0, "")
    counts, first, second, *_, more, known = shown.out.splitlines()
    assert counts == "1 added, 14 skipped"
    assert first == f"  skipped: {folder / 'Makefile'}: its name has no ending that says what it is"
    assert second == f"  skipped: {folder / 'p00.mp4'}: .mp4 is not read"
    assert more == "  and 4 files more: 3 .mp4, 1 .iso"
    assert known.startswith("  What is read ends in .txt, ")
    assert len(shown.out.splitlines()) == 13


def test_every_page_spells_the_line_that_installs_an_extra_alike() -> None:
    root = EXAMPLES.parent
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("src/veridic/**/*.py")]
    lines = [line for page in pages for line in re.findall(r"pip install [\"']?[\w.]*\[[^`]*", page.read_text("utf-8"))]
    assert lines
    assert [line for line in lines if not line.startswith("pip install 'veridic[")] == []


def test_a_missing_path_is_named_and_the_rest_is_in(veridic: Veridic) -> None:
    shown = veridic("ingest", "nowhere", str(EXAMPLES))
    assert shown.status == 1
    assert "nowhere" in shown.err
    assert "4 added" in shown.out


def test_doctor_says_what_can_be_used_and_why_not(veridic: Veridic) -> None:
    good = veridic("doctor")
    assert good.status == 0
    assert "both gate" in good.out
    (promised,) = [line for line in good.out.splitlines() if line.startswith("ok   verified")]
    assert "no drafts; drafts that a chat model judged from 0." in promised
    assert "at least 0.95" in promised
    assert "nothing leaves this machine" in good.out
    assert good.out.endswith("\nAll that is set can be used.\n")
    bad = veridic("doctor", "--sources", "web", "--model", "openai:gpt-4.1-mini")
    assert bad.status == 1
    assert "TAVILY_API_KEY" in bad.out
    assert "`keyless`" in bad.out
    assert "OPENAI_API_KEY" in bad.out
    assert bad.out.endswith("\nCannot be used: chat model, source web.\n")


def test_a_shown_document_ends_its_line_on_a_terminal_and_is_exact_in_a_file(
    veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mill.txt").write_text("A mill was built in 1820.")
    veridic("ingest", "mill.txt")
    assert veridic("show", "mill.txt").out == "A mill was built in 1820."
    monkeypatch.setattr("veridic.cli.terminal.Console.is_terminal", True)
    assert veridic("show", "mill.txt").out == "A mill was built in 1820.\n"


def test_doctor_says_what_to_do_with_nothing_held(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "mill.txt").write_text("A mill was built in 1820.")
    veridic("ingest", "mill.txt")
    veridic("remove", "mill.txt")
    assert "0 documents" in veridic("doctor").out
    assert "veridic ingest PATH" in veridic("doctor").out


def test_doctor_tells_of_the_model_that_grades(veridic: Veridic) -> None:
    assert " grader " not in veridic("doctor").out
    small = veridic("doctor", "--judge", "llm:ollama:smollm2:135m", "--base-url", "http://127.0.0.1:9")
    assert (small.status, "BAD  grader" in small.out) == (1, True)


def test_doctor_says_that_a_graders_examples_cannot_be_read_and_examines_the_rest(
    veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("VERIDIC_GRADER_EXAMPLES", str(tmp_path / "gone.jsonl"))
    shown = veridic("doctor", "--judge", "llm:openai:gpt-4.1-mini")
    (line,) = [line for line in shown.out.splitlines() if " grader " in line]
    assert (shown.status, line[:4]) == (1, "BAD ")
    assert "gone.jsonl cannot be read" in line
    assert " chat model " in shown.out


@pytest.mark.parametrize(
    ("model", "doubt"),
    [
        ("tinyllama", "not to be trusted as a judge"),
        ("gpt-4o-mini", "until `veridic trial openai:gpt-4o-mini` was run"),
    ],
)
def test_doctor_says_when_a_model_is_not_to_be_trusted_as_a_judge(
    veridic: Veridic, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model: str, doubt: str
) -> None:
    monkeypatch.setenv("VERIDIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "of-a-test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    shown = veridic("doctor", "--judge", f"llm:openai:{model}")
    (line,) = [line for line in shown.out.splitlines() if " grader " in line]
    assert line.startswith("warn")
    assert doubt in line


def test_a_file_beyond_its_limits_is_named_with_the_setting_and_the_rest_is_in(
    veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a-page.html").write_text("<p>word" * 30_000)
    (folder / "mill.md").write_text("# Mill\n\nThe mill was built in 1820.")
    monkeypatch.setenv("VERIDIC_FILE_CHARACTERS", "1000")
    shown = veridic("ingest", str(folder))
    assert (shown.status, shown.out) == (1, "1 added\n")
    [page] = shown.err.splitlines()
    assert "a-page.html" in page
    assert "more than 1,000 characters" in page
    assert "VERIDIC_FILE_CHARACTERS" in page
