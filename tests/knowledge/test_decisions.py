"""The decision log: what a row holds, what is taken out of it, and what is forgotten."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes.knowledge import passage
from tests.graph.world import BRIDGE, World
from tests.knowledge.conftest import Opener
from tests.knowledge.results import GONE, OTHER, OWN, QUESTION, made, runs_of
from tests.knowledge.test_conformance import result, soon
from veridic.knowledge import decisions as log
from veridic.knowledge.base import Knowledge
from veridic.knowledge.document_rows import document_id
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.learning.redaction import NAMES, redacted

KEPT = ("The mill at Garrow was closed in 1911 by order of the county council.", "mill")


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def quoting(run_id: str, *documents: str) -> Any:
    found = [passage(document, f"What {document} says of it all.") for document in documents]
    return {**result(run_id, "It says so."), "question": QUESTION, "documents": found}


def leaves(content: Any, at: str = "") -> dict[str, Any]:
    """Every value of a document that is none of other values, by its place."""
    if isinstance(content, dict):
        return {place: one for name, value in content.items() for place, one in leaves(value, f"{at}.{name}").items()}
    if isinstance(content, list):
        return {place: one for n, value in enumerate(content) for place, one in leaves(value, f"{at}[{n}]").items()}
    return {at: content}


def of_document(content: Any, document: str) -> list[dict[str, Any]]:
    """What a result holds of a document: passages and citations, and the texts of its strips."""
    if isinstance(content, list):
        return [one for value in content for one in of_document(value, document)]
    if not isinstance(content, dict):
        return []
    owner = content.get("passage", content).get("document_id")
    own = [{name: content[name] for name in OWN & content.keys()}] if owner == document else []
    return own + of_document(list(content.values()), document)


class TestRows:
    def test_every_document_that_is_named_is_written_down(self, knowledge: Knowledge, path: Path) -> None:
        told_from = {"record_id": "gen-1", "question": "?"}
        run = {**quoting("1", "a", "b"), "rejected": [passage("c", "No.")], "told_from": told_from}
        for _ in range(2):
            knowledge.decisions.write(run, deadline=soon())  # type: ignore[arg-type]
        named = rows(path, "SELECT document_id FROM decision_documents ORDER BY document_id")
        assert named == [("a",), ("b",), ("c",), ("gen-1",)]

    def test_a_run_of_the_graph_has_its_path_and_what_was_graded_down(self, tmp_path: Path) -> None:
        world = World(tmp_path / "kb.sqlite")
        steps, told = world.path_of("When was the Alder Bridge opened?")
        logged = world.knowledge().decisions.read(told["run_id"])
        assert logged is not None
        assert [*logged["path"], "log"] == steps
        assert set(logged["path"]) == set(logged["timings"])
        [dropped] = logged["rejected"]
        assert (dropped["title"], dropped["score"] is None) == ("Marsh Library", False)
        assert logged["judges"]["thresholds"]["upper"] > 0

    def test_the_path_of_a_second_question_on_a_thread_is_its_own(self, tmp_path: Path) -> None:
        from langgraph.checkpoint.memory import InMemorySaver

        graph = World(tmp_path / "kb.sqlite").graph(checkpointer=InMemorySaver())
        thread = {"configurable": {"thread_id": "t"}}
        paths = [
            graph.invoke({"question": "When was the Alder Bridge opened?"}, thread)["result"]["path"] for _ in range(2)
        ]
        assert paths[0] == paths[1]

    def test_a_step_that_failed_is_on_the_path(self, tmp_path: Path) -> None:
        from tests.fakes.judges import OverlapReader
        from veridic.errors import JudgeFailed

        class Failing(OverlapReader):
            def read(self, pairs: Any, *, deadline: float) -> Any:
                raise JudgeFailed("It is broken.")

        _, told = World(tmp_path / "kb.sqlite", reader=Failing()).path_of("When was the Alder Bridge opened?")
        assert told["failures"][0]["node"] == "read"
        assert told["path"][told["path"].index("refine") + 1] == "read"


class TestRedaction:
    @given(seed=st.integers(min_value=0))
    @settings(max_examples=60, deadline=None)
    def test_no_words_of_what_is_gone_are_left_and_nothing_else_changes(self, seed: int) -> None:
        before = json.loads(json.dumps(made(seed)))
        after: Any = redacted(before, {GONE})
        text = json.dumps(after)
        assert [run for run in runs_of(GONE) if run in text] == []
        assert after["redacted"] == [GONE]
        assert of_document(after, OTHER) == of_document(before, OTHER)
        was, now = leaves(before), leaves({name: value for name, value in after.items() if name != "redacted"})
        assert was.keys() == now.keys()
        for place, value in was.items():
            field = place.rpartition(".")[2].partition("[")[0]
            if not isinstance(value, str) or field in NAMES or value == QUESTION or place.startswith(".judges"):
                assert now[place] == value, place
        assert (after["question"], after["outcome"]) == (QUESTION, before["outcome"])

    @given(seed=st.integers(min_value=0))
    @settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_nor_in_the_table(self, opener: Opener, path: Path, seed: int) -> None:
        knowledge = opener()
        run: Any = {**made(seed), "run_id": str(seed)}
        knowledge.decisions.write(run, deadline=soon())
        knowledge.decisions.redact([GONE])
        table = str(rows(path, "SELECT * FROM decisions"))
        assert [words for words in runs_of(GONE) if words in table] == []

    def test_what_two_removals_took_is_told_of_both(self, knowledge: Knowledge) -> None:
        knowledge.decisions.write(quoting("1", "a", "b"), deadline=soon())
        assert (knowledge.decisions.redact(["a", "x"]), knowledge.decisions.redact(["b"])) == (1, 1)
        row: Any = knowledge.decisions.read("1")
        assert row["redacted"] == ["a", "b"]
        assert [one["text"] for one in row["documents"]] == ["", ""]

    def test_only_rows_that_name_it_are_touched_and_none_of_another_namespace(self, opener: Opener) -> None:
        ours, theirs = opener(), opener(namespace="theirs")
        for knowledge, run_id, document in ((ours, "1", "a"), (ours, "2", "b"), (theirs, "1", "a")):
            knowledge.decisions.write(quoting(run_id, document), deadline=soon())
        assert ours.decisions.redact(["a"]) == 1
        assert ours.decisions.read("2") == quoting("2", "b")
        assert theirs.decisions.read("1") == quoting("1", "a")

    def test_a_removed_document_is_quoted_nowhere_in_the_log_nor_the_file(self, tmp_path: Path) -> None:
        world = World(tmp_path / "kb.sqlite", texts={"Alder Bridge": BRIDGE, KEPT[1]: KEPT[0]})
        told = world.ask("When was the Alder Bridge opened?")
        other = world.ask("When was the mill at Garrow closed?")
        assert (told["outcome"], other["outcome"]) == ("accepted", "accepted")
        world.texts = {}
        knowledge = world.knowledge()
        for title in ("Alder Bridge", "nothing"):
            knowledge.corpus.remove(title)
        words = BRIDGE.split()
        quotes = [" ".join(words[at : at + 5]) for at in range(len(words) - 4)]
        stored: Any = knowledge.decisions.read(told["run_id"])
        left = json.dumps([row[0] for row in rows(world.path, "SELECT result FROM decisions")])
        assert [quote for quote in quotes if quote in left] == []
        assert (
            stored["sentences"][0]["citations"][0]["document_id"] == told["sentences"][0]["citations"][0]["document_id"]
        )
        assert (stored["outcome"], stored["question"]) == ("accepted", told["question"])
        mill: Any = knowledge.decisions.read(other["run_id"])
        assert KEPT[0] in {one["text"] for one in [*mill["documents"], *mill["rejected"]]}
        knowledge.close()
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert [quote for quote in quotes if quote.encode() in kept] == []
        assert KEPT[0].encode() in kept

    def test_nor_in_its_journal_while_it_is_open(self, knowledge: Knowledge, path: Path) -> None:
        ingest_texts([Text(url="a", title="a", text=BRIDGE)], knowledge.corpus)
        [document] = knowledge.corpus.documents()
        run = {**quoting("1", document.id), "documents": [passage(document.id, BRIDGE)]}
        knowledge.decisions.write(run, deadline=soon())  # type: ignore[arg-type]

        def kept() -> bytes:
            return b"".join(file.read_bytes() for file in path.parent.iterdir())

        assert BRIDGE.encode() in kept()
        knowledge.corpus.remove("a")
        assert BRIDGE[:40].encode() not in kept()

    def test_a_page_that_was_kept_from_outside_is_known_by_the_id_it_was_kept_under(self, knowledge: Knowledge) -> None:
        ferry = passage("wikipedia:Alder", "Ferries crossed the Alder.", kind="outside")
        run = {**quoting("1", "a"), "documents": [ferry]}
        knowledge.decisions.write(run, deadline=soon())
        knowledge.corpus.keep_outside([ferry], since=0.0, deadline=soon())
        knowledge.corpus.remove_all([document_id("default", ferry["id"], "outside")])
        row: Any = knowledge.decisions.read("1")
        assert (row["documents"][0]["text"], "wikipedia:Alder" in row["redacted"]) == ("", True)

    def test_a_removal_that_fails_takes_nothing_out(self, knowledge: Knowledge, monkeypatch: Any) -> None:
        ingest_texts([Text(url="a", title="a", text=BRIDGE)], knowledge.corpus)
        [document] = knowledge.corpus.documents()
        knowledge.decisions.write(quoting("1", document.id), deadline=soon())

        def fail(*_: object) -> None:
            raise RuntimeError("half way")

        monkeypatch.setattr("veridic.knowledge.decisions.redacted", fail)
        with pytest.raises(RuntimeError):
            knowledge.corpus.remove("a")
        assert [one.id for one in knowledge.corpus.documents()] == [document.id]
        assert knowledge.decisions.read("1") == quoting("1", document.id)


class TestForgetting:
    def test_a_run_goes_with_what_was_said_of_it(self, opener: Opener, path: Path) -> None:
        ours, theirs = opener(), opener(namespace="theirs")
        for knowledge in (ours, theirs):
            for run_id in "12":
                knowledge.decisions.write(quoting(run_id, "a"), deadline=soon())
                knowledge.feedback.give(run_id, "up")
        assert ours.decisions.forget(["1", "1", "3"]) == ["1"]
        assert [run["run_id"] for run in ours.decisions] == ["2"]
        assert (ours.feedback.of("1"), len(list(ours.feedback))) == (None, 1)
        assert (len(list(theirs.decisions)), len(list(theirs.feedback))) == (2, 2)
        assert rows(path, "SELECT count(*) FROM decision_documents") == [(3,)]

    def test_what_is_older_than_a_moment_goes(self, opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
        ours, theirs = opener(), opener(namespace="theirs")
        _write_in(monkeypatch, ours, "2020-05-01T00:00:00+00:00", "2021-05-01T00:00:00+00:00")
        _write_in(monkeypatch, theirs, "2020-05-01T00:00:00+00:00")
        moment = datetime(2021, 5, 1, 1, tzinfo=UTC)
        assert [run.run_id for run in ours.decisions.logged(since=moment - timedelta(hours=1))] == ["1"]
        assert ours.decisions.forget_before(moment - timedelta(hours=1)) == ["0"]
        assert ours.decisions.forget_before(moment) == ["1"]
        assert len(list(theirs.decisions)) == 1

    def test_old_rows_go_when_one_is_written(self, opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
        store = opener().decisions.store
        for days, left in ((0, ["0", "1", "new"]), (30, ["1", "new", "newer"])):
            knowledge = log.Decisions(store, days)
            if not days:
                fresh = (datetime.now(UTC) - timedelta(days=2)).isoformat(timespec="seconds")
                _write_in(monkeypatch, knowledge, "2020-05-01T00:00:00+00:00", fresh)
            knowledge.write(result("newer" if days else "new", "x"), deadline=soon())
            assert [run["run_id"] for run in knowledge] == left

    def test_those_of_another_namespace_stay(self, opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
        _write_in(monkeypatch, opener(namespace="theirs"), "2020-05-01T00:00:00+00:00")
        log.Decisions(opener().decisions.store, 1).write(result("1", "x"), deadline=soon())
        assert len(list(opener(namespace="theirs").decisions)) == 1


def test_runs_are_listed_by_how_they_ended(knowledge: Knowledge) -> None:
    for number, outcome in enumerate(("accepted", "abstained", "accepted")):
        knowledge.decisions.write({**result(str(number), "x"), "outcome": outcome}, deadline=soon())  # type: ignore[typeddict-item]
    assert [run.run_id for run in knowledge.decisions.listed(9, "accepted")] == ["2", "0"]
    assert [run.run_id for run in knowledge.decisions.listed(2)] == ["2", "1"]


def _write_in(monkeypatch: pytest.MonkeyPatch, knowledge: Any, *times: str) -> None:
    """Write a row at each of these times."""
    for number, moment in enumerate(times):
        with monkeypatch.context() as patched:
            patched.setattr(log, "now", lambda moment=moment: moment)
            getattr(knowledge, "decisions", knowledge).write(result(str(number), "x"), deadline=soon())
