"""Records verified anew: what holds is active, what does not goes or waits, what cannot be judged stays."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import OverlapCritic, OverlapReader
from tests.graph.world import World
from tests.knowledge.test_conformance import record, soon
from tests.knowledge.test_records import quoting, said
from veridic.api.auditing import Audit, audited
from veridic.errors import JudgeFailed
from veridic.knowledge import record_rows
from veridic.knowledge.corpus import Corpus
from veridic.ports.judgements import Entailment, Reading

QUESTION = "When was the Alder Bridge opened?"
TRUE = "The Alder Bridge was opened in 1932."


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", texts={"bridge": TRUE}, settings={"max_failing": 0.02})


def learned(corpus: Corpus, text: str = TRUE, *, run_id: str = "run-1", **changes: Any) -> str:
    cited = quoting(corpus, "bridge", TRUE)
    sentence = {**said(cited), "text": text, "end": len(text)}
    values = {
        "run_id": run_id, "question": QUESTION, "text": text, "short_answer": "1932", "status": "probation",
        "sources": [cited], "sentences": [sentence],
    }  # fmt: skip
    return corpus.remember(record(**{**values, **changes}), deadline=soon())


def run(world: World, **chosen: Any) -> Audit:
    return audited(world.knowledge().corpus, world.resources(), **chosen)


def last(world: World, identifier: str) -> tuple[str, str, str]:
    with world.knowledge().corpus.store.reading() as connection:
        event = record_rows.events_of(connection, identifier)[-1]
    return event.event, event.status, event.reason


def test_what_holds_is_active_from_then_on(world: World) -> None:
    identifier = learned(world.knowledge().corpus)
    done = run(world)
    assert (done.held, done.approved, done.failed, done.unaudited) == ([identifier], [identifier], {}, {})
    assert last(world, identifier)[:2] == ("audited", "active")
    again = run(world)
    assert (again.held, again.approved) == ([identifier], [])
    assert (again.all_audited, again.all_failed, again.share) == (1, 0, 0.0)


def test_an_audit_is_no_question_of_anyone_s(world: World) -> None:
    world.chat = ScriptedChat(always="Never asked.")
    corpus = world.knowledge().corpus
    learned(corpus)
    run(world)
    with corpus.store.reading() as connection:
        for table in ("decisions", "experience"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0
        assert connection.execute("SELECT count(*) FROM records").fetchone()[0] == 1
    assert world.chat.prompts == []


def test_what_its_own_evidence_does_not_carry_is_withdrawn_with_what_rests_on_it(world: World) -> None:
    corpus = world.knowledge().corpus
    identifier = learned(corpus, "The Alder Bridge was closed by ferrymen in Zanzibar.", status="active")
    through = {**quoting(corpus, "bridge", TRUE), "document_id": identifier, "kind": "generated"}
    resting = learned(corpus, run_id="run-2", sources=[through], status="review")
    done = run(world)
    assert done.failed[identifier].status == "withdrawn"
    assert done.gone_with == [resting]
    assert last(world, identifier)[1] == last(world, resting)[1] == "withdrawn"


def test_what_is_quoted_and_stands_there_no_more_is_withdrawn(world: World) -> None:
    corpus = world.knowledge().corpus
    identifier = learned(corpus)
    with corpus.store.writing() as connection:
        connection.execute("UPDATE documents SET text = replace(text, '1932', '1933') WHERE kind = 'human'")
    assert "does not say" in run(world).failed[identifier].reason
    assert last(world, identifier)[1] == "withdrawn"


def test_what_another_document_answers_otherwise_waits_for_review(world: World) -> None:
    identifier = learned(world.knowledge().corpus)
    world.texts = {"bridge": TRUE, "Bridges": "The Alder Bridge was opened in 1955."}
    done = run(world)
    assert done.failed[identifier].status == "review"
    assert "1955" in done.failed[identifier].reason
    assert last(world, identifier)[:2] == ("audited", "review")
    assert run(world).held == [], "what waits for review is not audited"


def test_a_document_that_was_there_before_is_looked_at_too(world: World) -> None:
    world.texts = {"bridge": TRUE, "Bridges": "The Alder Bridge was opened in 1955."}
    corpus = world.knowledge().corpus
    identifier = learned(corpus, seen=corpus.as_of() + 1)
    assert run(world).failed[identifier].status == "review"


def test_a_short_answer_in_parts_is_held_against_what_is_read(world: World) -> None:
    corpus = world.knowledge().corpus
    cited = quoting(corpus, "bridge", TRUE)
    sentences = [{**said(cited), "text": text} for text in ("1932; 412", TRUE)]
    identifier = learned(corpus, short_answer="1932; 412", sentences=sentences)
    assert run(world).held == [identifier]


def test_another_short_answer_today_waits_for_review(world: World) -> None:
    identifier = learned(world.knowledge().corpus, short_answer="1911")
    assert run(world).failed[identifier].reason == "Today this is read: 1932"


def test_sentences_of_a_writer_are_held_to_their_own_evidence(world: World) -> None:
    identifier = learned(world.knowledge().corpus, question="Why does the ferry cross?", short_answer="")
    assert run(world).held == [identifier]


class FailingReader(OverlapReader):
    """A reader that fails."""

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> Any:
        raise JudgeFailed("The reader is out of order.")


class FailingCritic(OverlapCritic):
    """A critic that fails."""

    def judge(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Entailment]:
        raise JudgeFailed("The critic is out of order.")


def test_one_asked_of_places_that_mean_nothing_here_stays_as_it_is(world: World) -> None:
    corpus = world.knowledge().corpus
    nowhere, here = learned(corpus, scope=("elsewhere",)), learned(corpus, run_id="run-2", scope=("bridge",))
    done = run(world)
    assert (list(done.unaudited), done.held) == ([nowhere], [here])


def test_one_that_a_person_decides_about_meanwhile_stays_as_decided(world: World) -> None:
    corpus = world.knowledge().corpus
    identifier = learned(corpus)

    class Deciding(OverlapReader):
        def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
            corpus.settle(identifier, "rejected", "", deadline=soon())
            return super().read(pairs, deadline=deadline)

    world.reader = Deciding()
    assert run(world).unaudited == {identifier: "It changed while it was audited."}
    assert last(world, identifier)[:2] == ("rejected", "rejected")


@pytest.mark.parametrize("judge", [{"reader": FailingReader()}, {"critic": FailingCritic()}], ids=["reader", "critic"])
def test_where_a_judge_fails_the_record_stays_as_it_is(world: World, judge: dict[str, Any]) -> None:
    text = "The Alder Bridge opened in 1932 at last."
    identifier = learned(world.knowledge().corpus, text)
    world.wrap = lambda resources: replace(resources, **judge)
    done = run(world)
    assert "out of order" in done.unaudited[identifier]
    assert (done.held, done.failed, done.all_audited, done.share) == ([], {}, 0, None)
    assert last(world, identifier)[0] == "written"


def test_the_one_audited_longest_ago_comes_first(world: World) -> None:
    corpus = world.knowledge().corpus
    first, second, third = (learned(corpus, run_id=f"run-{one}") for one in range(3))
    assert [run(world, most=1).held for _ in range(4)] == [[first], [second], [third], [first]]
    assert run(world, statuses=["probation"]).held == []


def test_none_is_begun_when_time_is_up(world: World) -> None:
    learned(world.knowledge().corpus)
    done = run(world, seconds=-1)
    assert (done.left, done.held) == (1, [])


def test_too_many_failures_suspend_write_back_until_it_is_let_go_on(world: World) -> None:
    corpus = world.knowledge().corpus
    identifiers = [learned(corpus, run_id=f"run-{one}") for one in range(30)]
    with corpus.store.writing() as connection:
        for at, one in enumerate(identifiers[1:]):
            status = "review" if at < 5 else "active"
            record_rows.move(connection, one, status, "audited", reason="Before.")
    assert not Audit(all_audited=29, all_failed=5, max_failing=0.02).suspended
    done = run(world, most=1)
    assert (done.all_audited, done.all_failed, done.suspended) == (30, 5, True)
    low, high = done.bounds
    assert 0.02 < low < 5 / 30 < high < 0.4
    with corpus.store.writing() as connection:
        record_rows.forget_audits(connection)
    assert not run(world, most=1).suspended
