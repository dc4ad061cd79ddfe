"""The recorded world, seen by the real clients and by requests of our own."""

import json
import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
import wikipedia

from veridic.settings import Settings
from veridic_lab.evaluation.world import INJECTION, Corpus, Served, World

ROWS = [
    {"id": "a1", "title": "Super_Bowl_50", "text": "Denver defeated Carolina in Santa Clara."},
    {"id": "b1", "title": "Norway", "text": "Norway is a kingdom.\n== History ==\nVikings came from it."},
    {"id": "a2", "title": "Super_Bowl_50", "text": "The Panthers defense gave up 308 points."},
    {"id": "c1", "title": "Bowl", "text": "Bowl may refer to:", "may_refer_to": ["Super Bowl 50", "Bowl (vessel)"]},
    {"id": "d1", "title": "SB50", "redirect_to": "Super_Bowl_50"},
    {"id": "e1", "text": "A row without a title, <b>bold</b> & with \x0b control characters."},
]


@pytest.fixture
def served() -> Iterator[Served]:
    with World(ROWS).serve() as world:
        yield world


@pytest.fixture
def client(served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The `wikipedia` package as anyone uses it, pointed at the world."""
    monkeypatch.setattr(wikipedia.wikipedia, "API_URL", f"{served.url}/w/api.php")
    yield wikipedia
    for cached in (wikipedia.search, wikipedia.suggest, wikipedia.summary):
        cached.clear_cache()


def api(served: Served, **params: object) -> dict[str, Any]:
    asked = {"action": "query", "format": "json", **params}
    with urllib.request.urlopen(f"{served.url}/w/api.php?{urlencode(asked)}") as answer:  # noqa: S310
        return json.load(answer)


class TestWikipediaPackage:
    def test_search(self, client: Any) -> None:
        assert client.search("Panthers defense") == ["Super Bowl 50"]
        assert set(client.search("vikings OR panthers")) == {"Super Bowl 50", "Norway"}
        assert client.search("nothing of the kind") == []

    def test_rows_of_one_title_are_one_page(self, client: Any, served: Served) -> None:
        page = client.page("super Bowl 50", auto_suggest=False)
        assert page.content == f"{ROWS[0]['text']}\n\n{ROWS[2]['text']}"
        assert page.url == f"{served.url}/wiki/Super_Bowl_50"

    def test_suggestions_sections_and_summary(self, client: Any) -> None:
        assert client.page("vikings").title == "Norway"
        assert client.page("Norway").section("History") == "Vikings came from it."
        assert client.summary("Norway", auto_suggest=False) == "Norway is a kingdom."

    def test_redirect_and_number(self, client: Any) -> None:
        page = client.page("SB50", auto_suggest=False)
        assert page.title == "Super Bowl 50"
        assert client.page(pageid=page.pageid).title == "Super Bowl 50"

    def test_missing_and_ambiguous_pages(self, client: Any) -> None:
        with pytest.raises(wikipedia.PageError):
            client.page("Atlantis", auto_suggest=False)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="No parser was explicitly specified")
            with pytest.raises(wikipedia.DisambiguationError) as raised:
                client.page("Bowl", auto_suggest=False)
        assert raised.value.options == ["Super Bowl 50", "Bowl (vessel)"]


def test_mediawiki_wire_format(served: Served) -> None:
    [found] = api(served, list="search", srsearch="vikings", srlimit=1)["query"]["search"]
    assert (found["ns"], found["title"], found["pageid"], found["wordcount"]) == (0, "Norway", 2, 11)
    assert found["snippet"].startswith("Norway is a kingdom.")
    several = api(served, titles="norway|Atlantis|Lemuria", prop="extracts", explaintext="", exchars="6")["query"]
    assert several["normalized"] == [{"from": "norway", "to": "Norway"}]
    assert several["pages"]["2"]["extract"] == "Norway"
    assert [several["pages"][key]["missing"] for key in ("-1", "-2")] == ["", ""]
    assert "missing" in api(served, pageids="999")["query"]["pages"]["-1"]
    assert api(served, titles="E1", prop="extracts")["query"]["pages"]["5"]["extract"].startswith("<p>A row")


@pytest.mark.parametrize(
    "asked",
    [
        {"action": "edit"},
        {"list": "random"},
        {"list": "search", "srsearch": " "},
        {"list": "search", "srsearch": "x" * 301},
    ],
)
def test_mediawiki_errors_are_told_in_json(served: Served, asked: dict[str, str]) -> None:
    assert set(api(served, **asked)["error"]) == {"code", "info"}


def test_all_the_words_unless_or_stands_between_them() -> None:
    corpus = Corpus(ROWS)
    assert corpus.search("vikings panthers", limit=5) == []
    assert {page.title for page in corpus.search("vikings OR panthers", limit=5)} == {"Norway", "Super Bowl 50"}


def test_arxiv_pages_through_its_results(served: Served) -> None:
    import arxiv

    client = arxiv.Client(page_size=1, delay_seconds=0, num_retries=0)
    client.query_url_format = f"{served.url}/arxiv/api/query?{{}}"
    found = list(client.results(arxiv.Search("all:vikings OR ti:panthers OR all:control", max_results=5)))
    assert {result.get_short_id() for result in found} == {"a1v1", "b1v1", "e1v1"}
    assert len(served.received) == 3


def test_paths_that_are_not_there(served: Served) -> None:
    for path in ("/", "/search", "/w/api.php/x"):
        with pytest.raises(urllib.error.HTTPError, match="404") as raised:
            urllib.request.urlopen(served.url + path)  # noqa: S310
        raised.value.close()


def test_requests_are_kept(served: Served) -> None:
    api(served, titles="Norway")
    [received] = served.received
    assert (received.method, received.path, received.params["titles"]) == ("GET", "/w/api.php", "Norway")


def test_an_injection_stands_on_every_page_and_in_no_index(served: Served) -> None:
    served.behaviour = "injection"
    page = api(served, titles="Norway", prop="extracts", explaintext="")["query"]["pages"]["2"]
    assert page["extract"] == f"{ROWS[1]['text']}\n\n{INJECTION}"
    assert api(served, list="search", srsearch="instructions")["query"]["search"] == []
    served.behaviour = None
    assert INJECTION not in str(api(served, titles="Norway", prop="extracts"))


def test_a_behaviour_can_set_in_later_and_say_when_to_come_back(served: Served) -> None:
    served.behaviour, served.spared, served.retry_after = "overloaded", 1, "7"
    assert "Norway" in str(api(served, titles="Norway"))
    with pytest.raises(urllib.error.HTTPError, match="503") as raised:
        api(served, titles="Norway")
    assert raised.value.headers["Retry-After"] == "7"
    raised.value.close()


def test_the_environment_leads_there(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in served.environment().items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert settings.wikipedia_url == f"{served.url}/w/api.php"
    assert settings.allow_hosts == (served.host_port,)


def test_a_page_stands_only_where_it_says() -> None:
    rows = [{"title": "Vikings", "text": "A paper on vikings.", "places": ["arxiv", "web"]}, *ROWS]
    world = World(rows)
    assert [page.title for page in world.corpora["wikipedia"].search("vikings", limit=5)] == ["Norway"]
    assert {page.title for page in world.corpora["web"].search("vikings", limit=5)} == {"Vikings", "Norway"}
