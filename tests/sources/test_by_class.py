"""Retrievers of langchain-community that the settings name by their class."""

import re
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

from tests.fakes.langchain import GivingRetriever
from tests.graph.world import World
from veridic.context import Context
from veridic.errors import InvalidSetting, MissingExtra
from veridic.settings import Settings
from veridic.sources.community import CommunityRetriever, missing_package, without_sunset_warning
from veridic.sources.registry import open_sources

WIKIPEDIA = "community:WikipediaRetriever"
CHAPEL = "The Sistine Chapel in Rome was painted by Michelangelo. It took him four years of hard work."


@pytest.fixture(autouse=True)
def no_sunset_warning() -> None:
    without_sunset_warning()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.load(sources=f"arxiv,{WIKIPEDIA}", cache=tmp_path, cache_hours=0)


def test_the_settings_take_ours_and_classes() -> None:
    assert Settings.load(sources=f"arxiv, {WIKIPEDIA}").sources == ("arxiv", WIKIPEDIA)
    assert Context(sources=("web", WIKIPEDIA)).sources == ("web", WIKIPEDIA)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("wikpedia", "there is no source 'wikpedia' (Did you mean wikipedia?)"),
        ("community:", "there are wikipedia, arxiv, web and community:CLASS"),
        ("community:os.system", "there is no source"),
        ("community:_Own", "there is no source"),
        ("arxiv\n", "there is no source"),
    ],
)
def test_what_is_no_name_of_a_source_is_refused(name: str, said: str) -> None:
    with pytest.raises(InvalidSetting, match=re.escape(said)):
        Context(sources=(name,))


def test_a_form_is_told_which_names_there_are() -> None:
    items = Context.model_json_schema()["properties"]["sources"]["anyOf"][0]["items"]
    assert items["examples"] == ["wikipedia", "arxiv", "web"]


def test_a_class_is_opened_beside_ours(settings: Settings) -> None:
    usable, unusable = open_sources(settings)
    assert [(name, source.name) for name, source in usable.items()] == [("arxiv", "arxiv"), (WIKIPEDIA, WIKIPEDIA)]
    assert unusable == {}


def test_a_class_that_is_not_there_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match=r"no retriever 'WikipediaRetriver'.*Did you mean WikipediaRetriever"):
        open_sources(Settings.load(sources="community:WikipediaRetriver", cache=tmp_path))


def test_a_retriever_that_its_defaults_do_not_make_says_what_it_lacks(tmp_path: Path) -> None:
    _, unusable = open_sources(Settings.load(sources="community:BM25Retriever", cache=tmp_path))
    assert unusable["community:BM25Retriever"].startswith(
        "community:BM25Retriever cannot be built: docs field required."
    )


def test_a_key_that_is_missing_is_named_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("YDC_API_KEY", raising=False)
    _, unusable = open_sources(Settings.load(sources="community:YouRetriever", cache=tmp_path))
    assert "environment variable `YDC_API_KEY`" in unusable["community:YouRetriever"]


def test_a_missing_package_is_told_in_its_own_words() -> None:
    error = ModuleNotFoundError("No module named 'kay.rag'", name="kay.rag")
    told = missing_package("community:KayAiRetriever", error)
    assert str(told).endswith("a package that is not installed: No module named 'kay.rag'. Install it.")


def test_a_package_that_is_missed_at_the_search_is_told_too(deadline: float) -> None:
    retriever = GivingRetriever(error=ImportError("Please install it with `pip install asknews`."))
    source = CommunityRetriever("community:AskNewsRetriever", lambda _: retriever)
    with pytest.raises(MissingExtra, match="pip install asknews"):
        source.search("anything", limit=1, deadline=deadline)


def test_what_it_finds_is_judged_and_cited_like_any_findings(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from langchain_community.retrievers import WikipediaRetriever

    def found(_: Any, query: str) -> list[Document]:
        return [Document(CHAPEL, metadata={"title": "Sistine Chapel", "source": "https://en.wikipedia.org/wiki/S"})]

    monkeypatch.setattr(WikipediaRetriever, "load", found)
    usable, _ = open_sources(settings)
    world = World(tmp_path / "kb.sqlite", sources={WIKIPEDIA: usable[WIKIPEDIA]})
    result = world.ask("Who painted the Sistine Chapel?", max_retries=1)
    assert (result["outcome"], result["sources"]["used"]) == ("corrected", [WIKIPEDIA])
    assert result["sources"]["sent"][0]["source"] == WIKIPEDIA
    [cited, *_] = [one for sentence in result["sentences"] for one in sentence["citations"]]
    assert (cited["kind"], cited["url"]) == ("outside", "https://en.wikipedia.org/wiki/S")
    assert world.ask("Who painted the Sistine Chapel?", sources=("arxiv",))["sources"]["used"] == []
