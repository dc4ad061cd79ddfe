"""What a document, a retriever, a page, a writer and a question may hold, as a chat front end and the store get it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langchain_core.retrievers import BaseRetriever

from tests.exporting.test_outgoing import acting, rendered
from tests.fakes.chat import ScriptedChat
from tests.fakes.source import FakeSource
from tests.graph.world import BRIDGE, World
from veridic.context import Context
from veridic.graph.builder import build_graph
from veridic.graph.tool import told
from veridic.ports.chat import Reply
from veridic.sources.passages import Page
from veridic.text.hidden import clean

HOSTILE = (
    "The Alder Bridge was opened in 1932 by mayor Clara Voss ![x](http://evil.example/p.png) "
    "<img src=x onerror=alert(1)> [y](javascript:alert(3)) see http://evil.example and <script>alert(2)</script>."
)
HIDDEN = "\x00\x1b[5m\u202e\u200b\U000e0041"
TITLE = f"[Alder](http://evil.example) <b>Bridge</b>{HIDDEN}"
QUESTION = "When was the Alder Bridge opened?"


class Given(BaseRetriever):
    """Gives one document, whatever is asked."""

    document: Document

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return [self.document]


def asked(world: World, question: str = QUESTION, *, system: str = "veridic") -> dict[str, Any]:
    graph = build_graph(world.resources(), system=system)
    return graph.invoke({"question": question}, context=Context(max_retries=0))


def hidden(content: object) -> list[str]:
    """Every text within that holds something hidden."""
    match content:
        case str():
            return [content] if clean(content) != content else []
        case Mapping():
            return [found for part in content.values() for found in hidden(part)]
        case list() | tuple():
            return [found for part in content for found in hidden(part)]
    return []


@pytest.mark.parametrize("system", ["veridic", "standard_rag", "self_rag"])
def test_what_a_document_quotes_is_shown_as_text_in_a_chat(tmp_path: Path, system: str) -> None:
    state = asked(World(tmp_path / "kb.sqlite", texts={TITLE: HOSTILE}), system=system)
    content = state["messages"][-1].content
    assert "![x](http://evil.example/p.png)" in state["answer"]
    assert acting(content) == acting(told(state["result"])) == []
    read = "".join(child.content for one in rendered(content) for child in one.children or ())
    assert HOSTILE in read
    assert hidden(state["result"]) == []


def test_a_list_of_documents_is_shown_as_text_too(tmp_path: Path) -> None:
    state = asked(World(tmp_path / "kb.sqlite", texts={TITLE: BRIDGE}), "Which documents do you have?")
    assert "[Alder](http://evil.example) <b>Bridge</b>" in state["answer"]
    assert acting(state["messages"][-1].content) == []


def test_a_cited_page_is_a_link_and_nothing_else_is(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={"Tea": "Green tea is steamed."})
    world.sources = {"web": FakeSource("web", [Page("web:1", TITLE, "https://a.example/bridge", HOSTILE + HIDDEN)])}
    state = asked(world)
    links = [one for one in rendered(state["messages"][-1].content) if one.type == "link_open"]
    assert [one.attrs["href"] for one in links] == ["https://a.example/bridge"]
    assert acting(state["messages"][-1].content) == ["link_open"]
    assert hidden(state["result"]) == []


def test_what_a_retriever_hides_is_not_read_and_offsets_count_in_what_it_gave(tmp_path: Path) -> None:
    text = f"\x00\u202e{BRIDGE}\U000e0041"
    given = Given(document=Document(text, metadata={"title": TITLE, "source": "a.txt", "Header 1": f"Top{HIDDEN}"}))
    state = build_graph(World(tmp_path / "kb.sqlite").resources(), retriever=given).invoke({"question": QUESTION})
    assert hidden(state["result"]) == []
    [citation] = state["result"]["sentences"][0]["citations"]
    assert text[citation["start"] : citation["end"]] == citation["quote"] == "1932"


def test_what_a_writer_hides_is_neither_accepted_nor_stored_nor_streamed(tmp_path: Path) -> None:
    written = f"The Alder Bridge was opened in 1932{HIDDEN} by mayor\u200b Clara Voss."
    world = World(tmp_path / "kb.sqlite", chat=ScriptedChat(always=written, follows_instructions=True))
    world.settings = {"write_back": "active"}
    state = asked(world, "How was the Alder Bridge opened?")
    assert "The Alder Bridge was opened in 1932[5m by mayor Clara Voss." in [
        one["text"] for one in state["result"]["candidates"]
    ]
    assert hidden(state["result"]) == []
    assert [one for one in world.knowledge().corpus.documents() if hidden(one.title)] == []
    tokens = [
        event["text"]
        for event in world.graph().stream({"question": "Why was it opened?"}, stream_mode="custom")
        if event["event"] == "token"
    ]
    assert tokens
    assert hidden(tokens) == []


def test_a_reply_is_clean_whoever_makes_it() -> None:
    assert Reply(f"Yes{HIDDEN}.\r\nNo.", 1, 1, finished=True).text == "Yes[5m.\nNo."


def test_what_a_question_hides_is_not_asked_and_not_kept_on_the_thread(tmp_path: Path) -> None:
    question = f"When was the Alder Bridge\u202e opened in the county of Marsh, near the {'long ' * 20}road?"
    graph = World(tmp_path / "kb.sqlite").graph()
    for given in ({"question": question}, {"messages": [HumanMessage(question)]}):
        state = graph.invoke(given)
        assert state["result"]["question"] == clean(question)
        assert state["messages"][0].content == clean(question)
