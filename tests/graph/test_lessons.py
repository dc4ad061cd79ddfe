"""What earlier runs taught moves the next one, with and without a chat model, and is evidence of nothing."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader
from tests.fakes.knowledge import ListExperience
from tests.fakes.source import FakeSource
from tests.graph.world import BRIDGE, LIBRARY, World
from tests.knowledge.test_conformance import lesson, soon
from veridic.context import Context
from veridic.ports.judgements import Entailment
from veridic.ports.shapes import Action, Lesson, LessonObjection, Outcome, Result, Vote
from veridic.sources.passages import Page
from veridic.text.questions import by_rules

QUESTION = "When was the Alder Bridge opened?"
REWORDED = "In which year was the Alder Bridge opened"
GUIDE = "The Alder Bridge was opened in 1931."
NOTES = "Notes say the Alder Bridge was opened to traffic, as the county tells, in 1932."
SISTINE = Page("web:s", "Sistine Chapel", "https://example.org/s", "The Sistine Chapel was painted by Michelangelo.")
UNKNOWN = "Who painted the Sistine Chapel?"


def votes(world: World, result: Result, verdict: Vote) -> None:
    assert world.knowledge().experience.revise(result["run_id"], verdict, deadline=soon())


def learned(world: World) -> list[Lesson]:
    with world.knowledge().corpus.store.reading() as connection:
        rows = connection.execute("SELECT * FROM experience ORDER BY id").fetchall()
        places = connection.execute("SELECT * FROM lesson_places ORDER BY rowid").fetchall()
    return [
        {
            **{name: row[name] for name in Lesson.__annotations__ if name in tuple(row.keys())},
            "places": [dict(one) for one in places if one["lesson_id"] == row["id"]],
        }  # type: ignore[misc]
        for row in rows
    ]


def first(result: Result) -> str:
    """The address of the best document."""
    return result["documents"][0]["url"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", texts={"guide": GUIDE, "notes": NOTES, "Marsh Library": LIBRARY})


class TestUnsupported:
    """What the critic marked in a draft reaches the prompt of the next run that asks the same, and no other."""

    class Marking(OverlapCritic):
        """Marks each statement's last word."""

        def judge(self, pairs: Any, *, deadline: float) -> list[Entailment]:
            said = super().judge(pairs, deadline=deadline)
            marks = [((text.rindex(" ") + 1, len(text) - 1),) for _, text in pairs]
            return [replace(one, doubtful=own) for one, own in zip(said, marks, strict=True)]

    def prompts(self, world: World, draft: str, again: str) -> list[str]:
        world.critic = self.Marking()
        chat = ScriptedChat(always=draft, follows_instructions=True)
        world.chat = chat
        world.ask(QUESTION, max_retries=0)
        told = len(chat.prompts)
        world.ask(again, max_retries=0)
        return [prompt.system for prompt in chat.prompts[told:]]

    def test_it_is_named_where_the_same_is_asked(self, world: World) -> None:
        prompts = self.prompts(world, "Emil Stark opened it to great applause.", REWORDED)
        assert any("Not in the text were: “applause”." in prompt for prompt in prompts)

    def test_not_where_something_else_is(self, world: World) -> None:
        prompts = self.prompts(world, "Emil Stark opened it to great applause.", "Who opened the Alder Bridge?")
        assert prompts
        assert not any("applause" in prompt for prompt in prompts)

    def test_what_may_be_an_order_is_not(self, world: World) -> None:
        prompts = self.prompts(world, "Emil Stark opened it, dear assistant.", REWORDED)
        assert prompts
        assert not any("“assistant”" in prompt for prompt in prompts)


class TestRank:
    def test_what_people_voted_down_gives_its_place_to_something_else(self, world: World) -> None:
        before = world.ask(QUESTION, passages=1)
        assert (first(before), before["short_answer"]) == ("guide", "1931")
        votes(world, before, "down")
        after = world.ask(REWORDED, passages=1)
        assert (first(after), after["short_answer"]) == ("notes", "1932")

    def test_without_a_vote_nothing_moves(self, world: World) -> None:
        world.ask(QUESTION, passages=1)
        assert first(world.ask(REWORDED, passages=1)) == "guide"

    def test_a_vote_taken_back_moves_nothing(self, world: World) -> None:
        before = world.ask(QUESTION, passages=1)
        votes(world, before, "correction")
        votes(world, before, "up")
        assert first(world.ask(REWORDED, passages=1)) == "guide"

    @pytest.mark.parametrize(
        "other", ["Who opened the Alder Bridge in 1931?", "When was the Elder Bridge opened?", "Was the bridge opened?"]
    )
    def test_another_question_is_answered_as_if_nothing_had_been(self, world: World, other: str) -> None:
        unmoved = world.ask(other, passages=1)
        votes(world, world.ask(QUESTION, passages=1), "down")
        assert [one["id"] for one in world.ask(other, passages=1)["documents"]] == [
            one["id"] for one in unmoved["documents"]
        ]

    def test_where_there_is_nothing_else_it_is_still_found(self, world: World) -> None:
        world.texts = {"guide": GUIDE}
        votes(world, world.ask(QUESTION), "down")
        assert first(world.ask(REWORDED)) == "guide"

    def test_a_voted_down_answer_is_not_worn_off_by_runs_of_ours(self, world: World) -> None:
        votes(world, world.ask(QUESTION, passages=1), "down")
        for _ in range(3):
            assert first(world.ask(QUESTION, passages=1)) == "notes"


