"""The recorded world, seen by the real clients and by requests of our own."""

import gzip
import io
import json
import subprocess
import sys
import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import wikipedia

from veridic.errors import DocumentMissing, DocumentUnreadable, UsageError
from veridic.settings import Settings
from veridic.sources.faults import fault
from veridic_lab.evaluation.world import (
    FAULT_KINDS,
    INJECTION,
    ORDERED,
    Corpus,
    Faults,
    Served,
    World,
    faults_of,
    read_rows,
)
from veridic_lab.evaluation.world.__main__ import main
from veridic_lab.evaluation.world.faults import FaultKind

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


def test_rows_of_plain_and_packed_files(tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n\n" for row in ROWS)
    plain, packed = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.gz"
    plain.write_text(lines, encoding="utf-8")
    packed.write_bytes(gzip.compress(lines.encode()))
    assert list(read_rows(plain)) == list(read_rows(packed)) == ROWS


@pytest.mark.parametrize("line", ["{broken", "[1, 2]", '"text"'])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": "1"}\n' + line, encoding="utf-8")
    with pytest.raises(DocumentUnreadable, match="line 2"):
        list(read_rows(path))


def test_a_missing_corpus_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DocumentMissing):
        list(read_rows(tmp_path / "none.jsonl"))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert main(["--corpus", str(tmp_path / "none.jsonl")]) == 1
    assert sys.stderr.getvalue().count("\n") == 1


def test_it_can_be_started_by_name(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    command = [sys.executable, "-m", "veridic_lab.evaluation.world", "--corpus", str(path), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline().strip() for _ in range(5)]
        told = dict(line.removeprefix("export ").split("=", 1) for line in lines[1:])
        url = f"{told['VERIDIC_TAVILY_URL']}/w/api.php?action=query&list=search&srsearch=vikings"
        with urllib.request.urlopen(url) as answer:  # noqa: S310
            assert b"Norway" in answer.read()
        process.terminate()


PAGES = [{"title": f"Page {number}", "text": f"Text {number} of its own."} for number in range(400)]


def shown(faults: Faults, rows: list[dict[str, Any]] = PAGES) -> dict[str, str]:
    return {page.title: page.text for page in World(rows, faults).corpora["web"].pages}


def test_a_stated_share_of_the_pages_is_replaced_and_always_the_same_ones() -> None:
    true = shown(Faults())
    once, again, more = (shown(faults) for faults in (Faults(0.3), Faults(0.3), Faults(0.5)))
    replaced = {title for title in true if once[title] != true[title]}
    assert once == again
    assert 80 < len(replaced) < 160
    assert replaced < {title for title in true if more[title] != true[title]}
    assert shown(Faults(0.3, seed=8)) != once
    assert shown(Faults(0.3), PAGES[::-1]) == once


@pytest.mark.parametrize(("kind", "reason"), [("bot_wall", "bot wall"), ("consent", "consent page")])
def test_a_wall_is_what_the_sources_throw_away(kind: FaultKind, reason: str) -> None:
    assert {fault(title, text) for title, text in shown(Faults(1.0, (kind,))).items()} == {reason}


def test_other_pages_texts_and_orders_stand_under_the_right_title() -> None:
    true, swapped, ordered = (shown(faults) for faults in (Faults(), Faults(1, ("off_topic",)), Faults(1, FAULT_KINDS)))
    assert all(swapped[title] != text and swapped[title] in true.values() for title, text in true.items())
    kinds = {title: Faults(1, FAULT_KINDS).of(title) for title in true}
    assert set(kinds.values()) == set(FAULT_KINDS)
    for title, kind in kinds.items():
        assert (ORDERED in ordered[title] and ordered[title].endswith(true[title])) is (kind == "injection")


def test_a_replaced_page_is_still_found_by_what_it_said() -> None:
    with World(ROWS, Faults(1.0, ("bot_wall",))).serve() as world:
        [found] = api(world, list="search", srsearch="vikings")["query"]["search"]
        page = api(world, titles=found["title"], prop="extracts", explaintext="")["query"]["pages"]["2"]
        assert (found["title"], fault("Norway", page["extract"])) == ("Norway", "bot wall")
        assert api(world, titles="SB50", redirects="")["query"]["redirects"]
        assert (
            "Bowl may refer to"
            in api(world, titles="Bowl", prop="extracts", explaintext="")["query"]["pages"]["3"]["extract"]
        )


def test_a_page_stands_only_where_it_says() -> None:
    rows = [{"title": "Vikings", "text": "A paper on vikings.", "places": ["arxiv", "web"]}, *ROWS]
    world = World(rows)
    assert [page.title for page in world.corpora["wikipedia"].search("vikings", limit=5)] == ["Norway"]
    assert {page.title for page in world.corpora["web"].search("vikings", limit=5)} == {"Vikings", "Norway"}
    assert world.size == len(ROWS)


@pytest.mark.parametrize(("share", "kinds"), [(1.5, "bot_wall"), (0.3, "earthquake"), (0.3, "")])
def test_faults_that_cannot_be_are_refused(share: float, kinds: str) -> None:
    with pytest.raises(UsageError, match="by commas"):
        faults_of(share, kinds, 7)


def test_faults_are_named_by_commas() -> None:
    assert faults_of(0.3, "off_topic, bot_wall", 8) == Faults(0.3, ("bot_wall", "off_topic"), 8)
