import time

import pytest

from tests.sources.conftest import settings_for
from veridic.errors import AddressForbidden, DeadlineExceeded, PageMissing, SourceRefused, SourceUnavailable
from veridic.settings import Settings
from veridic.sources.arxiv import ArxivSource
from veridic.sources.passages import Page
from veridic_lab.evaluation.world import Behaviour, Served


def test_abstract_authors_and_date(settings: Settings, deadline: float) -> None:
    [found] = ArxivSource(settings).search("What is the Transformer based on?", limit=1, deadline=deadline).passages
    assert "attention mechanisms, dispensing with recurrence." in found["text"]
    assert "Authors: Ashish Vaswani, Noam Shazeer. Published: 2017-06-12." in found["text"]
    assert found["location"] == "abstract, Ashish Vaswani et al., 2017-06-12, CC0 1.0"
    assert found["url"] == "http://arxiv.org/abs/1706.03762v1"
    assert found["document_id"] == "arxiv:1706.03762v1"


def test_one_request_a_search(settings: Settings, served: Served, deadline: float) -> None:
    ArxivSource(settings).search("The Transformer: attention (and more)", limit=1, deadline=deadline)
    [received] = served.received
    assert received.params["search_query"] == "all:transformer OR all:attention"
    assert received.params["max_results"] == "1"


def test_a_turn_is_waited_for_no_longer_than_the_deadline(settings: Settings) -> None:
    source = ArxivSource(settings)
    with source._turn, pytest.raises(DeadlineExceeded):
        source.search("Transformer", limit=1, deadline=time.time() + 0.05)


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [("bot_wall", SourceRefused), ("rate_limited", SourceUnavailable), ("server_error", SourceUnavailable)],
)
def test_bad_days(
    settings: Settings, served: Served, deadline: float, behaviour: Behaviour, expected: type[Exception]
) -> None:
    served.behaviour = behaviour
    with pytest.raises(expected):
        ArxivSource(settings).search("Transformer", limit=1, deadline=deadline)
    assert len(served.received) == 1


def test_a_page_that_is_no_feed_is_not_silence(settings: Settings, served: Served, deadline: float) -> None:
    served.behaviour = "bot_wall_200"
    with pytest.raises(SourceUnavailable):
        ArxivSource(settings).search("Transformer", limit=1, deadline=deadline)


def test_the_guard_holds(served: Served, deadline: float) -> None:
    with pytest.raises(AddressForbidden):
        ArxivSource(settings_for(served, allow_hosts=())).search("Transformer", limit=1, deadline=deadline)
    assert not served.received


@pytest.mark.parametrize("key", ["1706.03762", "1706.03762v1"])
def test_a_paper_is_had_by_its_number(settings: Settings, served: Served, deadline: float, key: str) -> None:
    [passage] = ArxivSource(settings).page(key, deadline=deadline)
    assert passage["document_id"] == "arxiv:1706.03762v1"
    assert passage["text"].endswith("Authors: Ashish Vaswani, Noam Shazeer. Published: 2017-06-12.")
    assert [received.params["id_list"] for received in served.received] == [key]


@pytest.mark.parametrize("key", ["1706", "Attention Is All You Need", "1706.03762,1706.03763", "hep-th/123"])
def test_what_is_no_number_is_not_asked_for(settings: Settings, served: Served, deadline: float, key: str) -> None:
    with pytest.raises(PageMissing):
        ArxivSource(settings).page(key, deadline=deadline)
    assert not served.received


def test_an_entry_that_tells_of_an_error_is_no_paper(
    settings: Settings, deadline: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Page(
        "arxiv:http://arxiv.org/api/errors#unknown_id", "Error", "http://arxiv.org", "The id is not known here."
    )
    monkeypatch.setattr(ArxivSource, "_pages", lambda *_, **__: [told])
    with pytest.raises(PageMissing):
        ArxivSource(settings).page("1706.03762", deadline=deadline)
