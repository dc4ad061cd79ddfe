"""langchain retrievers as sources, and PubMed as the worked example."""

import json
import subprocess
import sys
import threading
import time
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from tests.sources.conftest import settings_for
from veridic.errors import AddressForbidden, DeadlineExceeded, MissingExtra, SourceRefused, SourceUnavailable
from veridic.settings import Settings
from veridic.sources import pubmed
from veridic.sources.community import CommunityRetriever, described
from veridic_lab.evaluation.world import Served


class Raises(BaseRetriever):
    error: Exception

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        raise self.error


class Waits(BaseRetriever):
    until: Any

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.until.wait(30)
        return []


def test_whatever_a_retriever_raises_is_the_sources(deadline: float) -> None:
    error = RuntimeError("https://x/?api_key=secret")
    source = CommunityRetriever("pubmed", lambda *, limit, deadline: Raises(error=error))
    with pytest.raises(SourceUnavailable, match="RuntimeError") as raised:
        source.search("anything", limit=1, deadline=deadline)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is error


def test_our_own_errors_stay_what_they_are(deadline: float) -> None:
    source = CommunityRetriever("pubmed", lambda *, limit, deadline: Raises(error=SourceRefused("no")))
    with pytest.raises(SourceRefused):
        source.search("anything", limit=1, deadline=deadline)


def test_a_retriever_without_a_timeout_is_left_behind() -> None:
    until = threading.Event()
    source = CommunityRetriever("pubmed", lambda *, limit, deadline: Waits(until=until))
    with pytest.raises(DeadlineExceeded):
        source.search("anything", limit=1, deadline=time.time() + 0.05)
    until.set()


def test_a_time_out_of_the_retriever_itself_is_not_our_deadline(deadline: float) -> None:
    source = CommunityRetriever("pubmed", lambda *, limit, deadline: Raises(error=TimeoutError()))
    with pytest.raises(SourceUnavailable):
        source.search("anything", limit=1, deadline=deadline)


def test_documents_are_described_from_their_metadata() -> None:
    page = described("pubmed", Document("text", metadata={"Title": "T", "source": "https://a/b", "uid": 7}))
    assert (page.document_id, page.title, page.url) == ("pubmed:7", "T", "https://a/b")
    bare = described("pubmed", Document("text"))
    assert bare.document_id.startswith("pubmed:")
    assert (bare.title, bare.url) == ("", "")


SEARCH = {"esearchresult": {"idlist": ["11", "22"]}}


def _article(uid: str, title: str, abstract: str) -> dict[str, Any]:
    return {
        "MedlineCitation": {
            "PMID": {"@Version": "1", "#text": uid},
            "Article": {
                "ArticleTitle": title,
                "Abstract": {"AbstractText": abstract},
                "ArticleDate": {"Year": "2011", "Month": "05", "Day": "09"},
            },
        }
    }


ARTICLES = [
    _article("11", "Lace plants", "Programmed cell death makes the holes in the leaves of the lace plant."),
    _article("22", "Rest", "Mice that sleep well remember more of what they learned."),
]


class Answer:
    def __init__(self, content: object) -> None:
        self.content = json.dumps(content)

    def json(self) -> Any:
        return json.loads(self.content)


class Session:
    """Stands for the guarded session; answers as NCBI does."""

    def __init__(self, articles: object) -> None:
        self.sent: list[tuple[str, dict[str, str]]] = []
        self.articles = articles

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *raised: object) -> None:
        return None

    def get(self, url: str, params: dict[str, str]) -> Answer:
        self.sent.append((url, params))
        return Answer(SEARCH if "esearch" in url else {"PubmedArticleSet": self.articles})


@pytest.fixture
def xmltodict(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package PubMed's reader wants; what it would parse comes as JSON here."""
    stand_in = ModuleType("xmltodict")
    stand_in.__spec__ = ModuleSpec("xmltodict", None)
    stand_in.parse = json.loads  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "xmltodict", stand_in)


@pytest.mark.parametrize("articles", [ARTICLES, ARTICLES[0]], ids=["several", "one"])
@pytest.mark.usefixtures("xmltodict")
def test_pubmed(articles: object, deadline: float, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session({"PubmedArticle": articles})
    monkeypatch.setattr(pubmed, "guarded_session", lambda *given: session)
    [found] = (
        pubmed.pubmed_source(Settings()).search("What makes holes in lace plants?", limit=1, deadline=deadline).passages
    )
    assert found["document_id"] == "pubmed:11"
    assert found["title"] == "Lace plants"
    assert found["url"] == "https://pubmed.ncbi.nlm.nih.gov/11/"
    assert found["location"] == "abstract, 2011-05-09"
    assert "Programmed cell death" in found["text"]
    assert [sent["term"] for _, sent in session.sent[:1]] == ["makes holes lace plants"]
    assert [sent["id"] for _, sent in session.sent[1:]] == ["11,22"]


@pytest.mark.usefixtures("xmltodict")
def test_pubmed_finds_nothing(deadline: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubmed, "guarded_session", lambda *given: Session(None))
    assert pubmed.pubmed_source(Settings()).search("lace", limit=1, deadline=deadline).passages == []


@pytest.mark.usefixtures("xmltodict")
def test_pubmed_goes_through_the_guard(served: Served, deadline: float) -> None:
    settings = settings_for(served, allow_hosts=())
    retriever = pubmed.build_pubmed(settings, limit=1, deadline=deadline, base_url_esearch=f"{served.url}/esearch")
    with pytest.raises(AddressForbidden):
        retriever.invoke("lace")
    assert not served.received


def test_pubmed_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'veridic\[pubmed\]'"):
        pubmed.pubmed_source(Settings())


def test_the_sunset_warning_alone_is_silenced() -> None:
    """In a process of its own, as the warning comes once, when the package is imported."""
    code = (
        "import warnings; warnings.simplefilter('error');"
        "from veridic.sources.community import without_sunset_warning; without_sunset_warning();"
        "import langchain_community.retrievers;"
        "warnings.warn('another', DeprecationWarning)"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert ended.stderr.strip().endswith("DeprecationWarning: another")
