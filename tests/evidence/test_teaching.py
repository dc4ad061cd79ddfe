"""What of a finished run is kept as a lesson."""

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.knowledge import passage
from tests.graph.world import World
from tests.knowledge.test_conformance import rests
from veridic.learning.lessons import MOST_PLACES, lesson_of
from veridic.models.embedder import OnnxEmbedder
from veridic.models.messages import OnnxMessages
from veridic.ports.shapes import Candidate, Lesson, LessonPlace, Result

QUESTION = "When was the Alder Bridge opened?"
JUDGE = OnnxMessages(OnnxEmbedder())


@pytest.fixture
def result(tmp_path: Path) -> Result:
    return World(tmp_path / "kb.sqlite").ask(QUESTION, passages=1)


def cited(document: str, **changes: Any) -> dict[str, Any]:
    """A sentence of an answer that rests on the whole of a document."""
    return {"text": "x", "verdict": "supported", "citations": [{**rests(passage(document, "text")), **changes}]}


def attempt(result: Result, number: int, document: str, **changes: Any) -> Candidate:
    """What was written and did not hold."""
    failed = {"attempt": number, "origin": "chat", "holds": False, "objection": "not supported"}
    return {**result["candidates"][0], **failed, "sentences": [cited(document)], **changes}  # type: ignore[typeddict-item]


def after(result: Result, *failed: Candidate, held_at: int = 1, **changes: Any) -> Lesson:
    """The lesson of the run whose answer held at an attempt, beside others that did not."""
    held: Candidate = {**result["candidates"][0], "attempt": held_at, "holds": True}
    changed = {**result, "outcome": "corrected", "candidates": [held, *failed], **changes}
    found = lesson_of(changed, JUDGE)  # type: ignore[arg-type]
    assert found is not None
    return found


def misled(lesson: Lesson) -> list[str]:
    return [place["document_id"] for place in lesson["places"] if place["role"] == "misled"]


def test_what_an_earlier_attempt_rested_on_misled(result: Result) -> None:
    found = after(result, attempt(result, 0, "bad"))
    assert found["places"][-1] == LessonPlace(role="misled", document_id="bad", start=0, end=4)
    assert found["objection"] == "not supported"


def test_what_was_written_beside_it_and_did_not_hold_is_no_sign(result: Result) -> None:
    assert misled(after(result, attempt(result, 1, "bad"))) == []
    assert misled(after(result, attempt(result, 1, "bad", objection="read otherwise"))) == ["bad"]


def test_what_was_merely_tried_is_none_either(result: Result) -> None:
    assert misled(after(result, attempt(result, 0, "bad", origin="extractive"))) == []


@pytest.mark.parametrize("outcome", ["abstained", "unverified", "partial"])
def test_where_nothing_held_nobody_knows_what_misled(result: Result, outcome: str) -> None:
    assert misled(after(result, attempt(result, 0, "bad"), outcome=outcome)) == []


def test_what_the_answer_rests_on_did_not_mislead(result: Result) -> None:
    own = result["sentences"][0]["citations"][0]
    again = attempt(result, 0, "bad", sentences=[cited("bad"), {**cited("bad"), "citations": [own]}])
    assert misled(after(result, again)) == ["bad"]


def test_a_record_of_ours_carries_nothing(result: Result) -> None:
    found = after(result, sentences=[cited("gen-1", kind="generated"), cited("doc-1")])
    assert [place["document_id"] for place in found["places"]] == ["doc-1"]


def test_of_places_in_one_another_the_longer_is_kept_and_only_so_many(result: Result) -> None:
    inside = [cited("a", start=2, end=3), cited("a"), cited("a")]
    many = [cited(f"d{number}") for number in range(3 * MOST_PLACES)]
    found = after(result, sentences=[*inside, *many])
    assert (found["places"][0]["start"], len(found["places"])) == (0, MOST_PLACES)


def test_a_misspelt_question_is_kept_as_it_was_asked(result: Result) -> None:
    found = after(result, question="When was the Aldr Bridge opened?")
    assert found["question"] == "When was the Aldr Bridge opened?"


def test_a_question_that_leans_on_an_answer_teaches_nothing(result: Result) -> None:
    assert lesson_of({**result, "question": "When was it opened?"}, JUDGE) is None


def test_what_other_evidence_contradicts_is_said_so(result: Result) -> None:
    conflict = {"claim": "x", "supporting": rests(passage("a", "text")), "contradicting": rests(passage("b", "text"))}
    sentences = [cited("a"), cited("b")]
    found = after(result, outcome="unverified", conflicts=[conflict], sentences=sentences)
    assert found["objection"] == "contradicted"
    assert [place["document_id"] for place in found["places"]] == ["a"]


def test_what_the_critic_marked_in_what_was_written_and_the_gate_are_kept(result: Result) -> None:
    text = "The Alder Bridge was opened in 1955 by Emil Stark."
    sentence = {**cited("bad"), "text": text, "doubtful": [[28, 35], [39, 49]]}
    shut = {"name": "grounding", "value": 0.1, "bound": 0.65, "passed": False}
    found = after(
        result, attempt(result, 0, "bad", sentences=[sentence, sentence]), action=None, write_back={"gates": [shut]}
    )
    assert (found["unsupported"], found["gate"], found["action"]) == (["in 1955", "Emil Stark"], "grounding", "")


def test_what_was_read_or_quoted_says_nothing_that_the_evidence_does_not(result: Result) -> None:
    sentence = {**cited("bad"), "text": "In 1955.", "doubtful": [[0, 7]]}
    assert after(result, attempt(result, 0, "bad", sentences=[sentence], origin="read"))["unsupported"] == []
