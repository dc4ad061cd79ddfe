"""What is stored of a record, what becomes of it, and that nothing of it disappears without a trace."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.statuses import give_status
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import record, rests, soon
from veridic.api.remembered import people_said
from veridic.errors import DocumentMissing
from veridic.knowledge import integrity, record_rows, reviewing
from veridic.knowledge.base import open_knowledge
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.decisions import run_meant
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.record_rows import Record, RecordEvent
from veridic.knowledge.store import Store
from veridic.ports.memory import AskedAgain
from veridic.ports.shapes import Citation, Sentence

SENTENCE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
BRIDGE = f"Bridges of the county.\n\n{SENTENCE} It is 412 metres long."
LEAFLET = f"A leaflet for visitors.\n\n{SENTENCE}"
SEEN = {"expires_at": "", "enough": 2}


def quoting(corpus: Corpus, title: str, quote: str = SENTENCE) -> Citation:
    """A citation of a sentence where it stands in a document."""
    [[found]] = corpus.within([title]).search([quote], limit=1, deadline=soon())
    start = found["start"] + found["text"].index(quote)
    return {**rests(found), "start": start, "end": start + len(quote), "quote": quote}


def said(*cited: Citation) -> Sentence:
    return Sentence(
        text=SENTENCE, start=0, end=len(SENTENCE), verdict="supported", support=1.0, contradiction=0.0,
        citations=list(cited),
    )  # fmt: skip


def learned(corpus: Corpus, *cited: Citation, **changes: Any) -> str:
    values = {"status": "probation", "text": SENTENCE, "short_answer": "Clara Voss", "run_id": "run-1"}
    written = {**values, "sources": list(cited), "sentences": [said(*cited)], **changes}
    return corpus.remember(record(**written), deadline=soon())


def put(corpus: Corpus, title: str, text: str) -> list[str]:
    return ingest_texts([Text(url=title, title=title, text=text)], corpus).withdrawn


def known(corpus: Corpus, identifier: str) -> Record:
    with corpus.store.reading() as connection:
        return record_rows.found(connection, identifier)


def happened(corpus: Corpus, identifier: str) -> list[RecordEvent]:
    with corpus.store.reading() as connection:
        return record_rows.events_of(connection, identifier)


def named(corpus: Corpus, identifier: str) -> list[str]:
    return [one.event for one in happened(corpus, identifier)]


@pytest.fixture
def corpus(opener: Opener) -> Corpus:
    corpus = opener().corpus
    for title, text in {"bridge": BRIDGE, "leaflet": LEAFLET, "third": f"Third. {SENTENCE}"}.items():
        put(corpus, title, text)
    return corpus


def test_a_record_is_read_as_it_was_written(corpus: Corpus) -> None:
    cited = quoting(corpus, "bridge")
    identifier = learned(corpus, cited, scope=("a", "b"), fingerprints={"critic": "x"}, expires_at="2099-01-01")
    found = known(corpus, identifier)
    assert (found.status, found.run_id, found.short_answer) == ("probation", "run-1", "Clara Voss")
    assert (found.sources, found.sentences) == ([cited], [said(cited)])
    assert (found.scope, found.fingerprints, found.expires_at) == (("a", "b"), {"critic": "x"}, "2099-01-01")
    [event] = happened(corpus, identifier)
    assert (event.event, event.status, event.run_id) == ("written", "probation", "run-1")


def confirm(corpus: Corpus, identifier: str, run_id: str, *sources: str, seen: int | None = 1) -> str:
    return corpus.refresh(identifier, AskedAgain(run_id, sources, seen=seen, **SEEN), deadline=soon())


def test_the_same_page_met_five_times_confirms_nothing_more(corpus: Corpus) -> None:
    cited, other = quoting(corpus, "bridge"), quoting(corpus, "leaflet")
    identifier = learned(corpus, cited)
    for run in range(5):
        assert confirm(corpus, identifier, f"own-{run}", cited["document_id"]) == "probation"
    for run in range(5):
        assert confirm(corpus, identifier, f"other-{run}", other["document_id"]) == "probation"
    with corpus.store.reading() as connection:
        assert record_rows.confirmations(connection, identifier) == 1


def test_two_documents_it_does_not_rest_on_make_it_active(corpus: Corpus) -> None:
    identifier = learned(corpus, quoting(corpus, "bridge"))
    assert confirm(corpus, identifier, "run-2", quoting(corpus, "leaflet")["document_id"]) == "probation"
    third = quoting(corpus, "third")["document_id"]
    assert confirm(corpus, identifier, "run-3", third, seen=None) == "probation"
    assert confirm(corpus, identifier, "run-3", third) == "probation"
    assert confirm(corpus, identifier, "run-4", third) == "active"
    assert named(corpus, identifier) == ["written", "confirmed", "refreshed", "confirmed", "approved"]


def test_a_person_confirms_once_and_doubt_lets_it_wait(opener: Opener, corpus: Corpus) -> None:
    knowledge = opener()
    identifier = learned(corpus, quoting(corpus, "bridge"))
    assert people_said(knowledge, "nobody", "up") is None
    for _ in range(3):
        found = people_said(knowledge, "run-1", "up")
        assert found is not None
        assert found.status == "probation"
    assert confirm(corpus, identifier, "run-2", quoting(corpus, "leaflet")["document_id"]) == "active"
    found = people_said(knowledge, "run-2", "correction")
    assert found is not None
    assert (found.id, found.status) == (identifier, "review")
    assert happened(corpus, identifier)[-1].reason == "A person corrected it."
    corpus.settle(identifier, "rejected", "", deadline=soon())
    found = people_said(knowledge, "run-1", "up")
    assert found is not None
    assert found.status == "rejected"


def at(moment: datetime) -> Callable[[], str]:
    return lambda: moment.isoformat(timespec="seconds")


def expired(corpus: Corpus) -> list[str]:
    """Let what waited on probation too long leave."""
    with corpus.store.writing() as connection:
        return record_rows.expire(connection)


@pytest.mark.parametrize(("days", "status"), [(-30, "probation"), (89, "probation"), (91, "withdrawn")])
def test_what_nothing_confirms_leaves_when_its_time_is_over(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, days: int, status: str
) -> None:
    begin = datetime(2126, 5, 1, tzinfo=UTC)
    until = (begin + timedelta(days=90)).isoformat(timespec="seconds")
    identifier = learned(corpus, quoting(corpus, "bridge"), expires_at=until)
    active = learned(corpus, quoting(corpus, "bridge"), expires_at=until, run_id="active", status="active")
    monkeypatch.setattr(record_rows, "now", at(begin + timedelta(days=days)))
    assert expired(corpus) == ([identifier] if status == "withdrawn" else [])
    assert known(corpus, identifier).status == status
    assert known(corpus, active).status == "active"
    assert (named(corpus, identifier)[-1] == "expired") == (status == "withdrawn")


def test_a_clock_that_goes_back_takes_nothing_away(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    identifier = learned(corpus, quoting(corpus, "bridge"), expires_at="2126-06-01T00:00:00+00:00")
    for year, status in ((2120, "probation"), (2127, "withdrawn"), (2121, "withdrawn")):
        monkeypatch.setattr(record_rows, "now", at(datetime(year, 1, 1, tzinfo=UTC)))
        expired(corpus)
        assert known(corpus, identifier).status == status
    assert named(corpus, identifier) == ["written", "expired"]


def test_quotes_that_still_stand_move_with_their_source(corpus: Corpus) -> None:
    identifier = learned(corpus, quoting(corpus, "bridge"))
    assert put(corpus, "bridge", f"A new first page.\n\nAnd a second.\n\n{BRIDGE}") == []
    found = known(corpus, identifier)
    text = corpus.document("bridge").text
    for cited in [*found.sources, *found.sentences[0]["citations"]]:
        assert text[cited["start"] : cited["end"]] == SENTENCE
        assert cited["location"] == quoting(corpus, "bridge")["location"]
    assert named(corpus, identifier) == ["written", "rechecked"]
    assert integrity.problems(corpus) == []


def test_what_its_source_says_no_more_is_withdrawn(corpus: Corpus) -> None:
    identifier = learned(corpus, quoting(corpus, "bridge"))
    other = learned(corpus, quoting(corpus, "leaflet"), run_id="run-2")
    assert put(corpus, "bridge", BRIDGE.replace("1932", "1933")) == [identifier]
    assert (known(corpus, identifier).status, known(corpus, other).status) == ("withdrawn", "probation")
    assert happened(corpus, identifier)[-1].reason == "A document it rests on changed."
    assert integrity.problems(corpus) == []


def runs_of_five(text: str) -> set[str]:
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[at : at + 5]) for at in range(len(words) - 4)}


def everything(corpus: Corpus) -> str:
    """All texts of the four tables, as they stand."""
    with corpus.store.reading() as connection:
        rows = [
            tuple(row)
            for table in ("documents", "chunks", "records", "lineage")
            for row in connection.execute(f"SELECT * FROM {table}")
        ]
    return " ".join(" ".join(re.findall(r"\w+", str(row).lower())) for row in rows)


def test_nothing_of_a_removed_document_remains(corpus: Corpus) -> None:
    private = "Mister Ephraim Oakes of Fen Lane lent nine hundred crowns to the mill in secret."
    put(corpus, "private", private)
    cited = quoting(corpus, "private", private)
    values = {"text": private, "short_answer": "Ephraim Oakes of Fen Lane", "status": "active"}
    first = learned(corpus, cited, **values)
    through = {**cited, "document_id": first, "kind": "generated", "start": 0, "end": len(private)}
    second = learned(corpus, through, **values, run_id="run-2")
    rejected = learned(corpus, cited, **values, run_id="run-3")
    corpus.settle(rejected, "rejected", "", deadline=soon())
    assert runs_of_five(private) <= runs_of_five(everything(corpus))
    assert sorted(corpus.remove("private")) == sorted([first, second])
    assert not {run for run in runs_of_five(private) if run in everything(corpus)}
    assert [known(corpus, one).status for one in (first, second, rejected)] == ["withdrawn", "withdrawn", "rejected"]
    assert integrity.problems(corpus) == []


def test_what_became_of_a_record_stays_when_it_is_removed(corpus: Corpus) -> None:
    identifier = learned(corpus, quoting(corpus, "bridge"))
    corpus.remove_all([identifier])
    with pytest.raises(DocumentMissing):
        known(corpus, identifier)
    assert [(one.event, one.status) for one in happened(corpus, identifier)] == [
        ("written", "probation"),
        ("withdrawn", "withdrawn"),
    ]


def test_what_is_broken_is_told_and_what_can_be_is_mended(corpus: Corpus) -> None:
    identifier = learned(corpus, quoting(corpus, "bridge"), status="active")
    assert integrity.problems(corpus) == []
    ways = {
        "UPDATE documents SET text = replace(text, 'mayor', 'major') WHERE url = 'bridge'": "does not say",
        "UPDATE lineage SET source_document_id = 'doc-0'": "doc-0, which is not held",
    }
    if isinstance(corpus.store, Store):  # the words of PostgreSQL follow the chunk by themselves
        ways["UPDATE chunks SET title = 'altered'"] = "index of words"
    for broken, told in ways.items():
        with corpus.store.writing() as connection:
            connection.execute("SAVEPOINT whole")
            connection.execute(broken)
        found = integrity.problems(corpus)
        assert any(told in one for one in found), (broken, found)
        _restore(corpus, identifier)
        assert integrity.problems(corpus) == [], broken


def _restore(corpus: Corpus, identifier: str) -> None:
    """Write everything again, as if it had never been broken."""
    with corpus.store.writing() as connection:
        connection.execute("DELETE FROM documents WHERE id = ?", (identifier,))
        connection.execute("DELETE FROM record_events")
    for one in corpus.documents():
        corpus.remove(one.url)
    for title, text in {"bridge": BRIDGE, "leaflet": LEAFLET, "third": f"Third. {SENTENCE}"}.items():
        put(corpus, title, text)
    learned(corpus, quoting(corpus, "bridge"), status="active")


def test_a_namespace_neither_sees_nor_changes_what_is_another_s(opener: Opener, corpus: Corpus) -> None:
    identifier = learned(corpus, quoting(corpus, "bridge"), status="review")
    theirs = opener(namespace="theirs").corpus
    before = happened(corpus, identifier)
    with theirs.store.writing() as connection:
        for reference in (identifier, "run-1"):
            assert reviewing.named(connection, reference) is None
            with pytest.raises(DocumentMissing):
                reviewing.held(connection, reference)
        assert reviewing.to_audit(connection, ("review",)) == []
    assert people_said(opener(namespace="theirs"), "run-1", "down", enough=1) is None
    with pytest.raises(DocumentMissing):
        theirs.settle(identifier, "active", "", deadline=soon())
    with pytest.raises(DocumentMissing):
        give_status(theirs, identifier, "rejected")
    assert expired(theirs) == []
    assert (known(corpus, identifier).status, happened(corpus, identifier)) == ("review", before)


DOCUMENTS = ("bridge", "leaflet", "third")
OPERATIONS = (
    "learn", "learn from it", "change", "move", "remove", "approve", "reject", "contest", "refresh", "up", "down",
    "audit", "expire", "drop",
)  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 5), st.integers(0, 4)), max_size=14))
def test_the_status_is_always_what_the_last_event_says(tmp_path: Path, steps: list[tuple[str, int, int]]) -> None:
    path = tmp_path / f"{abs(hash(tuple(steps)))}.sqlite"
    path.unlink(missing_ok=True)
    knowledge = open_knowledge(path, "default", HashingEmbedder())
    corpus = knowledge.corpus
    for title in DOCUMENTS:
        put(corpus, title, BRIDGE)
    for number, (operation, which, other) in enumerate(steps):
        operate(knowledge, operation, which, other, f"run-{number}")
    with corpus.store.reading() as connection:
        held = {one.id: one.status for one in record_rows.listed(connection, reviewing.LIVE + reviewing.OUT)}
        last = {one.record_id: one.status for one in record_rows.events_of(connection)}
    assert held == {one: last[one] for one in held}
    assert {status for one, status in last.items() if one not in held} <= {"withdrawn"}
    assert integrity.problems(corpus) == []
    knowledge.close()


def operate(knowledge: Any, operation: str, which: int, other: int, run_id: str) -> None:
    """One thing that may happen to a knowledge base, to one of its documents and records."""
    corpus = knowledge.corpus
    title = DOCUMENTS[which % 3]
    there = {one.url for one in corpus.documents(kind="human")}
    held = [one.id for one in corpus.documents(kind="generated")]
    chosen = held[other % len(held)] if held else ""
    with corpus.store.reading() as connection:
        record = record_rows.read(connection, chosen) if chosen else None
    if operation == "learn" and title in there:
        status = ("probation", "active", "review")[other % 3]
        [first, *_] = corpus.opening(title, exactly=True, limit=1, deadline=soon())
        quote = first["text"][:40]
        cited = {**rests(first), "end": first["start"] + len(quote), "quote": quote}
        learned(corpus, cited, run_id=run_id, status=status, expires_at="2020-01-01T00:00:00+00:00" if other else "")
    elif operation == "change":
        put(corpus, title, BRIDGE.replace("Bridges", f"Spans {other} "))
    elif operation == "move":
        put(corpus, title, f"Page {other}.\n\n{BRIDGE}")
    elif operation == "remove":
        corpus.remove(title)
    elif operation == "expire":
        expired(corpus)
    elif record is not None:
        to_record(knowledge, operation, record, other, run_id)


def to_record(knowledge: Any, operation: str, record: Record, other: int, run_id: str) -> None:
    corpus = knowledge.corpus
    if operation == "learn from it" and record.status == "active":
        text = corpus.text_of(record.id)
        cited = {**record.sources[0], "document_id": record.id, "kind": "generated", "start": 0, "end": len(text)}
        learned(corpus, {**cited, "quote": text}, run_id=run_id)
    elif operation in ("approve", "reject"):
        corpus.settle(record.id, "active" if operation == "approve" else "rejected", "", deadline=soon())
    elif operation == "contest":
        corpus.contest([record.sources[0]], learned=[record.id], deadline=soon())
    elif operation == "refresh":
        confirm(corpus, record.id, run_id, f"doc-{other}")
    elif operation in ("up", "down"):
        people_said(knowledge, record.run_id, operation, enough=1)
    elif operation == "drop":
        corpus.remove_all([record.id])
    elif operation == "audit" and record.status in ("active", "probation"):
        with corpus.store.writing() as connection:
            status = ("active", "withdrawn", "review")[other % 3]
            reviewing.audited(connection, record, status, reason="An audit.")


def test_a_run_is_meant_by_how_its_id_begins_where_that_is_one_run_alone(corpus: Corpus, opener: Opener) -> None:
    for run_id in ("number-one", "number-two", "short"):
        learned(corpus, quoting(corpus, "bridge"), run_id=run_id)
    with corpus.store.reading() as connection:
        meant = {one: run_meant(connection, one, "record_events") for one in ("number-o", "number-", "sho", "%")}
        assert meant == {"number-o": "number-one", "number-": "number-", "sho": "sho", "%": "%"}
        assert run_meant(connection, "number-one", "record_events") == "number-one"
        assert reviewing.learned_by(connection, ["short", "nobody"]).keys() == {"short"}
    with opener(namespace="theirs").corpus.store.reading() as connection:
        assert run_meant(connection, "number-o", "record_events") == "number-o"
