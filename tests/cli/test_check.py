"""What a person, a program and a build get from `veridic check`, with the judges that ship."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tests.cli.conftest import EXAMPLES, Veridic
from veridic.models.by_settings import base_folder
from veridic.ports.file_limits import LONGEST_TEXT
from veridic.ports.shapes.checking import CheckResult

TRUE = "The Halden Ridge Observatory was founded in 1911 by Ingrid Solvang."
ALTERED = "The Halden Ridge Observatory was not founded in 1911 by Ingrid Solvang."
UNFOUND = "Dogs are welcome in the planetarium."
WRONG = "The first dome was paid for by the Nansen family."


@pytest.fixture
def contradicting(ready: Veridic, monkeypatch: pytest.MonkeyPatch) -> Veridic:
    """With the base judge: the small one hardly ever contradicts."""
    if base_folder() is None:
        pytest.skip("needs the base judge")
    monkeypatch.setenv("VERIDIC_JUDGES", "base")
    return ready


def written(tmp_path: Path, text: str | bytes, name: str = "text.md") -> str:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (TRUE, 0),
        (f"# Head\n\n{TRUE}", 0),
        (f"{TRUE} {UNFOUND}", 5),
        ("Who runs it?", 4),
        ("", 2),
        (b"\xff\xfe\xfa", 2),
        ("a" * (LONGEST_TEXT + 1), 2),
        ("\N{GRINNING FACE}" * (LONGEST_TEXT + 1), 2),
    ],
)
def test_the_exit_status_says_what_the_text_comes_to(
    ready: Veridic, tmp_path: Path, text: str | bytes, status: int
) -> None:
    shown = ready("check", written(tmp_path, text))
    assert shown.status == status
    assert shown.err.count("\n") == (status == 2)


def test_a_contradicted_claim_has_an_exit_status_of_its_own(contradicting: Veridic, tmp_path: Path) -> None:
    assert contradicting("check", written(tmp_path, f"{UNFOUND} {ALTERED}")).status == 6


def test_in_a_long_text_what_is_contradicted_is_still_seen(contradicting: Veridic, tmp_path: Path) -> None:
    others = [f"The staff of the observatory ate {number} loaves of bread." for number in range(20, 32)]
    shown = contradicting("check", "--json", written(tmp_path, "\n\n".join([*others, ALTERED])))
    claims = TypeAdapter(CheckResult).validate_json(shown.out)["claims"]
    assert [claims[-1]["text"], claims[-1]["verdict"]] == [ALTERED, "contradicted"]
    assert "was founded in 1911 by the astronomer" in claims[-1]["citations"][0]["quote"]


def test_a_person_sees_a_line_for_each_claim_with_its_place_and_a_sum(contradicting: Veridic, tmp_path: Path) -> None:
    shown = contradicting("check", written(tmp_path, f"{TRUE}\n\n{ALTERED}\n\n{UNFOUND}\n\nWho?"))
    supported, contradicted, missing, question, total = shown.out.splitlines()
    assert supported.startswith(f"✓ supported     {TRUE} {EXAMPLES / 'history.md'} · line 5 · 48-201")
    assert contradicted.startswith(f"✗ contradicted  {ALTERED} {EXAMPLES / 'history.md'}")
    assert missing == f"? not found     {UNFOUND}"
    assert question == "  no claim      Who? (it asks and states nothing)"
    assert total.startswith("contradicted (3 claims: 1 supported, 1 not found, 1 contradicted)")


def test_what_was_not_found_is_shown_beside_the_sentence_that_comes_closest(ready: Veridic, tmp_path: Path) -> None:
    shown = ready("check", "--json", written(tmp_path, f"{WRONG}\n\n{UNFOUND}\n\n{TRUE}"))
    wrong, unfound, true = TypeAdapter(CheckResult).validate_json(shown.out)["claims"]
    assert wrong["nearest"]
    assert "Anton Brekke paid for the first dome" in wrong["nearest"]["quote"]
    assert (wrong["verdict"], unfound["nearest"], true["nearest"]) == ("not_found", None, None)
    line = ready("check", written(tmp_path, WRONG)).out.splitlines()[1]
    assert line.strip().startswith("nearest: “The town of Halden gave the land, and the shipowner Anton Brekke paid")


def test_quiet_prints_what_is_not_supported_alone(contradicting: Veridic, tmp_path: Path) -> None:
    shown = contradicting("check", "-q", written(tmp_path, f"{TRUE}\n\n{ALTERED}\n\nWho?"))
    assert [line[:14].strip() for line in shown.out.splitlines()] == ["✗ contradicted", "contradicted ("]


def test_the_json_document_has_the_published_schema_and_true_offsets(contradicting: Veridic, tmp_path: Path) -> None:
    text = f"{TRUE}\r\n\r\n- {ALTERED}\r\n"
    shown = contradicting("check", "--json", written(tmp_path, text))
    result = TypeAdapter(CheckResult).validate_json(shown.out)
    assert (result["schema_version"], result["text"], result["outcome"]) == (1, text, "contradicted")
    for claim in result["claims"]:
        assert claim["text"] in text[claim["start"] : claim["end"]]
        for citation in claim["citations"]:
            stored = contradicting("show", citation["document_id"]).out
            assert stored[citation["start"] : citation["end"]] == citation["quote"]


def test_standard_input_is_read(ready: Veridic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TRUE.encode())))
    assert ready("check", "-").status == 0


def test_html_is_checked_as_it_reads(ready: Veridic, tmp_path: Path) -> None:
    page = written(tmp_path, f"<html><body><p>{TRUE}</p><script>x()</script></body></html>", "page.html")
    shown = ready("check", page)
    assert (shown.status, "script" in shown.out) == (0, False)


def test_docs_are_taken_in_and_asked_alone(veridic: Veridic, tmp_path: Path) -> None:
    text = written(tmp_path, TRUE)
    assert veridic("check", "--docs", str(EXAMPLES / "history.md"), text).status == 0
    assert veridic("check", "--docs", str(EXAMPLES / "night-safety.txt"), text).status == 5
    assert veridic("check", "--scope", str(EXAMPLES / "history.md"), text).status == 0


def test_the_embedded_model_is_not_fetched_for_it(
    ready: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDIC_MODEL", "embedded")
    monkeypatch.setenv("VERIDIC_CACHE", str(tmp_path / "cache"))
    shown = ready("check", written(tmp_path, TRUE))
    assert (shown.status, shown.err, (tmp_path / "cache").exists()) == (0, "", False)


def test_an_empty_knowledge_base_says_what_to_do(veridic: Veridic, tmp_path: Path) -> None:
    assert veridic("check", written(tmp_path, TRUE)).status == 1
    (tmp_path / "note.txt").write_text("The archive is kept in box 14 of the town hall.")
    veridic("ingest", "note.txt")
    veridic("remove", "note.txt")
    shown = veridic("check", written(tmp_path, TRUE))
    assert shown.status == 5
    assert "veridic ingest" in shown.err


@pytest.mark.parametrize("name", ["no-such-file.txt", "no-such-file.pdf", "nul\0l"])
def test_a_file_that_is_not_there_is_one_line(veridic: Veridic, name: str) -> None:
    shown = veridic("check", name)
    assert (shown.status, shown.err.count("\n")) == (1, 1)


def test_a_choice_out_of_bounds_is_refused(veridic: Veridic, tmp_path: Path) -> None:
    shown = veridic("check", "--time-budget", "0", written(tmp_path, TRUE))
    assert (shown.status, "--time-budget" in shown.err) == (2, True)


def test_nothing_in_the_text_acts_on_the_terminal(ready: Veridic, tmp_path: Path) -> None:
    shown = ready("check", written(tmp_path, "The \x1b[31mbridge [bold]is[/] red\u202e, and so is this.\n"))
    assert "\x1b" not in shown.out
    assert "[bold]is[/]" in shown.out
