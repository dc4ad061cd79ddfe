import time
import warnings

import pytest
import wikipedia

from tests.sources.conftest import WARSAW
from veridic.errors import DeadlineExceeded, PageMissing, SourceRefused, SourceUnavailable
from veridic.settings import Settings
from veridic.sources import wikipedia as adapter
from veridic.sources.wikipedia import PAGES, WikipediaSource
from veridic_lab.evaluation.world import Behaviour, Served


def test_a_section_and_not_the_summary(settings: Settings, served: Served, deadline: float) -> None:
    [found] = (
        WikipediaSource(settings).search("Warsaw chamber of commerce founded", limit=1, deadline=deadline).passages
    )
    assert found["text"].startswith("The Warsaw chamber of commerce was founded in 1857")
    assert found["heading"] == "History > Commerce"
    assert found["location"] == "Commerce"
    assert found["document_id"] == "wikipedia:Warsaw"
    assert found["url"] == f"{served.url}/wiki/Warsaw"


def test_lists_of_works_cited_are_no_evidence(settings: Settings, deadline: float) -> None:
    found = WikipediaSource(settings).search("works cited that is no prose list", limit=9, deadline=deadline).passages
    assert not [passage for passage in found if passage["heading"] == "References"]


def test_offsets_count_in_the_text_of_the_page(settings: Settings, served: Served, deadline: float) -> None:
    found = WikipediaSource(settings).search("Warsaw", limit=9, deadline=deadline).passages
    assert len(found) == 3
    assert all(WARSAW[passage["start"] : passage["end"]] == passage["text"] for passage in found)


def test_a_question_is_searched_by_its_words_and_then_by_any_of_them(
    settings: Settings, served: Served, deadline: float
) -> None:
    WikipediaSource(settings).search('Who "founded" the Warsaw zoo?', limit=3, deadline=deadline)
    searches = [received.params["srsearch"] for received in served.received if "srsearch" in received.params]
    assert searches == ["founded warsaw zoo", "founded OR warsaw OR zoo"]


def test_a_disambiguation_page_leads_to_the_option_that_fits(settings: Settings, deadline: float) -> None:
    found = WikipediaSource(settings).search("Mercury refer element", limit=1, deadline=deadline).passages
    assert found[0]["title"] == "Mercury (element)"


def test_a_redirect_is_followed(settings: Settings, deadline: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter._Reader, "_titles", lambda self, words: ["Varsovia", "Warsaw", "No such page"])
    found = WikipediaSource(settings).search("Vistula", limit=9, deadline=deadline).passages
    assert {passage["title"] for passage in found} == {"Warsaw"}
    assert len({passage["id"] for passage in found}) == len(found)


def test_at_most_so_many_pages_are_read(settings: Settings, served: Served, deadline: float) -> None:
    WikipediaSource(settings).search("Warsaw Mercury Glacier Attention planet element", limit=9, deadline=deadline)
    assert sum("extracts" in received.params.get("prop", "") for received in served.received) <= PAGES


def test_the_package_itself_is_left_as_it_was(settings: Settings, deadline: float) -> None:
    before = {name: getattr(wikipedia.wikipedia, name) for name in ("API_URL", "USER_AGENT", "requests", "search")}
    WikipediaSource(settings).search("Warsaw", limit=1, deadline=deadline)
    assert all(getattr(wikipedia.wikipedia, name) is value for name, value in before.items())
    assert not wikipedia.search._cache


def test_no_warning_of_the_package_reaches_the_user(settings: Settings, deadline: float) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        WikipediaSource(settings).search("Mercury refer element", limit=1, deadline=deadline)
    assert not [warning for warning in seen if "wikipedia" in warning.filename or "bs4" in str(warning.category)]


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        ("bot_wall", SourceRefused),
        ("huge", SourceRefused),
        ("rate_limited", SourceUnavailable),
        ("server_error", SourceUnavailable),
        ("bot_wall_200", SourceUnavailable),
        ("odd_json", SourceUnavailable),
        ("api_error", SourceUnavailable),
        ("truncated", SourceUnavailable),
    ],
)
def test_bad_days(
    settings: Settings, served: Served, deadline: float, behaviour: Behaviour, expected: type[Exception]
) -> None:
    served.behaviour = behaviour
    with pytest.raises(expected):
        WikipediaSource(settings).search("Warsaw", limit=1, deadline=deadline)


def test_pages_already_read_are_kept_when_a_later_one_fails(
    settings: Settings, served: Served, deadline: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = adapter._Reader._load

    def load_then_fail(self: adapter._Reader, title: str) -> object:
        page = load(self, title)
        served.behaviour = "server_error"
        return page

    monkeypatch.setattr(adapter._Reader, "_load", load_then_fail)
    found = WikipediaSource(settings).search("Warsaw rock Sun", limit=9, deadline=deadline)
    assert len({passage["document_id"] for passage in found.passages}) == 1
    assert not found.complete
    [unread] = found.discarded
    assert unread["reason"].startswith("not read: ")


def test_a_slow_source_ends_at_its_deadline(settings: Settings, served: Served) -> None:
    served.behaviour = "drip"
    with pytest.raises(DeadlineExceeded):
        WikipediaSource(settings).search("Warsaw", limit=1, deadline=time.time() + 0.2)


def test_a_page_is_had_by_a_title_that_leads_to_it(settings: Settings, deadline: float) -> None:
    passages = WikipediaSource(settings).page(" varsovia ", deadline=deadline)
    assert {passage["document_id"] for passage in passages} == {"wikipedia:Warsaw"}
    assert [passage["heading"] for passage in passages] == ["", "History", "History > Commerce"]
    assert all(WARSAW[passage["start"] : passage["end"]] == passage["text"] for passage in passages)


def test_a_title_that_may_mean_several_pages_is_told_with_them(settings: Settings, deadline: float) -> None:
    with pytest.raises(PageMissing, match=r"Mercury \(planet\); Mercury \(element\)\. Name one"):
        WikipediaSource(settings).page("Mercury", deadline=deadline)


@pytest.mark.parametrize("title", ["Warsaw|Glacier", "Warsaw#History", "[[Warsaw]]", "W" * 256])
def test_what_cannot_be_a_title_is_not_asked_for(
    settings: Settings, served: Served, deadline: float, title: str
) -> None:
    with pytest.raises(PageMissing):
        WikipediaSource(settings).page(title, deadline=deadline)
    assert not served.received


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [("bot_wall", SourceRefused), ("bot_wall_200", SourceUnavailable), ("truncated", SourceUnavailable)],
)
def test_a_page_that_cannot_be_had(
    settings: Settings, served: Served, deadline: float, behaviour: Behaviour, expected: type[Exception]
) -> None:
    served.behaviour = behaviour
    with pytest.raises(expected):
        WikipediaSource(settings).page("Warsaw", deadline=deadline)


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("https://en.wikipedia.org/wiki/Warsaw", True),
        ("https://wiki.example.org/Warsaw", False),
        ("https://notwikipedia.org/Warsaw", False),
    ],
)
def test_the_licence_of_wikipedia_is_said_of_wikipedia_alone(url: str, own: bool) -> None:
    assert adapter.is_wikipedia(url) is own