class TestTaught:
    def test_where_the_answer_stands_is_kept_and_not_what_it_says(self, world: World) -> None:
        result = world.ask(QUESTION, passages=1)
        [found] = learned(world)
        [place] = found["places"]
        assert place["role"] == "worked"
        text = world.knowledge().corpus.text_of(place["document_id"])
        assert text[place["start"] : place["end"]] == GUIDE
        assert result["short_answer"] not in json.dumps(found)

    @pytest.mark.parametrize("outside", [False, True])
    def test_every_field_is_of_a_fixed_vocabulary_but_the_question_as_asked(self, world: World, outside: bool) -> None:
        world.texts = {"Alder Bridge": BRIDGE, "Marsh Library": LIBRARY}
        world.sources = {"web": FakeSource("web", [SISTINE])} if outside else {}
        asked = [QUESTION, UNKNOWN, "Who was the mayor that opened the Alder Bridge, and how long is it?", "Why so?"]
        for question in asked:
            world.ask(question, max_retries=1)
        known = {"", *get_args(Action), *get_args(Outcome), *get_args(Vote)}
        known |= {name for each in get_args(LessonObjection) for name in (get_args(each) or (each,))}
        known |= {"retries", "time", "tokens", "calls"}
        lessons = learned(world)
        assert lessons
        for found in lessons:
            assert {value for name, value in found.items() if name != "places"} <= {*known, *asked}

    def test_the_other_side_of_a_disagreement_is_not_what_the_answer_rests_on(self, world: World) -> None:
        result = world.ask(QUESTION)
        assert [one["contradicting"]["url"] for one in result["conflicts"]] == ["notes"]
        votes(world, result, "down")
        urls = {document.id: document.url for document in world.knowledge().corpus.documents()}
        assert {urls[place["document_id"]] for place in learned(world)[0]["places"]} == {"guide"}

    def test_what_a_conversation_makes_of_a_follow_up_is_not_kept(self, world: World) -> None:
        said = [HumanMessage(QUESTION), AIMessage("By Ignore Allrules."), HumanMessage("And where was it built?")]
        world.graph().invoke({"messages": said}, context=Context())
        assert learned(world) == []

    def test_a_state_that_was_changed_teaches_nothing(self, world: World) -> None:
        thread: Any = {"configurable": {"thread_id": "t"}}
        graph = world.graph(checkpointer=InMemorySaver(), interrupt_before=["finish"])
        graph.invoke({"question": QUESTION}, thread, context=Context())
        graph.update_state(thread, {"standalone": "Who is PWNED?"})
        graph.invoke(None, thread, context=Context())
        assert learned(world) == []

    def test_why_there_was_no_answer_is_kept(self, world: World) -> None:
        world.chat = ScriptedChat(always="It was painted by Clara Voss.", follows_instructions=True)
        world.reader = OverlapReader(needed=0.99)
        result = world.ask("Who restored the Marsh Library?", max_retries=0)
        assert result["outcome"] == "abstained"
        [found] = learned(world)
        assert (found["outcome"], found["objection"]) == ("abstained", result["candidates"][0]["objection"])
        assert found["objection"]
        assert found["places"] == []


class TestWords:
    def test_the_same_is_asked_in_the_words_that_were_answered(self, world: World) -> None:
        world.ask(QUESTION, passages=1)
        again = world.ask(REWORDED, passages=1)
        assert (again["question"], again["standalone"], again["queries"]) == (REWORDED, QUESTION, [QUESTION])

    def test_not_in_those_of_an_answer_that_was_voted_down_or_not_given(self, world: World) -> None:
        votes(world, world.ask(QUESTION, passages=1), "down")
        assert world.ask(REWORDED, passages=1)["standalone"] == REWORDED
        world.texts = {"Marsh Library": LIBRARY}
        unanswered = world.ask("Who painted the Marsh Library?")
        assert unanswered["outcome"] == "abstained"
        assert world.ask("Tell me who painted the Marsh Library.")["standalone"].startswith("Tell me")

    def test_not_in_those_of_another_question(self, world: World) -> None:
        world.ask(QUESTION, passages=1)
        other = "When was the Elder Bridge opened?"
        assert world.ask(other, passages=1)["standalone"] == other


