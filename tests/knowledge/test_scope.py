"""Scopes over real files, links among them; and that a scope is never older than the store."""

from pathlib import Path

import pytest

from tests.knowledge.test_conformance import soon
from tests.knowledge.test_store import add
from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import ingest
from veridic.knowledge.vectors import DenseIndex


def seen(knowledge: Knowledge, *places: Path | str) -> list[str]:
    """File names in a scope."""
    held = knowledge.corpus.within([str(place) for place in places]).documents()
    return sorted(Path(one.url).name for one in held)


def test_links_are_followed(knowledge: Knowledge, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "elsewhere.txt").write_text("Coffee is roasted.")
    (folder / "linked.txt").symlink_to(tmp_path / "elsewhere.txt")
    ingest([tmp_path / "link"], knowledge.corpus)
    everything = ["bridge.md", "library.txt", "linked.txt", "tea.md"]
    assert seen(knowledge, folder) == seen(knowledge, tmp_path / "link") == everything
    assert seen(knowledge, tmp_path / "link" / "tea.md") == ["tea.md"]
    assert seen(knowledge, tmp_path / "link" / "linked.txt") == ["linked.txt"]


def test_a_relative_place_counts_from_here(knowledge: Knowledge, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest([folder], knowledge.corpus)
    monkeypatch.chdir(folder)
    assert seen(knowledge, ".") == ["bridge.md", "library.txt", "tea.md"]
    assert seen(knowledge, "tea.md", "./bridge.md") == ["bridge.md", "tea.md"]
    assert seen(knowledge, "") == []


@pytest.mark.parametrize("name", ["100%", "under_score", "it's", "a[b]", "ünïcode 桥", "*"])
def test_no_character_of_a_name_means_another(knowledge: Knowledge, tmp_path: Path, name: str) -> None:
    for part in (name, f"{name}x", "aab", "under-score", "1000"):
        (tmp_path / part).mkdir(exist_ok=True)
        (tmp_path / part / "note.txt").write_text(f"A note in {part}.")
    ingest([tmp_path], knowledge.corpus)
    [held] = knowledge.corpus.within([str(tmp_path / name)]).documents()
    assert held.url == str(tmp_path / name / "note.txt")


def test_a_view_sees_what_comes_and_what_goes(knowledge: Knowledge) -> None:
    view = knowledge.corpus.within(["/docs"])
    add(knowledge, "/docs/one", "The first note.")
    assert view.titles(limit=9, deadline=soon())[1] == 1
    add(knowledge, "/docs/two", "The second note.")
    assert len(view.search(["note"], limit=9, deadline=soon())[0]) == 2
    knowledge.corpus.remove("/docs/one")
    [[left]] = view.search(["note"], limit=9, deadline=soon())
    assert left["url"] == "/docs/two"


def test_of_the_whole_a_view_gives_what_the_whole_gives(knowledge: Knowledge, folder: Path) -> None:
    ingest([folder], knowledge.corpus)
    questions = ["green tea", "who opened the bridge", "books"]
    whole = knowledge.corpus.search(questions, limit=9, deadline=soon())
    assert knowledge.corpus.within([str(folder)]).search(questions, limit=9, deadline=soon()) == whole


def test_the_nearest_in_a_scope_are_told_by_the_index(knowledge: Knowledge, folder: Path) -> None:
    ingest([folder], knowledge.corpus)
    view = knowledge.corpus.within([str(folder / "tea.md")])
    index: DenseIndex = view._index
    vectors = knowledge.corpus.embedder.embed(["green", "black tea"])
    with knowledge.corpus.store.reading() as connection:
        members = view._scope.members(connection)
        assert members is not None
        found = index.search(connection, vectors, 9, members=members)
        best = index.search(connection, vectors, 1, members=members)
    assert [sorted(chunk for chunk, _ in near) for near in found] == [sorted(members.chunks)] * 2
    assert best == [near[:1] for near in found]
