"""A document's life, from Python."""

from pathlib import Path

import pytest

import veridic
from veridic.errors import DocumentMissing, UsageError
from veridic.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(kb=str(tmp_path / "kb.sqlite"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "mill.txt").write_text("The mill was built in 1820.")
    (folder / "ferry.txt").write_text("The ferry crosses twice a day.")
    (folder / "plan.dwg").write_bytes(b"\x89PNG")
    return folder


def test_documents_are_taken_in_listed_and_removed(settings: Settings, folder: Path) -> None:
    report = veridic.ingest(folder, settings=settings)
    assert isinstance(report, veridic.IngestReport)
    assert (len(report.added), [Path(path).name for path in report.skipped]) == (2, ["plan.dwg"])
    held = veridic.list_documents(settings=settings)
    assert [(one.title, one.status) for one in held] == [("ferry", "active"), ("mill", "active")]
    assert [one.title for one in veridic.list_documents(settings=settings, under=folder / "mill.txt")] == ["mill"]
    assert veridic.list_documents(settings=settings, under=[]) == []
    gone = veridic.remove(held[0].id, "nothing", settings=settings)
    assert (gone.removed, gone.withdrawn, gone.unknown) == ([held[0]], [], ["nothing"])
    assert veridic.list_documents(settings=settings, under=[str(folder), "nothing"]) == held[1:]


def test_a_list_of_paths_is_refused_by_name(settings: Settings, folder: Path) -> None:
    with pytest.raises(UsageError, match="A list is no path"):
        veridic.ingest([folder], settings=settings)  # type: ignore[arg-type] # as a newcomer calls it


def test_what_is_gone_is_pruned(settings: Settings, folder: Path) -> None:
    veridic.ingest(str(folder), settings=settings)
    folder.rename(folder.with_name("moved"))
    with pytest.raises(DocumentMissing):
        veridic.ingest(folder, settings=settings)
    assert len(veridic.ingest(folder, settings=settings, prune=True).pruned) == 2
    assert veridic.list_documents(settings=settings) == []


def test_without_settings_the_process_s_own_hold(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_KB", str(tmp_path / "own.sqlite"))
    veridic.ingest(folder)
    assert len(veridic.list_documents()) == 2
    assert (tmp_path / "own.sqlite").exists()


def test_the_bound_of_the_settings_is_filled_once_and_asked_alone(settings: Settings, folder: Path) -> None:
    (folder.parent / "other.txt").write_text("The mill was built in 1711.")
    veridic.ingest(folder.parent / "other.txt", settings=settings)
    bounded = settings.model_copy(update={"docs": str(folder)})
    for _ in range(2):
        knowledge = veridic.open_resources(bounded).knowledge
        assert knowledge.titles(limit=9, deadline=float("inf")) == (["ferry", "mill"], 2)
        assert knowledge.within([str(folder.parent)]).titles(limit=9, deadline=float("inf"))[1] == 2
    assert len(veridic.list_documents(settings=settings)) == 3


def test_a_bound_that_is_not_there_is_told_by_its_setting(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(DocumentMissing, match="VERIDIC_DOCS"):
        veridic.open_resources(settings.model_copy(update={"docs": str(tmp_path / "nowhere")}))
