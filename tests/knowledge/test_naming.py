"""Which document is meant by what it is called."""

import time
from pathlib import Path

import pytest

from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import ingest


@pytest.mark.parametrize(
    ("name", "exactly", "file"),
    [
        ("bridge.md", True, "bridge.md"),
        ("docs/bridge.md", False, "bridge.md"),
        ("the Alder Bridge", True, "bridge.md"),
        ("Adler bridge", True, "bridge.md"),
        ("alder", False, "bridge.md"),
        ("alder", True, None),
        ("LIBRARY", True, "library.txt"),
        ("green tea", False, None),
        ("tea", True, "tea.md"),
        ("the", False, None),
    ],
)
def test_the_nearest_name_is_meant(
    knowledge: Knowledge, folder: Path, name: str, exactly: bool, file: str | None
) -> None:
    ingest([folder], knowledge.corpus)
    found = knowledge.corpus.opening(name, exactly=exactly, limit=9, deadline=time.time() + 20)
    assert {Path(passage["url"]).name for passage in found} == ({file} if file else set())


def test_the_first_passages_come_in_order(knowledge: Knowledge, folder: Path) -> None:
    ingest([folder], knowledge.corpus)
    found = knowledge.corpus.opening("tea", exactly=False, limit=9, deadline=time.time() + 20)
    assert [passage["text"] for passage in found] == ["Green tea is steamed.", "Black tea is oxidised."]
    assert knowledge.corpus.opening("tea", exactly=False, limit=1, deadline=time.time() + 20) == found[:1]
