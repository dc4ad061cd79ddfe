"""What a person and a program get from `veridic ask`, with the judges that ship."""

import io
import json
import re
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tests.cli.conftest import EXAMPLES, Veridic
from veridic.ports.shapes import Result

FOUNDER = "Who founded the Halden Ridge Observatory?"
NOT_THERE = "What is the average salary of a nurse in Portugal?"


@pytest.mark.usefixtures("verifying_judges")
def test_a_person_sees_the_path_the_answer_and_its_evidence(ready: Veridic) -> None:
    shown = ready("ask", "-v", FOUNDER)
    assert shown.status == 0
    for part in ("supported", "A short history of the observatory", "% sure that it answers the question"):
        assert part in shown.out
    assert shown.out.startswith("\nIngrid Solvang\n")
    for part in ("→ evaluate", "kept", "Ingrid Solvang"):
        assert part in shown.err


@pytest.mark.usefixtures("verifying_judges")
def test_the_path_is_told_to_those_who_want_it(ready: Veridic) -> None:
    shown = ready("ask", FOUNDER)
    assert (shown.status, shown.err) == (0, "")
    assert "Ingrid Solvang" in shown.out
    assert "not learned" not in shown.out


def test_the_json_document_has_the_published_schema_and_true_offsets(ready: Veridic) -> None:
    shown = ready("ask", "--json", FOUNDER)
    result = TypeAdapter(Result).validate_json(shown.out)
    assert result["schema_version"] == 6
    assert result["short_answer"] == "Ingrid Solvang"
    for sentence in result["sentences"]:
        assert result["answer"][sentence["start"] : sentence["end"]] == sentence["text"]
        citation = sentence["citations"][0]
        stored = ready("show", citation["document_id"]).out
        assert stored[citation["start"] : citation["end"]] == citation["quote"]


def test_checked_claims_are_shown_with_how_they_stand(ready: Veridic) -> None:
    shown = ready("ask", "-v", FOUNDER, "--validate-claims", "always")
    assert "→ look_up" in shown.err
    assert "claims looked up once more: no outside source was asked" in shown.out
    assert "confirmed" in shown.out


def test_quiet_prints_the_answer_and_its_sources_alone(ready: Veridic) -> None:
    shown = ready("ask", "-q", FOUNDER)
    short, blank, sentence, other_blank, source = shown.out.splitlines()
    assert (short, blank, other_blank) == ("Ingrid Solvang [1]", "", "")
    assert sentence.startswith("Halden Ridge Observatory was founded in 1911")
    assert source.startswith("[1] ")
    assert source.endswith(f" · line 5 · {EXAMPLES / 'history.md'}")


def test_an_answer_can_be_written_into_a_file_that_is_not_there(ready: Veridic, tmp_path: Path) -> None:
    shown = ready("ask", FOUNDER, "--export", "answer.md")
    assert shown.out.endswith("written to answer.md\n")
    assert (tmp_path / "answer.md").read_text().startswith(f"# {FOUNDER}\n\nIngrid Solvang [1]\n")
    again = ready("ask", FOUNDER, "--export", "answer.md")
    assert (again.status, again.out, "is there already" in again.err) == (2, "", True)


def test_the_full_output_names_the_file(ready: Veridic) -> None:
    assert f"characters 48-201 · {EXAMPLES / 'history.md'} (doc-" in ready("ask", FOUNDER).out


def test_where_nothing_is_cited_no_sources_are_told(ready: Veridic) -> None:
    assert "[1]" not in ready("ask", "-q", NOT_THERE).out


def test_abstention_has_its_own_exit_status_and_a_reason(ready: Veridic) -> None:
    shown = ready("ask", "--json", NOT_THERE)
    result = json.loads(shown.out)
    assert shown.status == 3
    assert result["outcome"] == "abstained"
    assert result["reason"]
    assert result["sources"]["sent"] == []


