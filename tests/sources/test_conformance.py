"""What every evidence source must do: the fake and the real adapters alike."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from tests.fakes.source import FakeSource
from tests.sources.conftest import ROWS
from veridic.errors import DeadlineExceeded
from veridic.ports.sources import EvidenceSource
from veridic.settings import Settings
from veridic.sources.arxiv import ArxivSource
from veridic.sources.community import CommunityRetriever
from veridic.sources.passages import Page
from veridic.sources.registry import open_sources
from veridic.sources.tavily import TavilySource
from veridic.sources.wikipedia import WikipediaSource

QUESTION = "When was the Warsaw chamber of commerce founded?"
NAUGHTY = [
    "",
    " \t\n",
    "?!…",
    '"',
    '"unbalanced OR (',
    "intitle:Warsaw insource:/.*/",
    "Warsaw AND NOT -chamber*~2",
    "'; DROP TABLE texts; --",
    "\x00\x07Warsaw",
    "\ud800 lone surrogate",
    "🏙️ Warszawa 華沙 وارسو",
    "{0} %s ${HOME} {braces",
    "Warsaw&format=xml#x\r\nHost: evil",
    "w" * 5000,
    "Warsaw " * 400,
    "______",
    "NEAR(a b, 2) title : x ^y",
]


class WordRetriever(BaseRetriever):
    """A retriever as anyone might have one: documents that share a word with the query."""

    rows: list[dict[str, Any]]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        asked = set(query.lower().replace("?", "").split())
        return [
            Document(row["text"], metadata={"title": row["title"], "source": f"https://example.org/{row['id']}"})
            for row in self.rows
            if asked & set(f"{row['title']} {row['text']}".lower().split())
        ]


def _fake(settings: Settings) -> EvidenceSource:
    return FakeSource(
        "web", [Page(f"web:{row['id']}", str(row["title"]), "https://example.org", str(row["text"])) for row in ROWS]
    )


def _community(settings: Settings) -> EvidenceSource:
    return CommunityRetriever("own", lambda _: WordRetriever(rows=ROWS))


def _dressed(settings: Settings) -> EvidenceSource:
    """As a run meets a source: held to its terms, and cached."""
    usable, _ = open_sources(settings.model_copy(update={"sources": ("wikipedia",)}))
    return usable["wikipedia"]


SOURCES: dict[str, Callable[[Settings], EvidenceSource]] = {
    "fake": _fake,
    "wikipedia": WikipediaSource,
    "arxiv": ArxivSource,
    "tavily": TavilySource,
    "community": _community,
    "dressed": _dressed,
}


@pytest.fixture(params=SOURCES.values(), ids=SOURCES.keys())
def source(request: pytest.FixtureRequest, settings: Settings) -> EvidenceSource:
    return request.param(settings)


class TestEvidenceSource:
    def test_finds_the_passage_first(self, source: EvidenceSource, deadline: float) -> None:
        found = source.search(QUESTION, limit=3, deadline=deadline).passages
        assert "1857" in found[0]["text"]

    def test_passages_say_where_they_stand(self, source: EvidenceSource, deadline: float) -> None:
        found = source.search(QUESTION, limit=3, deadline=deadline).passages
        assert len({passage["id"] for passage in found}) == len(found)
        for passage in found:
            assert passage["kind"] == "outside"
            assert passage["source"] == source.name
            assert passage["score"] is None
            assert passage["found_by"] == QUESTION
            assert passage["end"] - passage["start"] == len(passage["text"]) > 0
            assert passage["url"].startswith("http")
            assert passage["title"]
            assert passage["location"]
            assert datetime.fromisoformat(passage["retrieved_at"]).tzinfo

    @pytest.mark.parametrize("limit", [0, 1, 2])
    def test_keeps_to_the_limit(self, source: EvidenceSource, deadline: float, limit: int) -> None:
        assert len(source.search("Glaciers move over rock", limit=limit, deadline=deadline).passages) == limit

    def test_cuts_long_pages(self, source: EvidenceSource, deadline: float) -> None:
        found = source.search("Glaciers in year 1111", limit=5, deadline=deadline).passages
        assert "1111" in found[0]["text"]
        assert all(len(passage["text"].split()) <= 180 for passage in found)

    def test_nothing_found_is_an_empty_list(self, source: EvidenceSource, deadline: float) -> None:
        assert source.search("xylophone zugzwang", limit=3, deadline=deadline).passages == []

    @pytest.mark.parametrize("query", NAUGHTY, ids=range(len(NAUGHTY)))
    def test_takes_any_string(self, source: EvidenceSource, deadline: float, query: str) -> None:
        assert len(source.search(query, limit=2, deadline=deadline).passages) <= 2

    def test_a_deadline_that_has_passed(self, source: EvidenceSource) -> None:
        with pytest.raises(DeadlineExceeded):
            source.search(QUESTION, limit=3, deadline=time.time() - 1)

    def test_threads_share_it(self, source: EvidenceSource, deadline: float) -> None:
        def ask(query: str) -> str:
            return source.search(query, limit=1, deadline=deadline).passages[0]["text"]

        with ThreadPoolExecutor(4) as pool:
            texts = list(pool.map(ask, [QUESTION, "Glaciers in year 1111"] * 4))
        assert all(("1857" in text) if turn % 2 == 0 else ("1111" in text) for turn, text in enumerate(texts))
