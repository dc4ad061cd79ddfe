"""langchain retrievers as sources."""

import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from veridic.errors import DeadlineExceeded, SourceRefused, SourceUnavailable
from veridic.sources.community import CommunityRetriever, described


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
    source = CommunityRetriever("own", lambda limit: Raises(error=error))
    with pytest.raises(SourceUnavailable, match="RuntimeError") as raised:
        source.search("anything", limit=1, deadline=deadline)
    assert "secret" not in str(raised.value)
    assert raised.value.__cause__ is error


def test_our_own_errors_stay_what_they_are(deadline: float) -> None:
    source = CommunityRetriever("own", lambda limit: Raises(error=SourceRefused("no")))
    with pytest.raises(SourceRefused):
        source.search("anything", limit=1, deadline=deadline)


def test_a_retriever_without_a_timeout_is_left_behind() -> None:
    until = threading.Event()
    source = CommunityRetriever("own", lambda limit: Waits(until=until))
    with pytest.raises(DeadlineExceeded):
        source.search("anything", limit=1, deadline=time.time() + 0.05)
    until.set()


def test_a_time_out_of_the_retriever_itself_is_not_our_deadline(deadline: float) -> None:
    source = CommunityRetriever("own", lambda limit: Raises(error=TimeoutError()))
    with pytest.raises(SourceUnavailable):
        source.search("anything", limit=1, deadline=deadline)


def test_documents_are_described_from_their_metadata() -> None:
    page = described("own", Document("text", metadata={"Title": "T", "source": "https://a/b", "uid": 7}))
    assert (page.document_id, page.title, page.url) == ("own:7", "T", "https://a/b")
    bare = described("own", Document("text"))
    assert bare.document_id.startswith("own:")
    assert (bare.title, bare.url) == ("", "")


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