def test_an_empty_knowledge_base_says_what_to_do(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The archive is kept in box 14 of the town hall.")
    veridic("ingest", "note.txt")
    veridic("remove", "note.txt")
    shown = veridic("ask", "-q", FOUNDER)
    assert shown.status == 3
    assert "veridic ingest" in shown.out


@pytest.mark.parametrize("words", [("ask", FOUNDER), ("check", "note.txt"), ("chat",), ("list",), ("status",)])
def test_a_knowledge_base_that_is_not_there_is_not_made_by_asking(
    veridic: Veridic, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "note.txt").write_text("The archive is kept in box 14 of the town hall.")
    shown = veridic(words[0], "--kb", "wrong/kb.sqlite", *words[1:])
    assert (shown.status, shown.out) == (1, "")
    assert shown.err.startswith("veridic: There is no knowledge base at wrong/kb.sqlite. Make one with `veridic ingest")
    assert not (tmp_path / "wrong").exists()


@pytest.mark.usefixtures("verifying_judges")
def test_documents_can_be_given_with_the_question(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The archive of the Lindgren mill is kept in box 14 of the town hall.")
    shown = veridic("ask", "-q", "Where is the archive of the Lindgren mill kept?", "--docs", "note.txt")
    assert "box 14" in shown.out
    assert re.fullmatch(r"veridic: verified, \d\d% sure that it answers the question\n", shown.err)


def test_documents_given_with_a_question_are_said_to_stay_when_they_are_taken_in(
    veridic: Veridic, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("The archive of the Lindgren mill is kept in box 14 of the town hall.")
    words = ("ask", "Where is the archive of the Lindgren mill kept?", "--docs", "note.txt")
    first, again = veridic(*words).err.splitlines(), veridic(*words).err
    assert first[0].startswith(f"veridic: 1 document of note.txt taken into {tmp_path / 'kb.sqlite'}: ")
    assert "stays for later questions" in first[0]
    assert not any(line.startswith("veridic:") for line in (*first[1:], *again.splitlines()))


def test_what_an_empty_knowledge_base_begins_with_is_told_and_one_named_by_hand_stays_empty(
    veridic: Veridic, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("VERIDIC_KB")
    Path("veridic.toml").write_text(f'kb = "own.sqlite"\nbegin_with = "{EXAMPLES}"\n')
    shown = veridic("ask", "-q", "--kb", "new.sqlite", FOUNDER)
    assert (shown.status, Path("new.sqlite").exists()) == (1, False)
    assert "veridic ingest" in shown.err
    assert caplog.messages == []
    assert "Ingrid Solvang" in veridic("ask", "-q", FOUNDER).out
    [told] = caplog.messages
    assert told.startswith("own.sqlite held nothing: 4 documents of ")
    assert f"`veridic remove {EXAMPLES}`" in told
    veridic("ask", "-q", FOUNDER)
    assert len(caplog.messages) == 1


def test_what_a_further_attempt_finds_again_is_not_printed_again(ready: Veridic) -> None:
    shown = ready(
        "ask", "-v", "--strictness", "loose", "Who founded the observatory and how many students visited in 1950?"
    )
    assert shown.err.count("→ evaluate") > 1
    passages = [line for line in shown.err.splitlines() if line.startswith("  0.")]
    assert len(passages) == len(set(passages))
    assert "Not found: how many students visited in 1950? Every further attempt that the run may make" in shown.out


def test_the_question_can_come_from_standard_input(ready: Veridic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(FOUNDER))
    assert "Ingrid Solvang" in ready("ask", "-q", "-").out


def test_a_question_needs_no_quotation_marks(ready: Veridic) -> None:
    assert "Ingrid Solvang" in ready("ask", "-q", *FOUNDER.split()).out


def test_every_choice_of_a_run_can_be_set(ready: Veridic) -> None:
    shown = ready("ask", "--json", NOT_THERE, "--max-retries", "0", "--strictness", "strict", "--no-write-back")
    assert json.loads(shown.out)["retries"] == 0


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("ask", ""), 2, "The question is empty."),
        (("ask", "   "), 2, "The question is empty."),
        (("ask",), 2, 'No question was given. Ask one: veridic ask "When was … founded?"'),
        (("ask", "x" * 100_000), 2, "at most 4,000"),
        (("ask", "\x01\x02\x03\x04"), 2, "not readable"),
        (("ask", "Who?", "--max-retries", "99"), 2, "--max-retries"),
        (("ask", "Who?", "--strictness", "wild"), 2, "--strictness"),
        (("ask", "Who?", "--sources", "gopher"), 2, "sources"),
        (("ask", "Who?", "--model", "nonsense:model"), 1, "nonsense:model"),
        (("ask", "Who?", "--judge", "llm"), 2, "--judge llm:PROVIDER:NAME"),
        (("ask", "Who?", "--judge", "llm:nonsense:small"), 1, "nonsense:small"),
        (("show", "nowhere"), 1, "nowhere"),
    ],
)
def test_bad_input_is_one_line_that_names_the_mend(
    ready: Veridic, words: tuple[str, ...], status: int, said: str
) -> None:
    shown = ready(*words)
    assert shown.status == status
    assert shown.err.startswith("veridic: ")
    assert shown.err.count("\n") == 1
    assert said in shown.err


def test_a_missing_key_is_told_by_name(ready: Veridic) -> None:
    shown = ready("ask", FOUNDER, "--model", "openai:gpt-4.1-mini")
    assert shown.status == 1
    assert "OPENAI_API_KEY" in shown.err
    assert shown.err.count("\n") == 1


def test_a_missing_key_of_the_grader_is_told_before_anything_is_asked(ready: Veridic) -> None:
    shown = ready("ask", FOUNDER, "--judge", "llm:openai:gpt-4o-mini")
    assert shown.status == 1
    assert "OPENAI_API_KEY" in shown.err
    assert "→" not in shown.err


@pytest.mark.usefixtures("verifying_judges")
def test_ollama_that_is_not_running_is_told_with_the_mend(ready: Veridic) -> None:
    away = ("--model", "ollama:llama3.2:3b", "--base-url", "http://127.0.0.1:9")
    answered = ready("ask", FOUNDER, *away)
    assert answered.status == 0
    assert "ollama serve" in answered.err.splitlines()[0], "said before the first step"
    assert "ollama serve" in answered.out
    shown = ready("ask", "Why do comets have tails that glow?", *away, "--retrieval", "never")
    assert shown.status == 1
    assert "ollama serve" in shown.err.splitlines()[-1]
    assert shown.err.count("veridic: ") == 1


def test_a_file_that_is_no_knowledge_base_is_refused(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "kb.sqlite").write_bytes(b"not a database, certainly not ours" * 100)
    shown = veridic("ask", FOUNDER)
    assert shown.status == 1
    assert shown.err.count("\n") == 1


@pytest.mark.usefixtures("verifying_judges")
def test_what_a_sentence_announces_is_told_with_it(veridic: Veridic, tmp_path: Path) -> None:
    command = "larch prune --older-than 30d --keep /var/log/larch/"
    text = f"# Larch handbook\n\n## Deleting old logs\n\nThis command deletes old logs:\n\n```sh\n{command}\n```\n"
    (tmp_path / "larch.md").write_text(text)
    shown = veridic("ask", "-q", "Which command deletes old logs?", "--docs", "larch.md")
    assert (shown.status, "This command deletes old logs:" in shown.out, command in shown.out) == (4, True, True)
