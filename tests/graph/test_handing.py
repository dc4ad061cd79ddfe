"""What is handed in takes the place of ours, judged and bounded as ours is; what is wrong with it is said at once."""

import asyncio
import threading
from collections.abc import Callable
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import BrokenReader, OverlapCritic, OverlapEvaluator, OverlapReader
from tests.fakes.langchain import (
    AwaitedChat,
    AwaitedRetriever,
    GivingRetriever,
    LimitedChat,
    StreamingChat,
    WholeChat,
)
from tests.fakes.vectors import Hashed
from tests.graph.world import BRIDGE, LIBRARY, World
from veridic.context import Context
from veridic.errors import ModelUnavailable, NotDocuments, NotUsable, RetrieverFailed, UnknownModel
from veridic.graph.builder import build_graph
from veridic.ports.shapes import Result
from veridic.settings import Settings
from veridic.sources.community import without_sunset_warning

QUESTION = "Who opened the Alder Bridge?"
HOW = "Why was the toll abolished?"
TOLD = "The toll of the Alder Bridge was abolished after a strike of the ferrymen."
GIVEN = [
    Document(BRIDGE, metadata={"source": "notes/bridge.pdf", "title": "Bridges", "page": 3}),
    Document(LIBRARY, metadata={"source": "https://example.org/library", "page_label": "iv"}),
]


def faiss() -> Any:
    without_sunset_warning()
    from langchain_community.vectorstores import FAISS

    return FAISS.from_documents(GIVEN, Hashed())


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite", texts={})


