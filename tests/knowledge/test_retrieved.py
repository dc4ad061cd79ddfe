"""What a retriever gives, described, cut and remembered."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.documents import Document

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.knowledge import ListKnowledge
from tests.fakes.langchain import GivingRetriever
from veridic.errors import DeadlineExceeded, DocumentMissing, SourceRefused
from veridic.knowledge import retrieved
from veridic.knowledge.retrieved import RetrievedKnowledge, in_time
from veridic.knowledge.retriever import AskedRetriever, described
from veridic.ports.file_limits import RETRIEVED

LONG = "\n\n".join(f"Chapter {n} tells of the year {1800 + n}. " + "It rained a good deal. " * 30 for n in range(40))


def soon() -> float:
    return time.time() + 20


def knowledge(*documents: Document, **given: Any) -> RetrievedKnowledge:
    retriever = GivingRetriever(gives=list(documents), **given)
    return RetrievedKnowledge(AskedRetriever(retriever), ListKnowledge(), HashingEmbedder())


@pytest.mark.parametrize(
    ("metadata", "title", "url", "heading", "location"),
    [
        ({"source": "a/My%20notes.pdf", "page": 0}, "My notes.pdf", "a/My%20notes.pdf", "", "page 1"),
        ({"source": "a.pdf", "page": 4, "page_label": "iv"}, "a.pdf", "a.pdf", "", "page iv"),
        ({"url": "https://example.org/x/y?z=1", "title": "T\n itle"}, "T itle", "https://example.org/x/y?z=1", "", ""),
        ({"source": "https://example.org"}, "example.org", "https://example.org", "", ""),
        ({"Header 1": "Bridges", "Header 2": "Alder"}, "", "", "Bridges > Alder", ""),
        ({"source": "a.md", "start_index": 1200}, "a.md", "a.md", "", "from character 1200"),
        ({"title": 7, "source": None}, "7", "", "", ""),
        ({}, "", "", "", ""),
    ],
)
def test_a_document_is_described_by_its_metadata(
    metadata: dict[str, Any], title: str, url: str, heading: str, location: str
) -> None:
    given = described(Document("text", metadata=metadata))
    assert (given.title, given.url, given.heading, given.location) == (title, url, heading, location)


def test_of_a_document_that_is_too_long_the_beginning_is_taken_and_its_place_says_so() -> None:
    text = f"{LONG}\n\n" + "The year was dry. " * 300_000 + "In 1999 it rained gold."
    [found] = knowledge(Document(text, metadata={"source": "a", "page": 2})).search(
        ["gold in 1999"], limit=99, deadline=soon()
    )
    assert found
    assert max(passage["end"] for passage in found) <= RETRIEVED
    assert not any("gold" in passage["text"] for passage in found)
    assert {one["location"] for one in found} == {f"page 3, in the first 500,000 of its {len(text):,} characters"}


def test_documents_are_cut_while_there_is_time() -> None:
    """The clock is looked at before each; the retriever's own time is not counted here."""
    given = [described(Document(f"Text {number}", metadata={"source": str(number)})) for number in range(3)]
    with pytest.raises(DeadlineExceeded):
        next(in_time(given, time.time() - 1))


def test_what_has_text_and_no_metadata_is_described_too() -> None:
    given = described(SimpleNamespace(page_content="text"))  # type: ignore[arg-type]
    assert (given.text, given.title, given.url) == ("text", "", "")


def test_an_id_is_that_of_the_text_at_its_place() -> None:
    one = described(Document("text", metadata={"source": "a"}, id="x"))
    assert one.id == described(Document("text", metadata={"source": "a"}, id="y")).id
    assert one.id != described(Document("text", metadata={"source": "b"})).id
    assert one.id != described(Document("other", metadata={"source": "a"})).id


def test_a_long_document_is_cut_and_what_the_question_is_about_comes_first() -> None:
    held = knowledge(
        Document(LONG, metadata={"source": "long.txt"}), Document("A short one.", metadata={"source": "s"})
    )
    [found] = held.search(["Which chapter tells of the year 1833?"], limit=4, deadline=soon())
    assert len(found) == 4
    assert any("1833" in passage["text"] for passage in found)
    for passage in found:
        assert held.text_of(passage["document_id"])[passage["start"] : passage["end"]] == passage["text"]
    assert LONG[found[0]["start"] : found[0]["end"]] == found[0]["text"]


def test_offsets_count_in_the_text_as_it_was_given() -> None:
    text = "One\x00 line.\r\n\r\nThe bridge\ud800 opened in 1932.\r\n"
    [[found]] = knowledge(Document(text)).search(["bridge"], limit=3, deadline=soon())
    assert text[found["start"] : found["end"]] == text.strip()
    assert found["text"] == "One  line.\r\n\r\nThe bridge  opened in 1932."


def test_no_text_is_given_twice_and_none_that_is_blank() -> None:
    held = knowledge(
        Document("Same.", metadata={"source": "a"}), Document("Same.", metadata={"source": "b"}), Document(" ")
    )
    [found] = held.search(["same"], limit=5, deadline=soon())
    assert [(one["text"], one["url"]) for one in found] == [("Same.", "a")]


def test_what_was_given_long_ago_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieved, "KNOWN", 1)
    held = knowledge(Document("First."), Document("Second."))
    [[first, second]] = held.search(["anything"], limit=2, deadline=soon())
    assert held.text_of(second["document_id"]) == "Second."
    assert [one["id"] for one in held.opening(second["document_id"], exactly=True, limit=2, deadline=soon())] == [
        second["id"]
    ]
    with pytest.raises(DocumentMissing):
        held.text_of(first["document_id"])


def test_our_own_errors_stay_what_they_are() -> None:
    with pytest.raises(SourceRefused):
        knowledge(error=SourceRefused("no")).search(["bridge"], limit=2, deadline=soon())
