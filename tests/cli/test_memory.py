"""`veridic memory`: what people see of what was learned, and what they may do about it."""

import json
from pathlib import Path
from typing import Any

import pytest

import veridic
from tests.cli.conftest import EXAMPLES, Veridic
from tests.knowledge.test_conformance import record, rests, soon
from tests.knowledge.test_records import said
from veridic.knowledge.corpus import Corpus
from veridic.resources import open_knowledge_base
from veridic.settings import Settings

pytestmark = pytest.mark.usefixtures("verifying_judges")

QUESTION = "When was the Halden Ridge Observatory founded?"
FOUNDED = (
    "Halden Ridge Observatory was founded in 1911 by the astronomer Ingrid Solvang, who had mapped variable stars from "
    "a hut on the same ridge for nine years."
)


@pytest.fixture(autouse=True)
def room(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much may be learned as one likes."""
    monkeypatch.setenv("VERIDIC_MAX_GENERATED", "1")


def corpus() -> Corpus:
    return open_knowledge_base(Settings.load()).corpus


def learned(run_id: str, status: str = "review", **changes: Any) -> str:
    """The id of an answer that rests on the history of the observatory."""
    [first, *_] = corpus().opening("history.md", exactly=True, limit=1, deadline=soon())
    start = first["start"] + first["text"].index(FOUNDED)
    cited = {**rests(first), "quote": FOUNDED, "start": start, "end": start + len(FOUNDED)}
    sentences = [{**said(cited), "text": FOUNDED}]
    values = {"question": QUESTION, "short_answer": "1911", "sources": [cited], "sentences": sentences}
    written = record(run_id=run_id, status=status, reason="It rests on a page from outside.", **{**values, **changes})
    return corpus().remember(written, deadline=soon())


def statuses(veridic: Veridic, *words: str) -> dict[str, str]:
    held = json.loads(veridic("memory", "list", "--json", *words).out)
    return {one["id"]: one["record"]["status"] for one in held}


def test_what_was_learned_is_listed_newest_first_with_why_it_waits(ready: Veridic) -> None:
    assert ready("memory", "list").out.startswith("Nothing was learned yet; `veridic ask` says")
    assert ready("memory", "list", "--status", "active").out == "Nothing that was learned has this status.\n"
    assert ready("ask", "-q", QUESTION).status == 0
    waiting = learned("run-2")
    shown = ready("memory", "list").out
    first, second, settle = shown.split("\n\n")
    assert "`veridic memory approve ID`" in settle
    assert first.startswith(f"{waiting}  waits for review")
    assert "waits for review: It rests on a page from outside." in first
    assert "run run-2" in first
    assert "on probation, until 20" in second
    for part in (QUESTION, "1911", str(EXAMPLES / "history.md")):
        assert part in second
    assert list(statuses(ready, "--status", "review")) == [waiting]
    assert statuses(ready, "--status", "withdrawn") == {}
    assert ready("memory", "list", "--status", "bogus").status == 2


@pytest.mark.parametrize("named", ["id", "run"])
def test_a_record_is_shown_whole(ready: Veridic, named: str) -> None:
    identifier = learned("run-1", fingerprints={"critic": "abc"}, scope=("/docs",))
    shown = ready("memory", "show", identifier if named == "id" else "run-1").out
    for part in (
        QUESTION, "1911", "history.md, line 5, characters", '"Halden Ridge Observatory was founded in 1911',
        "grounding  0.900", "abc", "/docs", "written", "review",
    ):  # fmt: skip
        assert part in shown
    as_json = json.loads(ready("memory", "show", "run-1", "--json").out)
    assert (as_json["id"], as_json["events"][0]["event"]) == (identifier, "written")
    gone = ready("memory", "show", "nothing")
    assert (gone.status, gone.out) == (1, "")
    assert "veridic memory list" in gone.err


def test_what_waits_is_approved_or_rejected_and_the_unknown_named(ready: Veridic) -> None:
    first, second = learned("run-1"), learned("run-2")
    done = ready("memory", "approve", first, "nowhere")
    assert (done.status, done.out) == (1, f"{first} is active\n")
    assert "nowhere: no such answer was learned" in done.err
    assert ready("memory", "approve", first).status == 0
    assert ready("memory", "reject", "run-2", "--reason", "It is a rumour.").status == 0
    assert statuses(ready) == {second: "rejected", first: "active"}
    assert "rejected: It is a rumour." in ready("memory", "list", "--status", "rejected").out
    stays = ready("memory", "approve", second)
    assert (stays.status, stays.err) == (1, f"{second} is rejected and stays so\n")
    assert "confirmed" in ready("memory", "show", first).out


def test_what_was_rejected_is_not_learned_again_in_the_same_words(ready: Veridic) -> None:
    identifier = learned("run-1")
    ready("memory", "reject", identifier)
    told = json.loads(ready("ask", "--json", QUESTION).out)["write_back"]
    assert (told["written"], told["reason"]) == (False, "A person rejected this answer.")
    assert statuses(ready) == {identifier: "rejected"}


def test_an_audit_says_what_holds_and_how_much_may_not(ready: Veridic) -> None:
    first = learned("run-1", "probation")
    second = learned("run-2", "probation", short_answer="Lars Holm")
    shown = ready("memory", "audit")
    assert shown.status == 0, shown.err
    assert "2 records audited: 1 held, 1 did not" in shown.out
    assert f"{second}  waits for review: Today this is read: " in shown.out
    assert "no longer holds: 0.500 of 2 audited so far; at least 0.025 and at most 0.975 of all (95 %)" in shown.out
    assert statuses(ready) == {first: "active", second: "review"}
    again = json.loads(ready("memory", "audit", "--resume", "--json", "-n", "1").out)
    assert (again["held"], again["all_audited"], again["share"], again["suspended"]) == ([first], 1, 0.0, False)
    assert ready("memory", "audit", "--status", "review").status == 2


def test_a_base_is_verified_and_its_index_of_words_made_anew(ready: Veridic) -> None:
    learned("run-1", "active")
    assert ready("memory", "verify").out == "All of it holds together.\n"
    with corpus().store.writing() as connection:
        connection.execute("UPDATE chunks SET title = 'altered'")
    found = ready("memory", "verify")
    assert (found.status, found.out.splitlines()[-1]) == (1, "1 problem found")
    assert ready("memory", "verify").status == 0


@pytest.mark.parametrize(
    "words",
    [
        ("list",), ("show", "x"), ("approve", "x"), ("reject", "x"), ("audit",), ("verify",),
    ],
    ids=" ".join,
)  # fmt: skip
def test_where_no_knowledge_base_is_none_is_made(veridic: Veridic, tmp_path: Path, words: tuple[str, ...]) -> None:
    shown = veridic("memory", *words)
    assert (shown.status, shown.out) == (1, "")
    assert "There is no knowledge base" in shown.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("approve",), ("reject",), ("show",)], ids=" ".join)
def test_another_namespace_s_records_are_neither_seen_nor_changed(ready: Veridic, words: tuple[str, ...]) -> None:
    identifier = learned("run-1")
    for reference in (identifier, "run-1"):
        shown = ready("memory", *words, reference, "--namespace", "theirs")
        assert shown.status == 1
        assert QUESTION not in shown.out + shown.err
    assert ready("memory", "list", "--namespace", "theirs").out.startswith("Nothing was learned")
    assert statuses(ready) == {identifier: "review"}


def test_what_became_of_a_record_is_shown_when_it_was_removed(ready: Veridic) -> None:
    identifier = learned("run-1")
    assert ready("remove", identifier).status == 0
    shown = ready("memory", "show", "run-1").out
    assert shown.startswith(f"{identifier} was removed")
    assert "It was removed." in shown
    assert statuses(ready, "--status", "withdrawn") == {}
    assert ready("memory", "approve", identifier).status == 1


def test_a_hostile_text_cannot_act_on_the_terminal(ready: Veridic) -> None:
    identifier = learned("run\x1b[2J", question="Who\x1b[31m\nfounded it?", short_answer="\x1b]0;x\x07", text="a\x1bb")
    for words in (("list",), ("show", identifier)):
        assert "\x1b" not in ready("memory", *words).out


def test_the_same_from_python(ready: Veridic) -> None:
    identifier = learned("run-1")
    assert [one.id for one in veridic.api.remembered.list_records()] == [identifier]
    assert veridic.api.remembered.approve("run-1").done == {identifier: "active"}
    assert veridic.api.remembered.show_record(identifier).confirmed == 1
    assert veridic.api.remembered.reject(identifier).done == {identifier: "rejected"}
    assert veridic.api.remembered.verify_memory() == []


def test_what_people_say_of_a_run_counts_for_what_it_learned(ready: Veridic) -> None:
    run = json.loads(ready("ask", "--json", QUESTION).out)
    identifier = run["write_back"]["record_id"]
    assert statuses(ready) == {identifier: "probation"}
    assert ready("feedback", run["run_id"], "up").status == 0
    assert veridic.api.remembered.show_record(identifier).confirmed == 1
    assert ready("feedback", run["run_id"], "down").status == 0
    assert statuses(ready) == {identifier: "review"}
    assert "waits for review: A person said that it is wrong." in ready("memory", "list").out
