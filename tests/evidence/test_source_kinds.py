"""What kind of text a passage is."""

import pytest

from tests.fakes.knowledge import passage
from veridic.evidence.source_kinds import is_table, source_kind, source_kinds
from veridic.ports.shapes import Passage, SourceKind

TABLE = "| span | metres | year |\n|---|---|---|\n| north | 412 | 1932 |"


def found(source: str, url: str = "") -> Passage:
    return Passage(**{**passage("d", "It is long.", kind="outside"), "source": source, "url": url})


@pytest.mark.parametrize(
    ("source", "url", "kind"),
    [
        ("corpus", "notes.md", "corpus"),
        ("wikipedia", "https://en.wikipedia.org/wiki/Bridge", "encyclopaedia"),
        ("arxiv", "http://arxiv.org/abs/1", "abstract"),
        ("outside", "https://pubmed.ncbi.nlm.nih.gov/1", "abstract"),
        ("web", "https://en.wikipedia.org/wiki/Bridge", "web page"),
        ("outside", "https://en.wikipedia.org/wiki/Bridge", "encyclopaedia"),
        ("outside", "https://notwikipedia.org/", "web page"),
        ("outside", "", "web page"),
    ],
)
def test_it_follows_from_where_it_is_from(source: str, url: str, kind: SourceKind) -> None:
    assert source_kind(found(source, url)) == kind


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (TABLE, True),
        ("name\tmetres\tyear\nAlder\t412\t1932", True),
        ("The bridge is long. It | is | old.", False),
        (f"{TABLE}\nThe bridge\nis long\nand old\nand red\nand steep.", False),
        ("a | b\nc | d", False),
        ("", False),
    ],
)
def test_a_table_is_known_by_most_of_its_lines(text: str, held: bool) -> None:
    assert is_table(text) is held
    assert (source_kind(passage("d", text)) == "table") is held


def test_each_kind_is_named_once_in_order() -> None:
    assert source_kinds([found("web"), found("corpus"), found("web")]) == ["web page", "corpus"]
