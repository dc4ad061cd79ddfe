"""The gates: each one alone keeps an answer out; what was learned is refreshed and not copied."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import WordDetector
from tests.fakes.source import FakeSource
from tests.fakes.statuses import give_status
from tests.graph.world import World
from tests.knowledge.test_conformance import record, rests, soon
from veridic.context import Context
from veridic.knowledge import record_rows
from veridic.learning.acceptance import UNLEARNED, why_closed
from veridic.ports.shapes import Gate, WriteBack
from veridic.runtime.run import Run
from veridic.sources.passages import Page
from veridic.state import GraphState

QUESTION = "When was the Alder Bridge opened, and how long is it?"
ANSWER = "Opened in 1932, the Alder Bridge is 412 metres long altogether."
VERBATIM = "When was the Alder Bridge opened?"
ROOM = {"max_generated": 1.0}


def writing(path: Path, answer: str = ANSWER, **settings: object) -> World:
    chat = ScriptedChat(always=answer, follows_instructions=True)
    return World(path / "kb.sqlite", chat=chat, settings={**ROOM, **settings})


def written(world: World, question: str = QUESTION, **context: Any) -> WriteBack:
    verdict = world.ask(question, **context)["write_back"]
    assert verdict is not None
    return verdict


def gate(verdict: WriteBack, name: str) -> Gate:
    return next(one for one in verdict["gates"] if one["name"] == name)


def test_an_accepted_answer_is_stored_on_probation_and_no_evidence(tmp_path: Path) -> None:
    world = writing(tmp_path)
    verdict = written(world)
    assert (verdict["written"], verdict["status"], verdict["reason"]) == (True, "probation", "Stored (on probation).")
    names = ["confidence", "grounding", "raw attribution", "attribution", "novelty", "share", "audit"]
    assert [one["name"] for one in verdict["gates"]] == names
    assert gate(verdict, "attribution")["value"] == 1.0
    corpus = world.knowledge().corpus
    assert corpus.text_of(verdict["record_id"]) == f"1932\n\n{ANSWER}"
    assert (corpus.status().generated_chunks, corpus.status().waiting_chunks) == (0, 1)
    found = corpus.search([ANSWER], limit=9, deadline=float("inf"))[0]
    assert {passage["kind"] for passage in found} == {"human"}


def test_a_record_is_whole(tmp_path: Path) -> None:
    world = writing(tmp_path)
    result = world.ask(QUESTION)
    assert result["write_back"]
    corpus = world.knowledge().corpus
    with corpus.store.reading() as connection:
        record = record_rows.found(connection, result["write_back"]["record_id"])
        [event] = record_rows.events_of(connection, record.id)
    assert (record.question, record.short_answer) == (QUESTION, "1932")
    assert record.sentences == result["sentences"]
    assert {one["kind"] for one in record.sources} == {"human"}
    assert record.fingerprints == result["judges"]["fingerprints"]
    assert (event.event, event.status, event.run_id) == ("written", "probation", result["run_id"])


@pytest.mark.parametrize(
    ("settings", "shut"),
    [
        ({"min_confidence": 1.0}, "confidence"),
        ({"min_grounding": 1.0}, "grounding"),
        ({"min_novelty": 1.0}, "novelty"),
        ({"max_generated": 0.0}, "share"),
    ],
)
def test_each_gate_alone_keeps_an_answer_out(tmp_path: Path, settings: dict[str, object], shut: str) -> None:
    verdict = written(writing(tmp_path, **settings))
    assert (verdict["written"], verdict["record_id"]) == (False, "")
    assert [one["name"] for one in verdict["gates"] if not one["passed"]] == [shut]
    assert verdict["gates"][-1]["name"] == shut
    assert f"{verdict['gates'][-1]['value']:.3f}" in verdict["reason"]


def test_a_citation_of_nothing_keeps_an_answer_out_though_it_is_repaired(tmp_path: Path) -> None:
    verdict = written(writing(tmp_path, f"{ANSWER[:-1]} [9]."))
    assert (gate(verdict, "raw attribution")["value"], verdict["written"]) == (0.0, False)
    verdict = written(writing(tmp_path, f"{ANSWER[:-1]} [9].", min_raw_attribution=0.0))
    assert (gate(verdict, "attribution")["value"], verdict["written"]) == (1.0, True)


def test_nothing_is_learned_where_it_is_off(tmp_path: Path) -> None:
    assert written(writing(tmp_path, write_back="off"))["reason"] == "Write-back is off."
    assert not written(writing(tmp_path), write_back=False)["written"]


def test_what_the_documents_say_word_for_word_is_learned_too(tmp_path: Path) -> None:
    verdict = written(World(tmp_path / "kb.sqlite", settings=ROOM), VERBATIM)
    assert verdict["written"]
    assert verdict["novelty_as_printed"] is not None
    assert verdict["novelty_as_printed"] < 0.5 < gate(verdict, "novelty")["value"]  # type: ignore[operator]


def test_asked_again_and_again_there_is_one_record(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", settings=ROOM)
    first = written(world, VERBATIM)
    again = [written(world, question) for question in (VERBATIM, "when was the Alder Bridge opened", VERBATIM)]
    assert [one["refreshed"] for one in again] == [True] * 3
    assert {one["record_id"] for one in again} == {first["record_id"]}
    assert len(world.knowledge().corpus.documents(kind="generated")) == 1


def test_what_a_person_rejected_is_not_learned_again(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", settings=ROOM)
    give_status(world.knowledge().corpus, written(world, VERBATIM)["record_id"], "rejected")
    verdict = written(world, VERBATIM)
    assert (verdict["written"], verdict["refreshed"]) == (False, False)
    assert verdict["reason"] == "A person rejected this answer."


def test_two_answers_to_one_question_both_wait_for_review(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", settings=ROOM)
    corpus = world.knowledge().corpus
    [[bridge, *_]] = corpus.search([VERBATIM], limit=1, deadline=soon())
    false = record(question=VERBATIM, text="In 1955.", short_answer="1955", sources=[rests(bridge)])
    earlier = corpus.remember(false, deadline=soon())
    verdict = written(world, VERBATIM)
    assert (verdict["written"], verdict["status"]) == (True, "review")
    assert earlier in verdict["reason"]
    held = world.knowledge().corpus.documents(kind="generated")
    assert {one.id: one.status for one in held} == {earlier: "review", verdict["record_id"]: "review"}


def test_what_was_not_verified_in_other_words_is_not_learned(tmp_path: Path) -> None:
    disputed = {"a": "The Alder Bridge was opened in 1932.", "b": "The Alder Bridge was opened in 1955."}
    world = World(tmp_path / "kb.sqlite", texts=disputed, settings=ROOM)
    assert world.ask(VERBATIM)["outcome"] == "unverified"
    world.knowledge().corpus.remove("b")
    world.texts = {"a": disputed["a"]}
    verdict = written(world, "In which year was the Alder Bridge opened?")
    assert verdict["reason"] == "Asked in other words it was not verified."
    assert written(world, VERBATIM)["written"]


def test_failing_audits_suspend_write_back(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", settings=ROOM)
    learned = written(world, VERBATIM)["record_id"]
    store = world.knowledge().corpus.store
    with store.writing() as connection:
        for number in range(29):
            record_rows.note(connection, f"gen-{number}", "audited")
        record_rows.note(connection, learned, "audited")
    assert "suspended" in written(world, QUESTION)["reason"]
    with store.writing() as connection:
        record_rows.forget_audits(connection)
    assert written(world, QUESTION)["written"]


def test_an_answer_from_the_open_web_does_not_pass_for_human_grounding(tmp_path: Path) -> None:
    page = Page(
        document_id="web:1",
        title="Alder Bridge",
        url="https://example.org/alder",
        text="The Alder Bridge was opened in 1932. It is 412 metres long.",
    )
    world = writing(tmp_path)
    world.texts, world.sources = {}, {"web": FakeSource("web", [page])}
    result = world.ask(QUESTION)
    assert result["outcome"] == "corrected"
    assert result["write_back"] is not None
    assert gate(result["write_back"], "grounding")["value"] == 0.0
    assert not result["write_back"]["written"]


class Doubtful(WordDetector):
    """Finds everything a little likely to be an order."""

    fingerprint = "doubtful"

    def orders(self, texts: Sequence[str], *, deadline: float) -> list[float]:
        return [max(one, UNLEARNED) for one in super().orders(texts, deadline=deadline)]


def test_what_may_give_orders_is_told_and_not_learned(tmp_path: Path) -> None:
    world = writing(tmp_path)
    world.detector = Doubtful()
    result = world.ask(QUESTION)
    assert result["outcome"] == "accepted"
    assert result["write_back"]
    assert "reads a little like an instruction to a machine" in result["write_back"]["reason"]
    assert not result["write_back"]["written"]


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Was the Alder Bridge opened in 1932?", "decides between yes and no"),
        ("Who opened the bridge that was opened in 1932?", "the X of Y"),
    ],
)
def test_decisions_and_linked_questions_are_told_and_not_learned(tmp_path: Path, question: str, why: str) -> None:
    result = World(tmp_path / "kb.sqlite", settings={**ROOM, "min_confidence": 0.0}).ask(question)
    assert result["outcome"] in ("accepted", "corrected"), result
    assert result["write_back"]
    assert "too unsurely" in result["write_back"]["reason"], result["write_back"]
    assert why in result["write_back"]["reason"]


def test_a_follow_up_that_was_made_whole_without_a_model_is_flagged_and_not_learned(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", settings={**ROOM, "min_confidence": 0.0})
    said = [
        HumanMessage("How long is the Alder Bridge?"),
        AIMessage("412 metres."),
        HumanMessage("When was it opened?"),
    ]
    result = world.graph().invoke({"messages": said}, context=Context())["result"]
    assert (result["standalone"], result["short_answer"]) == (VERBATIM, "1932")
    assert (result["outcome"], result["reason"]) == ("unverified", f"The question was taken to mean: {VERBATIM}")
    assert not result["write_back"]["written"]


def test_a_question_that_leans_on_what_is_not_there_is_not_learned(tmp_path: Path) -> None:
    result = World(tmp_path / "kb.sqlite", settings={**ROOM, "min_confidence": 0.0}).ask("When was this bridge opened?")
    assert result["outcome"] == "accepted"
    assert result["write_back"]
    assert "cannot be asked again by itself" in result["write_back"]["reason"]


def test_code_is_not_learned(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite")
    answer = "```\nls -l\n```"
    sentence = {"text": answer, "citations": [{"quote": "ls -l", "kind": "human"}]}
    result = {"outcome": "accepted", "sentences": [sentence], "conflicts": [], "readings": []}
    state = cast("GraphState", {"result": result, "intent": "question"})
    reason = why_closed(state, Run(Context(), world.resources(), lambda _event: None))
    assert reason == "Part of it is code or a table, which no judge reads."
