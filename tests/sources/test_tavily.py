import json

import pytest

from tests.sources.conftest import settings_for
from veridic.errors import AddressForbidden, MissingKey, SourceRefused, SourceUnavailable
from veridic.settings import Settings
from veridic.sources.tavily import KEYLESS, MAX_CHARACTERS, TavilySource
from veridic_lab.evaluation.world import Behaviour, Served, World


def test_the_real_client_sends_query_and_key(settings: Settings, served: Served, deadline: float) -> None:
    [found] = TavilySource(settings).search("When was the Warsaw chamber founded?", limit=1, deadline=deadline).passages
    assert found["document_id"] == f"web:{found['url']}"
    [received] = served.received
    assert json.loads(received.body)["query"] == "When was the Warsaw chamber founded?"
    assert received.headers["Authorization"] == "Bearer tvly-secret"
    assert "X-Tavily-Access-Mode" not in received.headers


def test_without_a_key_there_is_no_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    with pytest.raises(MissingKey, match="TAVILY_API_KEY"):
        TavilySource(Settings())
    monkeypatch.setenv("TAVILY_API_KEY", " tvly-other ")
    assert TavilySource(Settings()).name == "web"


def test_a_key_that_was_revoked(served: Served, deadline: float) -> None:
    with pytest.raises(SourceRefused, match="401") as raised:
        TavilySource(settings_for(served, tavily_api_key="revoked")).search("Warsaw", limit=1, deadline=deadline)
    assert "Tavily key" in str(raised.value)
    assert "revoked" not in str(raised.value)


def test_long_queries_are_cut(settings: Settings, served: Served, deadline: float) -> None:
    TavilySource(settings).search("Warsaw " * 100, limit=1, deadline=deadline)
    assert len(json.loads(served.received[0].body)["query"]) <= MAX_CHARACTERS


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [("bot_wall", SourceRefused), ("rate_limited", SourceUnavailable), ("server_error", SourceUnavailable),
     ("bot_wall_200", SourceUnavailable), ("odd_json", SourceUnavailable), ("api_error", SourceUnavailable)],
)  # fmt: skip
def test_bad_days(
    settings: Settings, served: Served, deadline: float, behaviour: Behaviour, expected: type[Exception]
) -> None:
    served.behaviour = behaviour
    with pytest.raises(expected):
        TavilySource(settings).search("Warsaw", limit=1, deadline=deadline)


def test_walls_and_odd_addresses_are_discarded(deadline: float) -> None:
    rows = [
        {"title": "Warsaw wall", "text": "Checking your browser. Please verify you are human to see Warsaw."},
        {"title": "Warsaw script", "text": "Warsaw is a city on the Vistula river.", "url": "javascript:alert(1)"},
        {"title": "Warsaw page", "text": "Warsaw is the capital of Poland and lies on the Vistula."},
    ]
    with World(rows).serve() as served:
        found = TavilySource(settings_for(served)).search("Warsaw", limit=9, deadline=deadline)
    assert [passage["title"] for passage in found.passages] == ["Warsaw page"]
    assert {gone["reason"] for gone in found.discarded} == {"bot wall", "not a web address"}


def test_raw_html_is_reduced_to_its_main_text(deadline: float) -> None:
    html = (
        "<!DOCTYPE html><html><body><nav><a>Home</a> <a>Vistula cruises</a></nav><article><h1>Vistula</h1><p>"
        + "The Vistula is the longest river of Poland and flows through Warsaw. " * 9
        + "</p></article><footer>All rights reserved, Vistula Media</footer></body></html>"
    )
    with World([{"title": "Vistula", "text": html}]).serve() as served:
        [found] = TavilySource(settings_for(served)).search("Vistula", limit=1, deadline=deadline).passages
    assert "The Vistula is the longest river" in found["text"]
    assert not [word for word in ("<", "cruises", "reserved") if word in found["text"]]


def test_the_mode_without_a_key_is_used_when_asked_for_by_name(served: Served, deadline: float) -> None:
    [found] = (
        TavilySource(settings_for(served, tavily_api_key=KEYLESS)).search("Warsaw", limit=1, deadline=deadline).passages
    )
    assert found["title"]
    [received] = served.received
    assert received.headers["X-Tavily-Access-Mode"] == "keyless"
    assert "Authorization" not in received.headers


def test_the_mode_without_a_key_passes_the_guard(served: Served, deadline: float) -> None:
    source = TavilySource(settings_for(served, tavily_api_key=KEYLESS, allow_hosts=()))
    with pytest.raises(AddressForbidden):
        source.search("Warsaw", limit=1, deadline=deadline)
    assert not served.received


def test_the_guard_holds(served: Served, deadline: float) -> None:
    with pytest.raises(AddressForbidden):
        TavilySource(settings_for(served, allow_hosts=())).search("Warsaw", limit=1, deadline=deadline)
    assert not served.received
