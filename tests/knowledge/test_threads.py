"""Threads hold runs of the log and nothing of their own."""

from tests.knowledge.conftest import Opener
from tests.knowledge.results import GONE, QUESTION, made
from tests.knowledge.test_conformance import result, soon
from veridic.knowledge.base import Knowledge
from veridic.knowledge.conversations import ThreadSummary


def logged(knowledge: Knowledge, *run_ids: str) -> None:
    for run_id in run_ids:
        asked = {**result(run_id, f"Answer {run_id}."), "question": f"Question {run_id}? \ud800"}
        knowledge.decisions.write(asked, deadline=soon())  # type: ignore[arg-type]


def ids(knowledge: Knowledge, name: str, last: int | None = None) -> list[str]:
    return [run.run_id for run in knowledge.threads.runs(name, last)]


def test_runs_stand_in_the_order_they_were_asked_in(knowledge: Knowledge, opener: Opener) -> None:
    logged(knowledge, "1", "2", "3", "4")
    assert [knowledge.threads.add(name, run_id) for name, run_id in (("a", "1"), ("b", "2"), ("a", "3"), ("a", "4"))]
    again = opener()
    assert (ids(again, "a"), ids(again, "a", 2), ids(again, "b"), ids(again, "c")) == (
        ["1", "3", "4"],
        ["3", "4"],
        ["2"],
        [],
    )
    assert [(one.name, one.runs) for one in again.threads.listed()] == [("a", 3), ("b", 1)]
    [newest, _] = again.threads.listed()
    [*_, last] = again.threads.runs("a")
    assert newest == ThreadSummary("a", 3, last.decided_at, "Question 4? \ud800")


def test_what_is_not_logged_or_is_there_already_is_not_added(knowledge: Knowledge) -> None:
    logged(knowledge, "1")
    assert [knowledge.threads.add("a", run_id) for run_id in ("2", "1", "1")] == [False, True, False]
    assert ids(knowledge, "a") == ["1"]


def test_a_thread_stays_within_its_namespace(knowledge: Knowledge, opener: Opener) -> None:
    theirs = opener(namespace="theirs")
    logged(knowledge, "1")
    logged(theirs, "2")
    knowledge.threads.add("a", "1")
    assert not theirs.threads.add("a", "1")
    assert (ids(theirs, "a"), theirs.threads.listed(), theirs.threads.forget("a")) == ([], [], [])
    theirs.threads.add("a", "2")
    assert theirs.threads.forget("a") == ["2"]
    assert ids(knowledge, "a") == ["1"]


def test_forgetting_a_thread_takes_its_runs_out_of_the_log(knowledge: Knowledge) -> None:
    logged(knowledge, "1", "2", "3")
    for run_id in "12":
        knowledge.threads.add("a", run_id)
        knowledge.feedback.give(run_id, "up")
    assert knowledge.threads.forget("a") == ["1", "2"]
    assert (ids(knowledge, "a"), knowledge.threads.listed(), list(knowledge.feedback)) == ([], [], [])
    assert [one["run_id"] for one in knowledge.decisions] == ["3"]


def test_a_run_that_leaves_the_log_leaves_its_thread(knowledge: Knowledge) -> None:
    logged(knowledge, "1", "2")
    for run_id in "12":
        knowledge.threads.add("a", run_id)
    knowledge.decisions.forget(["2"])
    assert ids(knowledge, "a") == ["1"]
    knowledge.decisions.forget(["1"])
    assert knowledge.threads.listed() == []


def test_the_words_of_a_removed_document_are_gone_from_a_thread(knowledge: Knowledge) -> None:
    knowledge.decisions.write({**made(1), "run_id": "1"}, deadline=soon())  # type: ignore[typeddict-item]
    knowledge.threads.add("a", "1")
    knowledge.decisions.redact([GONE])
    [run] = knowledge.threads.runs("a")
    assert (run.result["question"], run.result["answer"], "gone" in run.result["short_answer"]) == (QUESTION, "", False)
