"""What every source of pages must do: the fake and the real adapters alike."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest

from tests.fakes.source import FakeSource
from tests.sources.conftest import WARSAW
from tests.sources.test_conformance import NAUGHTY
from veridic.errors import DeadlineExceeded, PageMissing
from veridic.ports.sources import PageSource
from veridic.settings import Settings
from veridic.sources.arxiv import ArxivSource
from veridic.sources.passages import Page
from veridic.sources.wikipedia import WikipediaSource


@dataclass(frozen=True)
class Case:
    """A source, the name of a page it has, and what that page says."""

    open: Callable[[Settings], PageSource]
    key: str
    says: str


CASES = {
    "fake": Case(
        lambda _: FakeSource("wikipedia", [Page("wikipedia:Warsaw", "Warsaw", "https://example.org", WARSAW)]),
        "Warsaw",
        "was founded in 1857",
    ),
    "wikipedia": Case(WikipediaSource, "Warsaw", "was founded in 1857"),
    "arxiv": Case(ArxivSource, "1706.03762", "dispensing with recurrence"),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


class TestPageSource:
    def test_gives_the_whole_page_in_order(self, case: Case, settings: Settings, deadline: float) -> None:
        passages = case.open(settings).page(case.key, deadline=deadline)
        assert any(case.says in passage["text"] for passage in passages)
        assert [passage["start"] for passage in passages] == sorted(passage["start"] for passage in passages)
        assert len({passage["document_id"] for passage in passages}) == 1

    def test_passages_say_where_they_stand(self, case: Case, settings: Settings, deadline: float) -> None:
        source = case.open(settings)
        passages = source.page(case.key, deadline=deadline)
        assert len({passage["id"] for passage in passages}) == len(passages)
        for passage in passages:
            assert (passage["kind"], passage["source"], passage["score"]) == ("outside", source.name, None)
            assert passage["end"] - passage["start"] == len(passage["text"]) > 0
            assert passage["url"].startswith("http")
            assert passage["title"]
            assert passage["location"]
            assert datetime.fromisoformat(passage["retrieved_at"]).tzinfo

    def test_the_same_page_is_cut_alike_each_time(self, case: Case, settings: Settings, deadline: float) -> None:
        first, second = (case.open(settings).page(case.key, deadline=deadline) for _ in range(2))
        assert [passage["id"] for passage in first] == [passage["id"] for passage in second]

    @pytest.mark.parametrize("key", ["No such page", "9999.99999", *NAUGHTY], ids=range(len(NAUGHTY) + 2))
    def test_a_page_that_is_not_there_is_said_to_be_missing(
        self, case: Case, settings: Settings, deadline: float, key: str
    ) -> None:
        with pytest.raises(PageMissing):
            case.open(settings).page(key, deadline=deadline)

    def test_a_deadline_that_has_passed(self, case: Case, settings: Settings) -> None:
        with pytest.raises(DeadlineExceeded):
            case.open(settings).page(case.key, deadline=time.time() - 1)
