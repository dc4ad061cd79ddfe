"""What is particular to lessons in the file: how they age, how many there are, and what goes with a document."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import lesson, soon
from tests.knowledge.test_store import add
from veridic.knowledge.base import Knowledge
from veridic.knowledge.experience import Experience
from veridic.learning.lessons import weight
from veridic.ports.shapes import Lesson, LessonPlace

QUESTION = "what is green tea"


def place(document: str, start: int = 0, end: int = 5) -> LessonPlace:
    return LessonPlace(role="worked", document_id=document, start=start, end=end)


def recalled(experience: Experience, question: str = QUESTION, limit: int = 9) -> list[Lesson]:
    return experience.recall(question, limit=limit, deadline=soon())


def of(knowledge: Knowledge, **bounds: float) -> Experience:
    """The lessons of a knowledge base, kept within other bounds."""
    own = knowledge.experience
    return Experience(own.store, own.embedder, **bounds)  # type: ignore[arg-type]


def dated(path: Path, run_id: str, days: float) -> None:
    """Let a lesson have been learned so many days ago."""
    learned = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE experience SET learned_at = ? WHERE run_id = ?", (learned, run_id))


def runs(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("SELECT run_id FROM experience ORDER BY id")]


def held(lessons: Experience) -> int:
    """How many lessons stand in the file."""
    query = "SELECT count(*) FROM experience WHERE namespace = ?"
    with lessons.store.reading() as connection:
        return int(connection.execute(query, (connection.namespace,)).fetchone()[0])


class TestAge:
    def test_a_lesson_loses_half_of_its_weight_in_a_half_life(self, knowledge: Knowledge, path: Path) -> None:
        knowledge.experience.learn("1", lesson(QUESTION), deadline=soon())
        assert recalled(knowledge.experience)[0]["weight"] == pytest.approx(1.0, abs=1e-3)
        dated(path, "1", 10)
        assert recalled(of(knowledge, half_life=10))[0]["weight"] == pytest.approx(0.5, abs=1e-3)
        assert recalled(of(knowledge, half_life=5))[0]["weight"] == pytest.approx(0.25, abs=1e-3)

    def test_one_that_has_next_to_none_is_not_recalled(self, knowledge: Knowledge, path: Path) -> None:
        knowledge.experience.learn("1", lesson(QUESTION), deadline=soon())
        dated(path, "1", 41)
        assert recalled(of(knowledge, half_life=10)) == []
        assert len(recalled(of(knowledge, half_life=11))) == 1

    def test_a_clock_that_went_back_makes_nothing_older_or_heavier(self, knowledge: Knowledge, path: Path) -> None:
        knowledge.experience.learn("1", lesson(QUESTION), deadline=soon())
        dated(path, "1", -4000)
        assert recalled(of(knowledge, half_life=10))[0]["weight"] == 1.0

    @given(st.floats(-1e4, 1e4), st.floats(0.1, 36_500))
    def test_a_weight_is_one_at_most(self, days: float, half_life: float) -> None:
        learned = datetime.now(UTC) - timedelta(days=days)
        assert 0.0 <= weight(learned.isoformat(), half_life) <= 1.0

    @pytest.mark.parametrize("written", ["", "yesterday", "2026-13-45"])
    def test_a_time_that_is_none_weighs_nothing(self, written: str) -> None:
        assert weight(written, 10) == 0.0

    def test_a_day_without_an_hour_is_one_in_utc(self) -> None:
        assert weight("2020-01-01", 1e6) == pytest.approx(1.0, abs=0.1)


class TestCap:
    def test_the_oldest_go_in_the_transaction_that_brings_one_more(self, knowledge: Knowledge, path: Path) -> None:
        experience = of(knowledge, most=3)
        for number in range(5):
            experience.learn(str(number), lesson(f"{QUESTION} {number}"), deadline=soon())
            assert len(runs(path)) <= 3
        assert runs(path) == ["2", "3", "4"]

    def test_what_people_voted_on_and_what_has_places_stays_longer(self, knowledge: Knowledge, path: Path) -> None:
        experience = of(knowledge, most=3)
        experience.learn("voted", lesson("a"), deadline=soon())
        experience.learn("placed", lesson("b", places=[place("d")]), deadline=soon())
        experience.revise("voted", "down", deadline=soon())
        for number in range(4):
            experience.learn(str(number), lesson(f"c {number}"), deadline=soon())
        assert runs(path) == ["voted", "placed", "3"]

    def test_a_vote_keeps_a_lesson_for_two_half_lives_only(self, knowledge: Knowledge, path: Path) -> None:
        experience = of(knowledge, most=2, half_life=10)
        for run_id in ("voted", "new"):
            experience.learn(run_id, lesson(run_id), deadline=soon())
        experience.revise("voted", "up", deadline=soon())
        dated(path, "voted", 21)
        experience.learn("newer", lesson("newer"), deadline=soon())
        assert runs(path) == ["new", "newer"]

    def test_the_new_one_stays_though_the_clock_went_back(self, knowledge: Knowledge, path: Path) -> None:
        experience = of(knowledge, most=2)
        for run_id in ("1", "2"):
            experience.learn(run_id, lesson(run_id), deadline=soon())
            dated(path, run_id, -500)
        experience.learn("3", lesson("3"), deadline=soon())
        assert runs(path) == ["2", "3"]

    def test_places_go_with_their_lesson(self, knowledge: Knowledge, path: Path) -> None:
        experience = of(knowledge, most=1)
        for run_id in ("1", "2"):
            experience.learn(run_id, lesson(run_id, places=[place(run_id)]), deadline=soon())
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT document_id FROM lesson_places").fetchall() == [("2",)]

    def test_none_is_kept_or_recalled_where_none_is_allowed(self, knowledge: Knowledge) -> None:
        knowledge.experience.learn("1", lesson(QUESTION), deadline=soon())
        off = of(knowledge, most=0)
        off.learn("2", lesson(QUESTION), deadline=soon())
        assert (held(off), recalled(off)) == (1, [])

    def test_other_namespaces_keep_theirs(self, opener: Opener) -> None:
        theirs = opener(namespace="theirs").experience
        theirs.learn("1", lesson(QUESTION), deadline=soon())
        ours = of(opener(), most=1)
        for run_id in ("2", "3"):
            ours.learn(run_id, lesson(QUESTION), deadline=soon())
        assert len(recalled(theirs)) == 1


class TestMemory:
    def test_what_another_process_changed_or_removed_is_seen(self, opener: Opener) -> None:
        one, other = opener().experience, of(opener(), most=2)
        for run_id in ("1", "2"):
            one.learn(run_id, lesson(f"{QUESTION} {run_id}", places=[place("d")]), deadline=soon())
        assert len(recalled(one)) == 2
        other.revise("2", "down", deadline=soon())
        assert {found["question"]: found["verdict"] for found in recalled(one)} == {
            f"{QUESTION} 1": "",
            f"{QUESTION} 2": "down",
        }
        other.learn("3", lesson(f"{QUESTION} 3"), deadline=soon())
        assert {found["question"][-1] for found in recalled(one)} == {"2", "3"}

    @settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(steps=st.lists(st.tuples(st.sampled_from(["learn", "vote", "remove"]), st.integers(0, 5)), max_size=14))
    def test_what_is_recalled_is_what_is_stored(self, opener: Opener, steps: Sequence[tuple[str, int]]) -> None:
        knowledge = opener(namespace=f"n{id(steps)}")
        seen = of(knowledge, most=3)
        for number in range(2):
            add(knowledge, f"d{number}", f"alpha {number}")
        documents = [one.id for one in knowledge.corpus.documents()]
        for step, number in steps:
            if step == "learn":
                own = [place(documents[number % 2])]
                seen.learn(str(number), lesson(f"{QUESTION} {number}", places=own), deadline=soon())
            elif step == "vote":
                seen.revise(str(number), "down", deadline=soon())
            else:
                add(knowledge, f"d{number % 2}", f"alpha {number} again")  # another text: its places are none any more
            afresh = of(knowledge, most=3)
            assert recalled(seen) == [{**one, "weight": pytest.approx(one["weight"])} for one in recalled(afresh)]
            assert len(recalled(seen)) == held(seen) <= 3


class TestDocuments:
    def test_a_removed_document_takes_its_places_along(self, knowledge: Knowledge) -> None:
        for name in ("a", "b"):
            add(knowledge, name, f"alpha {name}")
        one, other = (document.id for document in knowledge.corpus.documents())
        knowledge.experience.learn("1", lesson(QUESTION, places=[place(one), place(other)]), deadline=soon())
        assert len(recalled(knowledge.experience)[0]["places"]) == 2
        knowledge.corpus.remove(one)
        assert recalled(knowledge.experience)[0]["places"] == [place(other)]

    def test_what_was_written_where_it_was_seen_goes_with_it(self, knowledge: Knowledge) -> None:
        add(knowledge, "a", "alpha")
        [document] = knowledge.corpus.documents()
        seen = {"run_id": "1", "outcome": "abstained", "documents": [{"document_id": document.id, "text": "alpha"}]}
        knowledge.decisions.write(seen, deadline=soon())  # type: ignore[arg-type]
        for run_id, question in (("1", QUESTION), ("2", "what is black tea")):
            knowledge.experience.learn(run_id, lesson(question, unsupported=["steamed twice"]), deadline=soon())
        knowledge.corpus.remove(document.id)
        kept = {one["question"]: one["unsupported"] for one in recalled(knowledge.experience)}
        assert kept == {QUESTION: [], "what is black tea": ["steamed twice"]}

    def test_so_does_one_whose_text_changed(self, knowledge: Knowledge) -> None:
        add(knowledge, "a", "alpha")
        [document] = knowledge.corpus.documents()
        knowledge.experience.learn("1", lesson(QUESTION, places=[place(document.id)]), deadline=soon())
        add(knowledge, "a", "alpha beta")
        assert recalled(knowledge.experience)[0]["places"] == []

    def test_half_a_removal_is_none(self, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
        add(knowledge, "a", "alpha")
        [document] = knowledge.corpus.documents()
        knowledge.experience.learn("1", lesson(QUESTION, places=[place(document.id)]), deadline=soon())
        with monkeypatch.context() as patched:
            patched.setattr("veridic.knowledge.corpus.redact", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                knowledge.corpus.remove(document.id)
        assert recalled(knowledge.experience)[0]["places"] == [place(document.id)]

    def test_a_scope_is_met_by_paths_and_recalls_the_same_question_alone(self, knowledge: Knowledge) -> None:
        for name in ("/docs/a/one", "/docs/b/two"):
            add(knowledge, name, f"alpha {name}")
        ids = {document.url: document.id for document in knowledge.corpus.documents()}
        knowledge.experience.learn("1", lesson(QUESTION, places=[place(ids["/docs/a/one"])]), deadline=soon())
        both = [place(one) for one in ids.values()]
        knowledge.experience.learn("2", lesson(f"{QUESTION} made of", places=both), deadline=soon())
        within = knowledge.experience.within
        assert [one["question"] for one in recalled(within(["/docs/a"]))] == [QUESTION]
        assert recalled(within(["/docs/b"])) == []
        assert recalled(within(["/docs/a"]).within(["/docs/b"])) == []
        assert recalled(within(["/docs"]), "What is the green tea made of?")[0]["places"] == both
        assert recalled(within(["/docs"]), "what is green tea made by") == []