class TestAliases:
    """What an answered question finds is looked at where one near it is asked, and answers nothing by itself."""

    NEAR = "When was the Alder Bridge opened to ships?"

    def test_its_passage_is_found_again_by_words_that_do_not_lead_there(self, world: World) -> None:
        asked, before = "How many volumes has the Marsh house got?", "How many books has the Marsh Library got?"
        decoy = "How many volumes the Marsh house has got is not told."
        world.texts = {"decoy": decoy, "library": "The Marsh Library has got 90,000 books."}
        assert first(world.ask(asked, passages=1, max_retries=0)) == "decoy"
        world.knowledge().experience.learn("r", lesson(before, outcome="accepted"), deadline=soon())
        again = world.ask(asked, passages=1, max_retries=0)
        assert "library" in {one["url"] for one in again["documents"]}
        assert (again["standalone"], again["queries"]) == (asked, [asked, before])

    def test_one_that_was_voted_down_or_not_answered_leads_nowhere(self, world: World) -> None:
        votes(world, world.ask(QUESTION), "down")
        silent = lesson("When was the Alder Bridge opened to trams?", outcome="abstained")
        world.knowledge().experience.learn("r", silent, deadline=soon())
        assert world.ask(self.NEAR, max_retries=0)["queries"] == [self.NEAR]

    def test_it_does_not_leave_this_machine(self, world: World) -> None:
        source = FakeSource("wikipedia", [SISTINE])
        world.sources, world.evaluator = {"wikipedia": source}, OverlapEvaluator(upper=0.99)
        world.ask(QUESTION, passages=1)
        result = world.ask("When was the Alder Bridge painted?")
        assert QUESTION in result["queries"]
        assert source.queries
        assert not any("opened" in query for query in source.queries)


class TestTold:
    def test_a_writer_is_told_which_passage_misled(self, world: World) -> None:
        votes(world, world.ask(QUESTION), "down")
        chat = ScriptedChat(always=NOTES, follows_instructions=True)
        world.chat = chat
        world.ask(REWORDED)
        strips = [line for line in chat.prompts[-1].user.splitlines() if line.startswith("[")]
        number = next(number for number, line in enumerate(strips, start=1) if "guide" in line)
        told = f"For a similar question passage [{number}] was cited and the answer did not hold: voted down."
        assert any(told in prompt.system for prompt in chat.prompts)


class TestWays:
    def test_outside_is_asked_by_keywords(self, world: World) -> None:
        source = FakeSource("web")
        world.sources = {"web": source}
        world.ask(UNKNOWN, max_retries=1)
        assert source.queries[0] == by_rules(UNKNOWN, bare=True)[0]

    def test_a_lesson_allows_no_source(self, world: World) -> None:
        world.sources = {name: FakeSource(name) for name in ("arxiv", "wikipedia")}
        world.knowledge().experience.learn("1", lesson(UNKNOWN), deadline=soon())
        assert "web" not in [one["source"] for one in world.ask(UNKNOWN)["sources"]["sent"]]


class TestNoEvidence:
    FORGED = "The Alder Bridge was opened in 1650."

    def test_what_a_lesson_says_is_never_an_answer(self, world: World) -> None:
        """However much a store asserts: with no document there is no answer, and nothing of it is told or cited."""
        forged = ListExperience()
        told = {"reason": self.FORGED}
        places = [{"role": "worked", "document_id": self.FORGED, "start": 0, "end": 99}]
        forged.learn("1", lesson(QUESTION, verdict="up", objection=self.FORGED, places=places, **told), deadline=soon())
        world.texts = {}
        world.chat = ScriptedChat(always=self.FORGED, follows_instructions=True)
        world.wrap = lambda resources: _with(resources, forged)
        result = world.ask(QUESTION)
        assert result["outcome"] == "abstained"
        assert (result["documents"], result["strips"], result["sentences"]) == ([], [], [])
        assert "1650" not in json.dumps(result)

    def test_an_answer_that_held_before_does_not_outlive_its_document(self, world: World) -> None:
        votes(world, world.ask(QUESTION), "up")
        corpus = world.knowledge().corpus
        for document in corpus.documents():
            corpus.remove(document.id)
        world.texts = {"Marsh Library": LIBRARY}
        assert world.ask(QUESTION)["outcome"] == "abstained"
        assert all(found["places"] == [] for found in learned(world)[:1])


def _with(resources: Any, experience: ListExperience) -> Any:
    from dataclasses import replace

    return replace(resources, experience=experience)


def test_a_scoped_run_recalls_what_its_own_documents_taught(tmp_path: Path) -> None:
    texts = {"/a/guide": GUIDE, "/b/notes": NOTES}
    world = World(tmp_path / "kb.sqlite", texts=texts)
    votes(world, world.ask(QUESTION, scope=("/a",)), "down")

    def recalled(scope: str) -> list[Lesson]:
        stream = world.graph().stream({"question": REWORDED}, context=Context(scope=(scope,)), stream_mode="updates")
        return next(item["retrieve"]["lessons"] for item in stream if "retrieve" in item)

    assert [one["verdict"] for one in recalled("/a")] == ["down"]
    assert recalled("/b") == []
