"""`veridic list`, `remove` and `status`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, Veridic
from tests.fakes.statuses import give_status
from tests.knowledge.test_conformance import record, rests, soon
from veridic.knowledge.document_rows import Status
from veridic.ports.shapes.learning import STATUSES
from veridic.resources import open_knowledge_base
from veridic.settings import Settings


def learned(run_id: str = "r-1") -> str:
    """The id of an answer that rests on the history of the observatory."""
    corpus = open_knowledge_base(Settings.load()).corpus
    found = corpus.opening("history.md", exactly=True, limit=1, deadline=soon())
    return corpus.remember(record(run_id=run_id, sources=[rests(found[0])]), deadline=soon())


def test_documents_are_listed_in_columns(ready: Veridic) -> None:
    identifier = learned()
    head, *rows = ready("list").out.splitlines()
    assert head.split() == ["ID", "KIND", "STATUS", "CHUNKS", "INGESTED", "TITLE", "PATH"]
    assert len(rows) == 5
    assert {row[head.index("TITLE") - 2 : head.index("TITLE")] for row in rows} == {"  "}
    assert [row.endswith(str(EXAMPLES / "history.md")) for row in rows].count(True) == 1
    [generated] = [row for row in rows if row.startswith(identifier)]
    assert generated.split()[1:3] == ["generated", "active"]


@pytest.mark.parametrize("status", ["rejected", "withdrawn"])
def test_what_was_learned_and_is_out_is_not_listed(ready: Veridic, status: Status) -> None:
    out, waits = learned(), learned("r-2")
    corpus = open_knowledge_base(Settings.load()).corpus
    give_status(corpus, waits, "review")
    give_status(corpus, out, status)
    assert {one["id"] for one in json.loads(ready("list", "--json").out) if one["kind"] == "generated"} == {waits}
    assert out not in ready("list").out
    assert out in ready("memory", "list", "--status", status).out
    assert "4 documents, 1 learned answers, " in ready("doctor").out
    [counted] = [line for line in ready("status").out.splitlines() if line.startswith("learned answers")]
    assert (f"1 {STATUSES[status]}" in counted, "1 waits for review" in counted) == (True, True)


def test_what_is_listed_can_be_narrowed_and_read_by_programs(ready: Veridic) -> None:
    identifier = learned()
    held = json.loads(ready("list", "--json", str(EXAMPLES / "history.md")).out)
    assert [(one["kind"], one["status"]) for one in held] == [("human", "active"), ("generated", "active")]
    assert held[1]["id"] == identifier
    assert ready("show", held[0]["id"]).status == 0
    assert json.loads(ready("list", "--json", "nowhere").out) == []
    assert "nowhere" in ready("list", "nowhere").out


@pytest.mark.parametrize(
    "words", [("list",), ("list", "--json"), ("list", "x"), ("status",), ("remove", "x"), ("show", "x")], ids=" ".join
)
def test_where_no_knowledge_base_is_none_is_made(veridic: Veridic, tmp_path: Path, words: tuple[str, ...]) -> None:
    shown = veridic(*words, "--kb", str(tmp_path / "misspelt.sqlite"))
    assert (shown.status, shown.out) == (1, "")
    assert f"There is no knowledge base at {tmp_path / 'misspelt.sqlite'}." in shown.err
    assert "veridic ingest" in shown.err
    assert list(tmp_path.iterdir()) == []


def test_nor_is_one_made_to_see_what_can_be_used(veridic: Veridic, tmp_path: Path) -> None:
    shown = veridic("doctor")
    assert f"none at {tmp_path / 'kb.sqlite'} yet" in shown.out
    assert list(tmp_path.iterdir()) == []


def test_doctor_and_status_count_the_same_and_tell_learned_answers_apart(ready: Veridic) -> None:
    learned()
    (held,) = [line for line in ready("doctor").out.splitlines() if "knowledge base" in line]
    (counted,) = [line for line in ready("status").out.splitlines() if line.startswith("documents")]
    assert f": {counted.split()[1]} documents, 1 learned answers, " in held


def test_an_empty_one_says_what_to_do(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "kb.sqlite").touch()
    assert "veridic ingest" in veridic("list").out
    assert "veridic ingest" in veridic("status").out


def test_a_document_is_removed_with_what_was_learned_from_it(ready: Veridic) -> None:
    learned()
    shown = ready("remove", str(EXAMPLES / "history.md"), "nowhere")
    assert (shown.status, shown.out) == (
        1,
        "1 document removed; 1 learned answer that rested on this withdrawn\n",
    )
    assert shown.err.startswith("veridic: nowhere: ")
    assert (shown.err.count("\n"), "veridic list" in shown.err) == (1, True)
    assert len(json.loads(ready("list", "--json").out)) == 3
    assert ready("ask", "-q", "Who founded the Halden Ridge Observatory?").status == 3


def test_a_folder_is_removed_whole_and_a_document_by_its_id(ready: Veridic) -> None:
    identifier = learned()
    assert ready("remove", identifier).out == "1 document removed\n"
    assert ready("remove", str(EXAMPLES)).out == "4 documents removed\n"
    assert ready("remove", str(EXAMPLES)).status == 1
    assert (EXAMPLES / "history.md").exists()


def test_the_status_is_told(ready: Veridic, tmp_path: Path) -> None:
    learned()
    text = ready("status").out
    for part in (
        str(tmp_path / "kb.sqlite"),
        "default",
        "documents        4 in 12 passages",
        "learned answers  1 counts",
        "ready",
    ):
        assert part in text
    found = json.loads(ready("status", "--json").out)
    assert (found["documents"], found["index"], found["last_ingest"][:2]) == (5, "ready", "20")
    assert found["chunks"] == sum(one["chunks"] for one in found["counts"])
    assert found["bytes"] >= (tmp_path / "kb.sqlite").stat().st_size


def test_the_status_says_when_nothing_more_is_learned_and_what_to_do(
    ready: Veridic, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (json.loads(ready("status", "--json").out)["full"], "learning" in ready("status").out) == ("", False)
    monkeypatch.setenv("VERIDIC_MAX_GENERATED", "0.01")
    assert "learning        Too few documents to learn more" in ready("status").out
    assert "VERIDIC_MAX_GENERATED" in json.loads(ready("status", "--json").out)["full"]
    monkeypatch.setenv("VERIDIC_WRITE_BACK", "off")
    assert "learning" not in ready("status").out


def test_what_a_name_holds_cannot_act_on_the_terminal(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "bad\n\x1b[31m.txt").write_text("A mill was built in 1820.")
    veridic("ingest", ".")
    shown = veridic("list").out + veridic("ask", "-q", "When was a mill built?").out
    assert "\x1b" not in shown
    assert "bad��[31m.txt" in shown
