"""`veridic verify`: a stored result is input from outside, and holds only by its own quotes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from tests.cli.conftest import EXAMPLES, Veridic
from tests.fakes.judges import BrokenCritic, OverlapReader
from veridic.errors import InvalidResult
from veridic.evidence.factuality import Bounds
from veridic.evidence.stored import stored_result
from veridic.evidence.verifying import Judges, verified
from veridic.ports.shapes.verifying import VerifyResult

TEXT = "Halden Ridge Observatory was founded in 1911. Dogs are welcome in the planetarium."
QUESTIONS = (
    "Who founded the Halden Ridge Observatory?",
    "When does the shuttle bus leave?",
    "Is the observatory open on Monday?",
)
LIST = """# Film society of Lower Brackwater

## People

- Director: Philippa Okonedo.
- Treasurer: Edmund Farrow.

## Prints

- Prints are to be back within 14 days of the last screening.
- Every print is insured by the society.
"""
ITEMS = {
    "Who is the director of the film society?": "Director: Philippa Okonedo.",
    "When are prints to be back?": "Prints are to be back within 14 days of the last screening.",
}
Stored = Callable[..., str]


@pytest.fixture
def ready(veridic: Veridic, tmp_path: Path) -> Veridic:
    (tmp_path / "docs").mkdir()
    for path in EXAMPLES.iterdir():
        (tmp_path / "docs" / path.name).write_bytes(path.read_bytes())
    assert veridic("ingest", "docs", "--quiet").status == 0
    return veridic


@pytest.fixture
def stored(ready: Veridic, tmp_path: Path) -> Stored:
    """The path of a stored result, changed by a function before it is stored."""

    def store(*command: str, change: Callable[[Any], object] = lambda _: None) -> str:
        result = json.loads(ready(*command, "--json").out)
        change(result)
        (tmp_path / "result.json").write_text(json.dumps(result), encoding="utf-8")
        return str(tmp_path / "result.json")

    return store


def verify(veridic: Veridic, path: str) -> VerifyResult:
    return TypeAdapter(VerifyResult).validate_json(veridic("verify", path, "--json").out)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_that_was_accepted_holds(ready: Veridic, stored: Stored, question: str) -> None:
    shown = ready("verify", stored("ask", question))
    assert (shown.status, "stands" in shown.out) == (0, True)


def test_an_item_of_a_list_is_told_without_its_mark_and_holds(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "society.md").write_text(LIST, encoding="utf-8")
    assert veridic("ingest", "docs", "--quiet").status == 0
    for at, (question, said) in enumerate(ITEMS.items()):
        stored, exported = tmp_path / f"{at}.json", tmp_path / f"{at}.md"
        given = veridic("ask", question, "--json", "--export", str(exported))
        stored.write_text(given.out, encoding="utf-8")
        result = json.loads(given.out)
        told = result["sentences"][-1]
        assert (given.status, told["text"], told["citations"][0]["quote"]) == (0, said, f"- {said}")
        assert result["answer"][told["start"] : told["end"]] == said
        assert "\\-" not in exported.read_text(encoding="utf-8")
        claims = verify(veridic, str(stored))["claims"]
        assert {(one["holds"], quote["place"]) for one in claims for quote in one["quotes"]} == {(True, "stands")}
        assert claims[-1]["support"] == 1.0


def test_a_check_comes_to_the_same_again(ready: Veridic, stored: Stored, tmp_path: Path) -> None:
    (tmp_path / "text.md").write_text(f"# Head\n\n{TEXT}", encoding="utf-8")
    path = stored("check", str(tmp_path / "text.md"))
    assert ready("verify", path).status == 5
    assert [(one["verdict"], one["holds"]) for one in verify(ready, path)["claims"]] == [
        ("supported", True),
        ("not_found", True),
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda result: result["sentences"][1].update(text="Halden Ridge Observatory was founded in 1921."),
        lambda result: [one.update(quote="It rained.") for s in result["sentences"] for one in s["citations"]],
        lambda result: [one.update(citations=[], support=1.0) for one in result["sentences"]],
    ],
)
def test_a_result_that_was_changed_does_not_hold(
    ready: Veridic, stored: Stored, change: Callable[[Any], object]
) -> None:
    assert ready("verify", stored("ask", QUESTIONS[0], change=change)).status in (5, 6)


def test_no_knowledge_base_is_needed_and_none_is_made(
    ready: Veridic, stored: Stored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored("ask", QUESTIONS[0])
    monkeypatch.setenv("VERIDIC_KB", str(tmp_path / "other.sqlite"))
    assert {quote["place"] for one in verify(ready, path)["claims"] for quote in one["quotes"]} == {None}
    assert ready("verify", path).status == 0
    assert not (tmp_path / "other.sqlite").exists()


@pytest.mark.parametrize(
    ("before", "after", "place", "status"),
    [
        ("", "", "stands", 0),
        ("# A short history", "# A very short history", "moved", 0),
        ("founded in 1911", "founded in 1912", "gone", 5),
    ],
)
def test_where_each_quote_is_now_is_said(
    ready: Veridic, stored: Stored, tmp_path: Path, before: str, after: str, place: str, status: int
) -> None:
    path = stored("ask", QUESTIONS[0])
    document = tmp_path / "docs" / "history.md"
    document.write_text(document.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    ready("ingest", "docs")
    found = {quote["place"] for one in verify(ready, path)["claims"] for quote in one["quotes"]}
    assert found == {place}
    assert ready("verify", path).status == status


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"{}",
        b'{"schema_version": 3}',
        b'{"schema_version": "x", "answer": 1}',
        b'{"schema_version": 4, "answer": "yes"}',
        b'{"schema_version": 2, "text": "yes"}',
        b'{"schema_version": 1, "text": "yes", "claims": [{}]}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"schema_version": NaN}',
        b'{"schema_version": 1e999, "text": "\\ud800"}',
    ],
)
def test_what_is_no_result_of_ours_is_refused_in_one_line(veridic: Veridic, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(content)
    shown = veridic("verify", str(path))
    assert (shown.status, shown.out, shown.err.count("\n")) == (2, "", 1)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["schema_version", "text", "answer", "claims", "sentences"]), inner, max_size=5
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_no_json_is_taken_for_a_result(content: object) -> None:
    with pytest.raises(InvalidResult):
        stored_result(json.dumps(content).encode())


@given(st.binary(max_size=200))
def test_no_bytes_are_taken_for_a_result(content: bytes) -> None:
    with pytest.raises(InvalidResult):
        stored_result(content)


def test_every_part_may_be_nonsense_and_nothing_breaks(ready: Veridic, stored: Stored) -> None:
    def nonsense(result: Any) -> None:
        for sentence in result["sentences"]:
            sentence.update(text="\x00\u202e" * 9, start=-5, end=10**30)
            for citation in sentence["citations"]:
                citation.update(start=-(10**30), end=7, quote="\x1b]0;x\x07", url="\x1b[2J", document_id="\x00")

    shown = ready("verify", stored("ask", QUESTIONS[0], change=nonsense))
    assert shown.status in (4, 5)
    assert "\x1b" not in shown.out


def test_where_the_critic_fails_nothing_is_verified(stored: Stored) -> None:
    result = stored_result(Path(stored("ask", QUESTIONS[0])).read_bytes())
    judges = Judges(BrokenCritic(), Bounds(0.7, 0.7), OverlapReader())
    told = verified(result, judges, None, deadline=float("inf"))
    assert (told["outcome"], {one["verdict"] for one in told["claims"]}) == ("unverified", {"unverified"})
    assert told["failures"]


def test_an_export_in_another_format_is_refused_with_the_one_that_is_read(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "told.md").write_text("# When was it founded?\n\n1911 [1]\n")
    shown = veridic("verify", "told.md")
    assert (shown.status, shown.out) == (2, "")
    assert "an export that ends in .json" in shown.err