@pytest.fixture
def filled(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def ask(world: World, question: str, *, context: Context | None = None, **handed: Any) -> Result:
    result: Result = world.graph(**handed).invoke({"question": question}, context=context)["result"]
    return result


def problems(result: Result) -> list[str]:
    return [failure["problem"] for failure in result["failures"]]


class TestModel:
    def test_what_it_writes_is_judged(self, filled: World) -> None:
        told = ask(filled, HOW, model=StreamingChat(says=f"<think>Let me see.</think>{TOLD} Nobody knows its colour."))
        assert (told["outcome"], told["usage"]["calls"]) == ("partial", 1)
        assert "ferrymen" in told["answer"]
        assert "Nobody knows its colour." not in told["answer"]
        assert {one["text"]: one["objection"] for one in told["candidates"] if one["origin"] == "chat"} == {
            TOLD: None,
            f"{TOLD} Nobody knows its colour.": "not supported",
        }
        assert all(sentence["verdict"] == "supported" for sentence in told["sentences"])

    def test_one_that_says_all_at_once_will_do(self, filled: World) -> None:
        assert ask(filled, HOW, model=WholeChat(says=TOLD))["outcome"] == "accepted"

    def test_one_that_can_only_be_awaited_will_do(self, filled: World) -> None:
        model = AwaitedChat(says=TOLD, loops=[])
        assert ask(filled, HOW, model=model)["outcome"] == "accepted"
        asyncio.run(filled.graph(model=model).ainvoke({"question": HOW}))
        assert (len(model.loops), len(set(model.loops))) == (2, 1)

    def test_it_is_given_the_limits_it_has_fields_for(self, filled: World) -> None:
        model = LimitedChat(says=TOLD, calls=[])
        ask(filled, HOW, model=model, context=Context(answer_tokens=40, candidates=2))
        assert model.calls == [(40, 0.0, 0), (40, 0.7, 1)]
        assert (model.max_tokens, model.temperature, model.seed) == (None, None, None)

    def test_its_own_shorter_limit_stays(self, filled: World) -> None:
        model = LimitedChat(says=TOLD, max_tokens=20, calls=[])
        ask(filled, HOW, model=model, context=Context(answer_tokens=40))
        assert model.calls[0][0] == 20

    def test_one_that_takes_no_temperature_is_given_none(self, filled: World) -> None:
        model = LimitedChat(says=TOLD, profile={"temperature": False}, calls=[])
        ask(filled, HOW, model=model, context=Context(answer_tokens=40))
        assert model.calls == [(40, None, None)]

    def test_one_that_heeds_no_limit_is_cut(self, filled: World) -> None:
        told = ask(filled, HOW, model=StreamingChat(says=f"{TOLD} " + "And on it went. " * 5000))
        written = [one["text"] for one in told["candidates"] if one["origin"] == "chat"]
        assert max(map(len, written)) <= 4 * Context().answer_tokens

    def test_one_that_raises_is_named_and_the_answer_goes_on_without_it(self, filled: World) -> None:
        told = ask(filled, HOW, model=StreamingChat(error=RuntimeError("https://x/?key=secret")))
        [problem] = problems(told)
        assert problem == "The handed-in StreamingChat failed (RuntimeError: https://x/)."
        assert told["failures"][0]["mend"] == "Try it alone: `model.invoke('Hello')`."
        assert "ferrymen" in told["answer"]

    def test_one_that_cannot_be_reached_is_the_users_to_mend(self, filled: World) -> None:
        with pytest.raises(ModelUnavailable, match="The handed-in StreamingChat does not answer"):
            ask(filled, HOW, model=StreamingChat(error=ConnectionError("no")))

    def test_one_that_is_slow_is_left_at_the_deadline(self, filled: World) -> None:
        until = threading.Event()
        told = ask(filled, QUESTION, model=StreamingChat(until=until), context=Context(time_budget=1.0))
        until.set()
        assert "Clara Voss" in told["answer"]
        [late] = told["failures"]
        assert (late["node"], late["problem"].partition(" after")[0]) == (
            "chat",
            "StreamingChat had not ended its reply",
        )
        assert late["mend"] == "Give the run more time (`time_budget`), or choose a faster model."

    def test_one_that_is_slow_to_ask_in_other_words_leaves_the_time_to_look_by_rules(self, filled: World) -> None:
        until = threading.Event()
        within = Context(time_budget=3.0)
        told = ask(filled, "Who painted the Cinder Mill?", model=StreamingChat(until=until), context=within)
        until.set()
        assert (told["outcome"], told["stopped_by"]) == ("abstained", "retries")
        assert problems(told)[0].startswith("StreamingChat had not ended its reply after")
        assert not any("knowledge base ran out" in problem for problem in problems(told))

    def test_one_that_says_nothing_costs_no_answer(self, filled: World) -> None:
        told = ask(filled, QUESTION, model=WholeChat(says=""))
        assert (told["outcome"], told["short_answer"]) == ("accepted", "Clara Voss")

    @pytest.mark.parametrize(
        ("name", "setting", "trusted"),
        [
            ("limited-7b", "auto", True),
            ("SmolLM2-135M", "auto", False),
            ("limited-7b", "no", False),
            ("tinyllama", "yes", True),
        ],
    )
    def test_it_is_trusted_by_its_name_unless_the_settings_say(
        self, filled: World, name: str, setting: str, trusted: bool
    ) -> None:
        filled.settings = {"follows_instructions": setting}
        model = LimitedChat(says=TOLD, model=name, calls=[])
        ask(filled, QUESTION, model=model)
        assert bool(model.calls) == trusted  # what can be read off is not written by one that is not trusted

    def test_a_name_is_one_of_the_settings(self, filled: World) -> None:
        assert ask(filled, QUESTION, model="extractive")["usage"].get("calls", 0) == 0
        with pytest.raises(UnknownModel, match="llama"):
            filled.graph(model="llama")

    def test_an_object_of_our_protocol_will_do(self, filled: World) -> None:
        assert TOLD in ask(filled, HOW, model=ScriptedChat(always=TOLD, follows_instructions=True))["answer"]


RETRIEVERS: dict[str, Callable[[], Any]] = {
    "retriever": lambda: GivingRetriever(gives=GIVEN),
    "awaited": lambda: AwaitedRetriever(gives=GIVEN),
    "memory": lambda: InMemoryVectorStore.from_documents(GIVEN, Hashed()),
    "faiss": lambda: faiss(),
    "faiss retriever": lambda: faiss().as_retriever(search_kwargs={"k": 1}),
}


class TestRetriever:
    @pytest.mark.parametrize("name", RETRIEVERS)
    def test_an_answer_is_read_in_what_it_finds_and_cited(self, world: World, name: str) -> None:
        graph = world.graph(retriever=RETRIEVERS[name]())
        told = graph.invoke({"question": QUESTION})["result"]
        assert (told["outcome"], told["short_answer"]) == ("accepted", "Clara Voss")
        span = told["answer_span"]
        assert (span["title"], span["url"], span["location"]) == ("Bridges", "notes/bridge.pdf", "page 4")
        assert BRIDGE[span["start"] : span["end"]] == "Clara Voss"
        assert told["documents"][0]["kind"] == "human"

    def test_it_can_be_awaited(self, world: World) -> None:
        graph = world.graph(retriever=faiss(), model=WholeChat(says=""), store=InMemoryStore())
        told = asyncio.run(graph.ainvoke({"question": QUESTION}))["result"]
        assert (told["outcome"], told["failures"]) == ("accepted", [])

    def test_ours_is_not_asked_beside_it(self, filled: World) -> None:
        told = ask(filled, QUESTION, retriever=GivingRetriever(gives=GIVEN[1:]))
        assert (told["outcome"], told["answer"][:13]) == ("abstained", "I don't know:")

    def test_lessons_and_log_stay_ours(self, world: World) -> None:
        told = ask(world, QUESTION, retriever=GivingRetriever(gives=GIVEN))
        knowledge = world.knowledge()
        assert knowledge.decisions.read(told["run_id"]) is not None
        assert len(knowledge.experience.recall(QUESTION, limit=9, deadline=inf)) == 1

    def test_what_is_learned_waits_for_review(self, world: World) -> None:
        world.settings = {"write_back": "active", "min_novelty": 0.0, "min_confidence": 0.0}
        told = ask(world, HOW, retriever=GivingRetriever(gives=GIVEN), model=WholeChat(says=TOLD))
        assert told["write_back"]["reason"] == "Stored (waits for review). What is learned here waits for review."
        [record] = world.knowledge().corpus.documents(kind="generated")
        assert record.status == "review"

    def test_what_it_holds_is_nothing_new(self, world: World) -> None:
        world.settings = {"write_back": "active", "min_confidence": 0.0}
        told = ask(world, HOW, retriever=GivingRetriever(gives=[Document(TOLD)]), model=WholeChat(says=TOLD[:-1]))
        assert told["write_back"]["novelty_as_printed"] == pytest.approx(0.0, abs=0.05)

    def test_nothing_found_is_no_answer(self, world: World) -> None:
        told = ask(world, QUESTION, retriever=GivingRetriever(gives=[]))
        assert (told["outcome"], told["failures"]) == ("abstained", [])
        assert told["answer"] == "I don't know: nothing was found that helps to answer this question."

    def test_one_that_raises_is_the_users_to_mend(self, world: World) -> None:
        retriever = GivingRetriever(error=ConnectionError("postgres://user:secret@host is down"), asked=[])
        with pytest.raises(RetrieverFailed) as raised:
            ask(world, QUESTION, retriever=retriever)
        assert str(raised.value) == (
            "The handed-in retriever failed (ConnectionError: postgres://host is down). "
            "Try it alone: `retriever.invoke('a question')`."
        )
        assert len(retriever.asked) == 2  # it was tried again

    def test_one_that_is_slow_is_left_at_the_deadline(self, world: World) -> None:
        until = threading.Event()
        told = ask(world, QUESTION, retriever=GivingRetriever(until=until), context=Context(time_budget=1.0))
        until.set()
        assert (told["outcome"], told["stopped_by"]) == ("abstained", "time")
        assert problems(told) == ["No answer from the handed-in retriever in the time given."]

    @pytest.mark.parametrize(
        ("gives", "said"),
        [
            (None, "gave a NoneType instead of a list of documents"),
            ("text", "gave a str instead of a list of documents"),
            (["text"], "gave a str where a document belongs"),
            ([Document(""), Document(" \n")], "gave 2 documents, none with text in `page_content`"),
        ],
    )
    def test_what_are_no_documents_is_said(self, world: World, gives: object, said: str) -> None:
        with pytest.raises(NotDocuments, match=said):
            ask(world, QUESTION, retriever=GivingRetriever(gives=gives))

    def test_its_documents_cannot_be_listed(self, world: World) -> None:
        told = ask(world, "What documents do you have?", retriever=GivingRetriever(gives=GIVEN))
        assert told["answer"] == (
            "I can't list my documents: a retriever of your own finds them. Ask me what your documents say."
        )
        assert "veridic ingest" not in ask(world, "Hello!", retriever=GivingRetriever(gives=GIVEN))["answer"]

    def test_a_document_that_it_finds_can_be_summarised(self, world: World) -> None:
        told = ask(world, "Summarise the document about the Alder Bridge.", retriever=GivingRetriever(gives=GIVEN))
        assert told["answer"].startswith("The Alder Bridge was opened in 1932")


class TestJudges:
    def test_they_take_the_place_of_ours(self, filled: World) -> None:
        told = ask(filled, QUESTION, judges={"reader": BrokenReader(), "critic": None})
        assert told["judges"]["fingerprints"]["reader"] == "broken-reader"
        assert told["judges"]["fingerprints"]["critic"] == "overlap-critic"
        assert (told["outcome"], problems(told)) == ("unverified", ["The reader is out of order."])

    def test_a_name_is_opened_as_the_settings_would(self, filled: World) -> None:
        told = filled.graph(judges={"critic": "src/veridic/models/shipped/judge"}).invoke({"question": QUESTION})
        assert told["result"]["judges"]["fingerprints"]["critic"] not in ("", "overlap-critic")


class TestStore:
    def test_a_langgraph_store_is_the_graphs_and_keeps_nothing_of_ours(self, filled: World) -> None:
        store = InMemoryStore()
        assert filled.graph(store=store).store is store
        told = ask(filled, QUESTION, store=store)
        assert store.search(()) == []
        assert filled.knowledge().decisions.read(told["run_id"]) is not None

    def test_a_path_is_another_knowledge_base(self, filled: World, tmp_path: Path) -> None:
        other = World(tmp_path / "other.sqlite", texts={"Quay": "The Tern Quay was opened in 1951 by Ada Holm."})
        other.knowledge().close()
        told = ask(filled, "Who opened the Tern Quay?", store=tmp_path / "other.sqlite")
        assert told["short_answer"] == "Ada Holm"
        assert other.knowledge().decisions.read(told["run_id"]) is not None


def test_without_resources_the_rest_is_the_settings_own(tmp_path: Path) -> None:
    settings = Settings.load(kb=str(tmp_path / "kb.sqlite"), model="extractive", docs="no such folder")
    graph = build_graph(settings=settings, retriever=GivingRetriever(gives=GIVEN))
    assert not (tmp_path / "kb.sqlite").exists()  # nothing is opened before it is needed
    told = graph.invoke({"question": "Who opened the Alder Bridge in 1932?"})["result"]
    assert told["short_answer"].endswith("Clara Voss")
    assert told["judges"]["fingerprints"]["reader"] != OverlapReader.fingerprint


@pytest.mark.usefixtures("verifying_judges")
def test_beside_another_evaluator_nothing_that_is_read_is_verified(tmp_path: Path) -> None:
    settings = Settings.load(kb=str(tmp_path / "kb.sqlite"), model="extractive")
    told = [
        build_graph(settings=settings, retriever=GivingRetriever(gives=GIVEN), judges=judges).invoke(
            {"question": "Who opened the Alder Bridge in 1932?"}
        )["result"]
        for judges in ({}, {"evaluator": OverlapEvaluator()})
    ]
    assert [one["outcome"] for one in told] == ["accepted", "unverified"]
    assert [one["kind"] for one in told[0]["judges"]["promises"] if one["verified_from"]] != []
    assert "promises" not in told[1]["judges"]
    assert "nothing that is read is verified" in told[1]["reason"]


class Awaited(OverlapCritic):
    async def judge(self, pairs: Any, *, deadline: float) -> Any:  # type: ignore[override]
        return []


class NoDeadline(OverlapCritic):
    def judge(self, pairs: Any) -> Any:  # type: ignore[override]
        return []


@pytest.mark.parametrize(
    ("handed", "said"),
    [
        ({"model": 7}, "`model` is an int: it has no attribute `follows_instructions`"),
        ({"model": " "}, "`model` is a blank text"),
        ({"model": StreamingChat}, "`model` is the class StreamingChat, not an object of it"),
        ({"model": RunnableLambda(str)}, "`model` is a RunnableLambda.*no method `write`"),
        ({"retriever": ["a document"]}, "`retriever` is a list: it has no method `as_retriever`"),
        ({"retriever": InMemoryVectorStore}, "`retriever` is the class InMemoryVectorStore, not an object of it"),
        ({"judges": [OverlapCritic()]}, "`judges` is a list.*Give a mapping"),
        ({"judges": {"critics": OverlapCritic()}}, "no such judge.*Did you mean critic"),
        (
            {"judges": {"reader": OverlapCritic()}},
            r"`judges\['reader'\]` is an OverlapCritic: it has no method `answer",
        ),
        ({"judges": {"critic": NoDeadline()}}, "no `deadline` among what its method `judge` takes"),
        ({"judges": {"critic": Awaited()}}, "no method `judge` .there is one that must be awaited"),
        ({"judges": {"reader": "no/such/folder"}}, r"is 'no/such/folder', no folder that is there.*an exported reader"),
        ({"llm": "extractive"}, "with no `llm`. Did you mean model"),
        ({"checkpoint": None}, "Did you mean checkpointer"),
        ({"frobnicate": 1}, "There are cache, "),
        ({"store": InMemorySaver()}, "`store` is an InMemorySaver"),
        ({"store": "src"}, "`store` is a folder: src"),
        ({"settings": Settings.load()}, "Both `resources` and `settings`"),
    ],
)
def test_what_cannot_be_used_is_said_when_it_is_given(filled: World, handed: dict[str, Any], said: str) -> None:
    with pytest.raises(NotUsable, match=said):
        filled.graph(**handed)


def test_a_name_of_the_hub_needs_the_extra(filled: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for installed in (True, False):
        monkeypatch.setattr("veridic.graph.usable.find_spec", lambda _name, there=installed: there)
        if installed:
            filled.graph(judges={"reader": "deepset/tinyroberta"})
        else:
            with pytest.raises(NotUsable, match=r"pip install 'veridic\[hf\]'"):
                filled.graph(judges={"reader": "deepset/tinyroberta"})


def test_what_is_no_resources_is_refused() -> None:
    with pytest.raises(NotUsable, match="`resources` is a SimpleNamespace"):
        build_graph(SimpleNamespace())  # type: ignore[arg-type]
