"""`--docs` and `--scope`: one knowledge base, two folders that contradict each other."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Veridic

QUESTION = "How much is the monthly rent?"
CONTRACTS = {
    "maple": "# Lease of the Maple Street office\n\nThe monthly rent is 1,200 euros and is paid by Elena Brandt.\n",
    "harbour": "# Lease of the Harbour Lane office\n\nThe monthly rent is 950 euros and is paid by Tomas Lindqvist.\n",
}
OTHER = {"maple": ("harbour", "950", "Lindqvist"), "harbour": ("maple", "1,200", "Brandt")}


@pytest.fixture
def both(veridic: Veridic, tmp_path: Path) -> Veridic:
    """A program whose knowledge base holds both folders."""
    for name, text in CONTRACTS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "contract.md").write_text(text)
    assert veridic("ingest", "-q", "maple", "harbour").status == 0
    return veridic


@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.parametrize("option", ["--docs", "--scope"])
def test_a_question_is_answered_from_the_folder_it_is_asked_of(
    both: Veridic, tmp_path: Path, name: str, option: str
) -> None:
    shown = both("ask", "-q", QUESTION, option, name)
    _, _, cited = shown.out.rpartition("\n\n")
    assert cited.startswith("[1] ")
    assert cited.endswith(f" · line 3 · {tmp_path / name / 'contract.md'}\n")
    for words in ((QUESTION,), ("What documents do you have?",), (f"Summarise the {OTHER[name][0]} lease",)):
        told = both("ask", "--json", *words, option, name, "--validate-claims", "always").out.replace(words[0], "")
        assert not [word for word in OTHER[name] if word.lower() in json.dumps(json.loads(told)["answer"]).lower()]
        assert {one["url"] for one in json.loads(told)["documents"]} <= {str(tmp_path / name / "contract.md")}


def test_the_settings_bound_what_a_run_may_choose(
    both: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDIC_DOCS", "maple")
    assert "1,200" in both("ask", "-q", QUESTION).out
    shown = both("ask", "-q", QUESTION, "--scope", "harbour")
    assert (shown.status, "at harbour" in shown.out, "950" in shown.out) == (3, True, False)
    assert "950" in both("ask", "-q", QUESTION, "--docs", "harbour").out
    assert "maple alone" in both("ingest", "harbour").out
    assert "maple alone" in both("status").out
    assert "maple alone" in both("doctor").out


def test_a_scope_may_have_several_places(both: Veridic, tmp_path: Path) -> None:
    (tmp_path / "a,b").mkdir()
    (tmp_path / "a,b" / "mill.txt").write_text("The Lindgren mill was built in 1820.")
    both("ingest", "-q", "a,b")
    listed = "What documents do you have?"
    assert "I hold 2 documents" in both("ask", "-q", listed, "--scope", "maple,harbour").out
    assert "I hold 2 documents" in both("ask", "-q", listed, "--scope", "maple", "--scope", "a,b").out
    assert "I hold 1 document:" in both("ask", "-q", listed, "--scope", "a,b").out
    assert "I hold 3 documents" in both("ask", "-q", listed).out


def test_documents_whose_folder_is_gone_are_told_of(both: Veridic, tmp_path: Path) -> None:
    (tmp_path / "harbour").rename(tmp_path / "moved")
    shown = both("ask", "-q", QUESTION, "--docs", "harbour")
    assert shown.status == 1
    assert "1 document is still held from there" in shown.err
    assert "--prune" in shown.err
