"""Following a folder, driven by batches of changes that are handed in."""

from pathlib import Path

import pytest

from tests.knowledge.test_ingest import names
from tests.knowledge.test_store import urls
from veridic.errors import DocumentMissing
from veridic.knowledge import ingest
from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import followed
from veridic.ports.file_limits import FileLimits


@pytest.mark.parametrize("prune", [False, True])
def test_what_changes_is_taken_in_and_the_rest_is_not_read(knowledge: Knowledge, folder: Path, prune: bool) -> None:
    batches = iter([set(), {str(folder / "tea.md")}, {str(folder / "new" / "coffee.txt"), str(folder / "new")}, set()])
    reports = followed([folder], knowledge.corpus, batches, prune=prune, limits=FileLimits())
    assert len(next(reports).added) == 3
    (folder / "tea.md").write_text("# Tea\n\nWhite tea is dried.\n")
    report = next(reports)
    assert (names(report.replaced), report.unchanged) == (["tea.md"], [])
    (folder / "new").mkdir()
    (folder / "new" / "coffee.txt").write_text("Coffee is roasted.")
    assert names(next(reports).added) == ["coffee.txt"]
    assert next(reports, None) is None


def test_with_prune_what_goes_is_removed_and_without_it_stays(knowledge: Knowledge, folder: Path) -> None:
    for prune in (False, True):
        batches = iter([set(), {str(folder / "tea.md"), str(folder / "never.md")}])
        reports = followed([folder], knowledge.corpus, batches, prune=prune, limits=FileLimits())
        (folder / "tea.md").write_text("# Tea\n\nGreen tea is steamed.\n")
        next(reports)
        (folder / "tea.md").unlink()
        told = [name for report in reports for name in names(report.pruned)]
        assert told == (["tea.md"] if prune else [])
        assert (str(folder / "tea.md") in urls(knowledge, "green tea")) is not prune


def test_a_file_read_while_it_is_written_is_read_again_and_a_bad_one_ends_nothing(
    knowledge: Knowledge, folder: Path
) -> None:
    half = folder / "half.json"
    reports = followed([folder], knowledge.corpus, iter([set(), *[{str(half)}] * 2]), prune=True, limits=FileLimits())
    next(reports)
    half.write_text('{"bridge": ')
    assert names([problem.path for problem in next(reports).unreadable]) == ["half.json"]
    half.write_text('{"bridge": "Alder"}')
    assert names(next(reports).added) == ["half.json"]
    assert knowledge.corpus.document(str(half)).text == "bridge is Alder."


def test_what_is_hidden_elsewhere_or_of_no_known_kind_is_nothing(knowledge: Knowledge, folder: Path) -> None:
    for name in (".hidden.md", ".git/note.md", "sound.wav"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("Secret.")
    batch = {str(folder / ".hidden.md"), str(folder / ".git/note.md"), str(folder / "sound.wav"), "/elsewhere.md"}
    reports = followed([folder], knowledge.corpus, iter([set(), batch]), prune=True, limits=FileLimits())
    next(reports)
    assert next(reports, None) is None


def test_what_is_not_there_at_the_beginning_is_said(knowledge: Knowledge, tmp_path: Path) -> None:
    with pytest.raises(DocumentMissing):
        next(followed([tmp_path / "no"], knowledge.corpus, iter([set()]), prune=False, limits=FileLimits()))


def test_the_system_tells_of_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "HEARTBEAT_MS", 10)
    monkeypatch.setattr(ingest, "QUIET_MS", 10)
    batches = ingest.watched([folder])
    assert next(batches) == set()
    (folder / "tea.md").write_text("# Tea\n\nWhite tea is dried.\n")
    assert str(folder / "tea.md") in next(batch for batch in batches if batch)
