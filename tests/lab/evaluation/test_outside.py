"""The suites with a world: no answer stands inside, every one outside, and what is planted is false."""

from pathlib import Path
from time import time

import pytest

from tests.graph.world import World
from tests.lab.evaluation.data import asked_of, data_folder, lighthouses
from veridic.errors import UsageError
from veridic.text.answers import holds_alias
from veridic_lab.evaluation.connected import check_outside, connected, rows_of, world_of
from veridic_lab.evaluation.suite import Suite
from veridic_lab.evaluation.suites import open_suite
from veridic_lab.evaluation.world.corpus import Corpus
from veridic_lab.training.pairs import held_out, normalised

TRAINED = tuple(asked_of("pubmedqa", i) for i in range(40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lighthouses(data_folder(tmp_path_factory.mktemp("data"), trained=TRAINED))


@pytest.fixture(scope="module")
def outside(folder: Path) -> Suite:
    return open_suite("outside", lambda: folder)


def test_what_answers_stands_outside_and_nowhere_else(outside: Suite) -> None:
    assert outside.questions
    assert outside.documents
    assert outside.outside
    pages = {page.url: page.text for page in outside.outside.pages}
    inside = " ".join(one.text for one in outside.documents)
    assert not any(part in inside for text in pages.values() for part in text.split("\n\n"))
    for one in outside.questions:
        assert one.answerable
        assert set(one.gold) <= set(pages)
        if one.set == "xquad_en":
            assert any(holds_alias(pages[url], one.answers) for url in one.gold)


def test_what_the_judges_have_seen_is_not_asked(outside: Suite) -> None:
    trained = {normalised(text) for text in TRAINED if not held_out(normalised(text))}
    assert not trained & {one.key for one in outside.questions}
    assert outside.left["pubmedqa"].unseen < outside.left["pubmedqa"].all
    assert outside.left["xquad_en"].usable == sum(one.set == "xquad_en" for one in outside.questions)


def test_abstracts_stand_behind_arxiv_and_articles_behind_mediawiki(outside: Suite) -> None:
    assert outside.outside
    papers = {one.url for one in outside.outside.papers}
    for one in outside.questions:
        assert (set(one.gold) <= papers) is (one.set == "pubmedqa")
    placed = {row["url"]: row["places"] for row in rows_of(outside.outside)}
    assert {tuple(placed[url]) for url in papers} == {("arxiv", "web")}
    assert {tuple(places) for places in placed.values()} == {("arxiv", "web"), ("wikipedia", "web")}


def test_an_address_is_what_a_citation_says(outside: Suite, tmp_path: Path) -> None:
    """The real clients over real sockets give the addresses that gold names."""
    assert outside.outside
    article, paper = outside.outside.articles[0], outside.outside.papers[0]
    with connected(World(tmp_path / "kb.sqlite").resources(), outside.outside) as resources:
        assert set(resources.sources) == {"wikipedia", "arxiv", "web"}
        assert resources.settings.allow_hosts[0].startswith("127.0.0.1:")
        for source, page in (("wikipedia", article), ("arxiv", paper), ("web", article), ("web", paper)):
            found = resources.sources[source].search(page.text, limit=5, deadline=time() + 60).passages
            assert page.url in {passage["url"] for passage in found}, source


def test_without_a_world_nothing_is_opened(tmp_path: Path) -> None:
    resources = World(tmp_path / "kb.sqlite").resources()
    with connected(resources, None) as same:
        assert same is resources


def test_pages_of_one_title_are_one_page(outside: Suite) -> None:
    assert outside.outside
    articles = outside.outside.articles
    assert len(Corpus({"title": one.title, "text": one.text} for one in articles).pages) == len(articles)


def test_the_identity_tells_the_world(outside: Suite) -> None:
    assert world_of(outside.outside)
    assert world_of(None) == ""


def test_a_suite_without_a_world_refuses_what_needs_one() -> None:
    with pytest.raises(UsageError, match="has no world outside"):
        check_outside(Suite("answers", ()), ["veridic:sources=wikipedia"])
