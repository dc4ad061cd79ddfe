"""`veridic ingest wikipedia:TITLE arxiv:ID` over the recorded world."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, Veridic
from veridic.knowledge.named_pages import Named, page_named
from veridic.ports.shapes import Passage
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic_lab.evaluation.world import Served, World

ROWS = [
    {
        "id": "a",
        "title": "Alder Bridge",
        "text": "The Alder Bridge was opened in 1932.\n\n== Toll ==\nIt ended in 1967.",
    },
    {"id": "m", "title": "Mercury", "text": "May refer to:", "may_refer_to": ["Mercury (planet)", "Mercury (element)"]},
    {"id": "1706.03762", "title": "Attention", "text": "The Transformer rests on attention and nothing else."},
]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    with World(ROWS).serve() as world:
        for name, value in world.environment().items():
            monkeypatch.setenv(name, value)
        yield world


def kept(query: str) -> list[Passage]:
    corpus = open_knowledge_base(Settings.load()).corpus
    [found] = corpus.search_outside([query], limit=9, since=0.0, deadline=time.time() + 20)
    assert not corpus.search([query], limit=9, deadline=time.time() + 20)[0]
    return found


def test_pages_go_into_the_outside_collection_with_address_and_licence(veridic: Veridic, served: Served) -> None:
    shown = veridic("ingest", "wikipedia:alder_Bridge", "arXiv:1706.03762", "wikipedia:alder_Bridge")
    assert (shown.status, shown.out, shown.err) == (0, "2 kept\n", "")
    assert "1967" in kept("When did the toll of the Alder Bridge end?")[0]["text"]
    [paper, *_] = kept("What does the Transformer rest on?")
    assert "attention" in paper["text"]
    assert (paper["kind"], paper["source"]) == ("outside", "outside")
    assert paper["location"].endswith("CC0 1.0")
    assert paper["url"].startswith("http://arxiv.org/abs/1706.03762v1")


def test_once_more_renews_and_doubles_nothing(veridic: Veridic, served: Served) -> None:
    for _ in range(2):
        assert veridic("ingest", "wikipedia:Alder Bridge").out == "1 kept\n"
    assert len(kept("Alder Bridge toll opened")) == 2


def test_nothing_but_the_name_leaves(veridic: Veridic, served: Served) -> None:
    veridic("ingest", "wikipedia:Alder Bridge")
    assert {received.path for received in served.received} == {"/w/api.php"}
    assert {received.params["titles"] for received in served.received} == {"Alder Bridge"}


def test_what_cannot_be_had_is_one_line_and_the_rest_goes_in(veridic: Veridic, served: Served) -> None:
    shown = veridic("ingest", "wikipedia:Nowhere", "arxiv:x", "wikipedia:Mercury", "arxiv:1706.03762", str(EXAMPLES))
    assert shown.status == 1
    assert [line.partition(": ")[2].partition(": ")[0] for line in shown.err.splitlines()] == [
        "wikipedia:Nowhere",
        "arxiv:x",
        "wikipedia:Mercury",
    ]
    assert "Mercury (planet); Mercury (element)" in shown.err
    assert "1 kept" in shown.out
    assert "4 added" in shown.out


def test_a_place_that_is_out_is_named(veridic: Veridic, served: Served) -> None:
    served.behaviour = "bot_wall"
    shown = veridic("ingest", "wikipedia:Alder Bridge", "--quiet")
    assert (shown.status, shown.out) == (1, "")
    assert shown.err.startswith("veridic: wikipedia:Alder Bridge: 127.0.0.1 answered with status 403")


def test_where_nothing_is_kept_nothing_is_asked(
    veridic: Veridic, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDIC_OUTSIDE_DAYS", "0")
    shown = veridic("ingest", "wikipedia:Alder Bridge", str(EXAMPLES))
    assert shown.status == 2
    assert "outside_days is 0" in shown.err
    assert not served.received


def test_a_file_of_that_name_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wikipedia:notes").write_text("Mine.")
    known = ("wikipedia", "arxiv")
    assert page_named("WIKIPEDIA: a:b ", known) == Named("wikipedia", "a:b")
    assert [page_named(one, known) for one in ("wikipedia:notes", "./arxiv:x", "web:x", "wikipedia:")] == [None] * 4
