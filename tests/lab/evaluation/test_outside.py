"""The suites with a world: no answer stands inside, every one outside, and what is planted is false."""

from pathlib import Path
from time import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.world import World
from tests.lab.evaluation.data import asked_of, data_folder, lighthouses
from tests.lab.evaluation.rows import question
from veridic.errors import UsageError
from veridic_lab.evaluation.answers import holds_alias
from veridic_lab.evaluation.connected import check_outside, connected, rows_of, world_of
from veridic_lab.evaluation.falsehoods import fact_of, falsified
from veridic_lab.evaluation.grouping import divided
from veridic_lab.evaluation.sampling import with_fewer_documents
from veridic_lab.evaluation.suite import Suite
from veridic_lab.evaluation.suites import open_suite
from veridic_lab.evaluation.world import Faults
from veridic_lab.evaluation.world.corpus import Corpus
from veridic_lab.training.pairs import held_out, normalised

TRAINED = tuple(asked_of("pubmedqa", i) for i in range(40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lighthouses(data_folder(tmp_path_factory.mktemp("data"), trained=TRAINED))


@pytest.fixture(scope="module")
def outside(folder: Path) -> Suite:
    return open_suite("outside", lambda: folder)


@pytest.fixture(scope="module")
def planted(folder: Path) -> Suite:
    return open_suite("planted", lambda: folder)


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


def test_questions_about_one_page_never_cross(outside: Suite) -> None:
    development, measured = divided(outside.questions)
    assert development
    assert not {url for one in development for url in one.gold} & {url for one in measured for url in one.gold}


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
    with connected(World(tmp_path / "kb.sqlite").resources(), outside.outside, Faults()) as resources:
        assert set(resources.sources) == {"wikipedia", "arxiv", "web"}
        assert resources.settings.allow_hosts[0].startswith("127.0.0.1:")
        for source, page in (("wikipedia", article), ("arxiv", paper), ("web", article), ("web", paper)):
            found = resources.sources[source].search(page.text, limit=5, deadline=time() + 60).passages
            assert page.url in {passage["url"] for passage in found}, source


def test_without_a_world_nothing_is_opened(tmp_path: Path) -> None:
    resources = World(tmp_path / "kb.sqlite").resources()
    with connected(resources, None, Faults()) as same:
        assert same is resources


def test_the_identity_tells_the_world_and_what_is_wrong_with_it(outside: Suite) -> None:
    whole, broken = world_of(outside.outside, Faults()), world_of(outside.outside, Faults(0.3))
    assert whole["pages"] == broken["pages"]
    assert (broken["faults"], broken["seed"]) == (0.3, 7)
    assert world_of(None, Faults()) == {}


@pytest.mark.parametrize(("systems", "faults"), [(["veridic_wikipedia"], Faults()), (["veridic"], Faults(0.1))])
def test_a_suite_without_a_world_refuses_what_needs_one(systems: list[str], faults: Faults) -> None:
    with pytest.raises(UsageError, match="has no world outside"):
        check_outside(Suite("answers", ()), systems, faults)


def test_each_falsehood_stands_in_the_corpus_and_its_truth_only_outside(planted: Suite) -> None:
    assert planted.outside
    inside = {one.url: one.text for one in planted.documents}
    pages = {page.url: page.text for page in planted.outside.pages}
    assert {fact_of(one.falsehood) for one in planted.questions} == {"entity", "date", "number"}
    for one in planted.questions:
        assert holds_alias(inside[one.planted_in], [one.falsehood])
        assert not holds_alias(inside[one.planted_in], one.answers)
        assert any(holds_alias(pages[url], one.answers) for url in one.gold)
        assert not any(holds_alias(pages[url], [one.falsehood]) for url in one.gold)
    assert len({one.planted_in for one in planted.questions}) == len(planted.questions)


def test_the_same_falsehoods_every_time_and_kept_with_few_documents(planted: Suite, folder: Path) -> None:
    assert open_suite("planted", lambda: folder).questions == planted.questions
    few = with_fewer_documents(planted, planted.questions[:3], 5)
    assert len(few.documents) == 5
    assert {one.planted_in for one in planted.questions[:3]} <= {one.url for one in few.documents}


def test_pages_of_one_title_are_one_page(outside: Suite) -> None:
    assert outside.outside
    articles = outside.outside.articles
    assert len(Corpus({"title": one.title, "text": one.text} for one in articles).pages) == len(articles)


NAMES = st.sampled_from(["Anna Berg", "Carl Dahl", "Ida Klein"])


@settings(deadline=None, max_examples=40)
@given(st.one_of(NAMES, st.integers(1, 2099).map(str)), st.text("ab 1.,", max_size=20), st.integers(1, 3))
def test_a_falsified_text_holds_the_falsehood_and_not_the_truth(answer: str, around: str, times: int) -> None:
    asked = question(answers=[answer], text="Which?")
    text = f" {around} ".join([f"It was {answer}."] * times)
    others = [question(str(n), answers=[name]) for n, name in enumerate(("Eva Fuchs", "Gil Hall"))]
    made = falsified(asked, text, others)
    if made is None:
        assert answer.isdigit()
        return
    assert holds_alias(made[1], [made[0]])
    assert not holds_alias(made[1], [answer])
    assert not holds_alias(text, [made[0]])


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        (["a long walk"], "It was a long walk."),
        (["Anna Berg"], "Nobody is named."),
        (["1918", "March 1918"], "In March 1918 it began, and 1918 was cold."),
        (["two innermost membranes of the cell wall"], "The two innermost membranes of the cell wall are thin."),
    ],
)
def test_what_is_no_single_fact_is_left(answers: list[str], text: str) -> None:
    assert falsified(question(answers=answers), text, [question("other", answers=["Eva Fuchs"])]) is None
