"""Files into the knowledge base: new, unchanged, changed, gone, unreadable."""

import io
import json
import os
from dataclasses import asdict
from pathlib import Path

import pypdf
import pytest
from pypdf.generic import DictionaryObject, NameObject, StreamObject

from tests.fakes.statuses import give_status, sources_of
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import record, rests, soon
from tests.knowledge.test_readers import pdf
from tests.knowledge.test_store import urls
from veridic.errors import DocumentMissing
from veridic.knowledge import intake
from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import Text, ingest, ingest_texts
from veridic.knowledge.readers import plain
from veridic.ports.file_limits import FileLimits
from veridic.ports.shapes import Citation


def names(paths: list[str]) -> list[str]:
    return sorted(Path(path).name for path in paths)


def test_a_folder_goes_in(knowledge: Knowledge, folder: Path) -> None:
    told: list[tuple[int, int, str]] = []
    report = ingest([folder], knowledge.corpus, progress=lambda *step: told.append(step))
    assert names(report.added) == ["bridge.md", "library.txt", "tea.md"]
    assert [(done, of) for done, of, _ in told] == [(1, 3), (2, 3), (3, 3)]
    [[passage]] = knowledge.corpus.search(["who opened the alder bridge"], limit=1, deadline=soon())
    assert passage["url"] == str(folder / "bridge.md")
    assert (passage["title"], passage["heading"], passage["location"]) == ("Alder Bridge", "Alder Bridge", "line 3")
    [library] = [held for held in knowledge.corpus.documents() if held.url.endswith("library.txt")]
    assert (library.title, library.media_type, library.kind, library.status) == (
        "library",
        "text/plain",
        "human",
        "active",
    )


def test_a_document_is_found_by_id_and_by_path(
    knowledge: Knowledge, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([folder], knowledge.corpus)
    by_path = knowledge.corpus.document(str(folder / "tea.md"))
    assert knowledge.corpus.document(by_path.id) == by_path
    assert "Green tea is steamed." in by_path.text
    monkeypatch.chdir(folder)
    assert knowledge.corpus.document("tea.md") == by_path
    for reference in ("", "\0", "\ud800", "x" * 10_000, "%", "../tea.md"):
        with pytest.raises(DocumentMissing):
            knowledge.corpus.document(reference)


def test_only_what_changed_is_embedded_again(knowledge: Knowledge, folder: Path, opener: Opener) -> None:
    ingest([folder], knowledge.corpus)
    (folder / "tea.md").write_text("# Tea\n\nWhite tea is dried.\n")
    again = opener()
    report = ingest([folder], again.corpus)
    assert names(report.unchanged) == ["bridge.md", "library.txt"]
    assert names(report.replaced) == ["tea.md"]
    assert again.corpus.embedder.embedded == ["Tea\nWhite tea is dried."]  # type: ignore[attr-defined]
    texts = [passage["text"] for passage in again.corpus.search(["tea"], limit=9, deadline=soon())[0]]
    assert "White tea is dried." in texts
    assert "Green tea is steamed." not in texts
    assert again.corpus.status().documents == 3


def test_a_change_of_reading_replaces_what_it_changes_alone(
    knowledge: Knowledge, folder: Path, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "hidden.txt").write_text("The mill\u202e stands.")
    with monkeypatch.context() as before:
        before.setattr(intake, "RECIPE", "1")
        before.setattr(plain, "clean", lambda text: text)
        ingest([folder], knowledge.corpus)
    [[bridge]] = knowledge.corpus.search(["alder bridge"], limit=1, deadline=soon())
    learned = knowledge.corpus.remember(record(sources=[rests(bridge)]), deadline=soon())
    again = opener()
    report = ingest([folder], again.corpus)
    assert names(report.unchanged) == ["bridge.md", "library.txt", "tea.md"]
    assert (names(report.replaced), report.withdrawn) == (["hidden.txt"], [])
    assert again.corpus.embedder.embedded == ["hidden\nThe mill stands."]  # type: ignore[attr-defined]
    assert again.corpus.document(str(folder / "hidden.txt")).text == "The mill stands."
    assert again.corpus.document(learned).status == "active"
    assert names(ingest([folder], opener().corpus).unchanged) == ["bridge.md", "hidden.txt", "library.txt", "tea.md"]


def test_a_renamed_file_is_another_document(knowledge: Knowledge, folder: Path) -> None:
    ingest([folder], knowledge.corpus)
    (folder / "tea.md").rename(folder / "infusions.md")
    report = ingest([folder], knowledge.corpus, prune=True)
    assert names(report.added) == ["infusions.md"]
    assert names(report.pruned) == ["tea.md"]
    assert knowledge.corpus.status().documents == 3


def test_what_is_gone_stays_until_pruned(knowledge: Knowledge, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("Coffee is roasted.")
    ingest([folder, elsewhere], knowledge.corpus)
    (folder / "tea.md").unlink()
    elsewhere.unlink()
    assert ingest([folder], knowledge.corpus).pruned == []
    assert str(folder / "tea.md") in urls(knowledge, "green tea")
    assert names(ingest([folder], knowledge.corpus, prune=True).pruned) == ["tea.md"]
    assert str(folder / "tea.md") not in urls(knowledge, "green tea")
    assert knowledge.corpus.document(str(elsewhere)).title == "elsewhere"
    assert names(ingest([elsewhere], knowledge.corpus, prune=True).pruned) == ["elsewhere.txt"]
    with pytest.raises(DocumentMissing):
        ingest([elsewhere], knowledge.corpus, prune=True)


def test_what_is_gone_is_named(knowledge: Knowledge, folder: Path) -> None:
    ingest([folder], knowledge.corpus)
    (folder / "tea.md").unlink()
    report = ingest([folder], knowledge.corpus)
    assert (names(report.gone), report.pruned) == (["tea.md"], [])
    report = ingest([folder], knowledge.corpus, prune=True)
    assert (report.gone, names(report.pruned)) == ([], ["tea.md"])


def test_a_folder_that_is_gone_is_pruned_whole(knowledge: Knowledge, folder: Path, tmp_path: Path) -> None:
    near = tmp_path / "docs2"
    near.mkdir()
    (near / "coffee.txt").write_text("Coffee is roasted.")
    ingest([folder, near], knowledge.corpus)
    folder.rename(tmp_path / "moved")
    with pytest.raises(DocumentMissing, match=r"3 documents are still held from there.*--prune"):
        ingest([folder], knowledge.corpus)
    both = ingest([folder, near], knowledge.corpus)
    assert (both.missing, len(both.gone), names(both.unchanged)) == ([str(folder)], 3, ["coffee.txt"])
    pruned = ingest([folder], knowledge.corpus, prune=True)
    assert names(pruned.pruned) == ["bridge.md", "library.txt", "tea.md"]
    assert (pruned.missing, pruned.gone) == ([], [])
    assert [held.title for held in knowledge.corpus.documents()] == ["coffee"]
    assert urls(knowledge, "green tea") == [str(near / "coffee.txt")]


def test_pruning_leaves_texts_that_were_never_files(knowledge: Knowledge, folder: Path) -> None:
    ingest_texts([Text(url="wiki:Tea", title="Tea", text="Tea is a drink.")], knowledge.corpus)
    assert ingest([folder], knowledge.corpus, prune=True).pruned == []
    assert knowledge.corpus.document("wiki:Tea").title == "Tea"


def test_bad_files_are_told_and_the_rest_is_in(knowledge: Knowledge, folder: Path) -> None:
    bad = {
        "binary.txt": b"\x00\x01\x02" * 50,
        "corrupt.pdf": b"%PDF-1.7\nnothing follows",
        "renamed.pdf": b"this is not a pdf",
        "corrupt.docx": b"PK\x03\x04 and nothing",
        "old.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100,
        "void.html": b"<html><body><script>1</script></body></html>",
    }
    for name, content in bad.items():
        (folder / name).write_bytes(content)
    (folder / "sound.wav").write_bytes(b"RIFF")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "blank.md").write_bytes(b" \n\n")
    (folder / "~$plan.docx").write_bytes(b"lock")
    (folder / ".hidden.txt").write_text("secret")
    (folder / ".git").mkdir()
    (folder / ".git" / "note.txt").write_text("secret")
    (folder / "loop").symlink_to(folder)
    (folder / "dangling.txt").symlink_to(folder / "nowhere")
    report = ingest([folder], knowledge.corpus)
    assert names(report.added) == ["bridge.md", "library.txt", "tea.md"]
    assert names([problem.path for problem in report.unreadable]) == sorted(bad)
    assert names(report.skipped) == ["blank.md", "dangling.txt", "empty.txt", "sound.wav"]
    assert "empty" in report.reasons[str(folder / "blank.md")]
    assert "link to what is not there" in report.reasons[str(folder / "dangling.txt")]
    assert "kind is unknown" in report.reasons[str(folder / "sound.wav")]
    reasons = {Path(problem.path).name: problem.reason for problem in report.unreadable}
    assert "binary" in reasons["binary.txt"]
    assert all(reason.count(". ") >= 1 for reason in reasons.values()), reasons


def test_a_file_in_another_encoding_is_in_and_that_is_said(knowledge: Knowledge, tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes("Die Brücke wurde für große Schiffe geöffnet.".encode("latin-1"))
    for _ in range(2):
        report = ingest([tmp_path], knowledge.corpus)
        assert "in the encoding cp1252" in report.partly[0].reason
    assert names(report.unchanged) == ["latin.txt"]


def test_linked_folders_are_read_once_and_what_programs_fill_is_left_out(knowledge: Knowledge, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    folder = tmp_path / "folder"
    for at in (elsewhere, folder, folder / "node_modules" / "left-pad", folder / "env" / "lib", folder / "cache"):
        at.mkdir(parents=True)
        (at / "note.md").write_text(f"The {at.name} is open.")
    (folder / "env" / "pyvenv.cfg").write_text("home = /usr")
    (folder / "cache" / "CACHEDIR.TAG").write_text("Signature")
    for name in ("one", "two"):
        (folder / name).symlink_to(elsewhere)
    (elsewhere / "back").symlink_to(folder)
    report = ingest([folder], knowledge.corpus)
    assert report.added == [str(folder / "note.md"), str(folder / "one" / "note.md")]
    assert names(report.skipped) == ["cache", "env", "node_modules"]
    assert not report.unreadable
    assert names(ingest([folder / "node_modules"], knowledge.corpus).added) == ["note.md"]


def test_a_file_of_unknown_kind_that_is_named_is_told(knowledge: Knowledge, tmp_path: Path) -> None:
    (tmp_path / "sheet.xyz").write_bytes(b"PK")
    [problem] = ingest([tmp_path / "sheet.xyz"], knowledge.corpus).unreadable
    assert "kind is unknown" in problem.reason


def test_a_file_that_is_too_large_is_told(knowledge: Knowledge, folder: Path) -> None:
    (folder / "large.txt").write_text("x" * 1001)
    report = ingest([folder], knowledge.corpus, limits=FileLimits(bytes=1000))
    assert "VERIDIC_FILE_BYTES" in report.unreadable[0].reason
    assert len(report.added) == 3


def test_a_folder_that_is_closed_is_named(knowledge: Knowledge, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = folder / "private"
    closed.mkdir()
    listing = os.scandir

    def scandir(path: str) -> object:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return listing(path)

    monkeypatch.setattr(os, "scandir", scandir)
    report = ingest([folder], knowledge.corpus)
    assert names(report.added) == ["bridge.md", "library.txt", "tea.md"]
    [problem] = report.unreadable
    assert (problem.path, problem.reason) == (str(closed), "Permission denied. See that you may read the folder.")


def test_an_unreadable_change_keeps_the_old_document(knowledge: Knowledge, folder: Path) -> None:
    ingest([folder], knowledge.corpus)
    (folder / "tea.md").write_bytes(b"")
    report = ingest([folder], knowledge.corpus, prune=True)
    assert names([problem.path for problem in report.unreadable]) == ["tea.md"]
    assert str(folder / "tea.md") in urls(knowledge, "green tea")


def test_names_that_are_not_unicode_and_pipes(knowledge: Knowledge, folder: Path) -> None:
    (Path(os.fsdecode(os.fsencode(folder) + b"/gr\xf6sse.txt"))).write_text("text")
    os.mkfifo(folder / "pipe.txt")
    report = ingest([folder], knowledge.corpus)
    assert len(report.added) == 3
    assert [Path(problem.path).name for problem in report.unreadable] == ["gr\\xf6sse.txt", "pipe.txt"]


def test_a_long_document_tells_its_pieces(knowledge: Knowledge, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("\n\n".join("word " * 150 for _ in range(150)))
    told: list[tuple[int, int, str]] = []
    ingest([tmp_path / "long.txt"], knowledge.corpus, progress=lambda *step: told.append(step))
    assert told == [
        (0, 1, "long.txt (64 of 150 pieces)"),
        (0, 1, "long.txt (128 of 150 pieces)"),
        (1, 1, "long.txt"),
    ]


def test_a_missing_path(knowledge: Knowledge, folder: Path) -> None:
    with pytest.raises(DocumentMissing, match="nowhere"):
        ingest([folder / "nowhere"], knowledge.corpus)
    report = ingest([folder / "nowhere", folder], knowledge.corpus)
    assert report.missing == [str(folder / "nowhere")]
    assert len(report.added) == 3


def test_a_path_given_twice_is_read_once(knowledge: Knowledge, folder: Path) -> None:
    report = ingest([folder, folder / "tea.md", folder], knowledge.corpus)
    assert len(report.added) == 3


def test_texts_go_in_without_files(knowledge: Knowledge) -> None:
    texts = [
        Text(url="q1", title="One \ud800", text="Alpha\r\nbeta.\0 Gamma."),
        Text(url="q2", title="Two", text="  \n "),
    ]
    report = ingest_texts(texts, knowledge.corpus)
    assert report.added == ["q1"]
    assert [problem.path for problem in report.unreadable] == ["q2"]
    assert knowledge.corpus.document("q1").text == "Alpha\nbeta. Gamma."
    assert ingest_texts(texts[:1], knowledge.corpus).unchanged == ["q1"]
    assert ingest_texts([Text(url="q1", title="One", text="Delta.")], knowledge.corpus).replaced == ["q1"]


def test_more_chunks_than_a_batch(knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridic.knowledge.intake.BATCH_CHUNKS", 3)
    texts = [Text(url=str(number), title="t", text=f"word{number} " * 300) for number in range(7)]
    report = ingest_texts(texts, knowledge.corpus)
    assert report.added == [str(number) for number in range(7)]
    for number in range(7):
        assert urls(knowledge, f"word{number}")[0] == str(number)


class TestLineage:
    """A generated record goes with what it rests on."""

    @pytest.fixture
    def rested(self, knowledge: Knowledge, folder: Path) -> str:
        """The id of a record that rests on bridge.md, and has another one resting on it."""
        ingest([folder], knowledge.corpus)
        first = knowledge.corpus.remember(record(sources=[self.citation(knowledge, folder)]), deadline=soon())
        resting = Citation(**{**self.citation(knowledge, folder), "document_id": first, "kind": "generated"})
        knowledge.corpus.remember(record(run_id="run-2", sources=[resting]), deadline=soon())
        assert knowledge.corpus.status().generated_chunks == 2
        return first

    def citation(self, knowledge: Knowledge, folder: Path) -> Citation:
        held = knowledge.corpus.document(str(folder / "bridge.md"))
        return Citation(
            document_id=held.id,
            kind="human",
            title=held.title,
            url=held.url,
            location="line 3",
            start=14,
            end=30,
            quote=held.text[14:30],
            retrieved_at=held.ingested_at,
        )

    def test_it_is_kept(self, knowledge: Knowledge, folder: Path, rested: str) -> None:
        assert sources_of(knowledge.corpus, rested) == [self.citation(knowledge, folder)]
        held = knowledge.corpus.document(rested)
        assert held.lineage == {"run_id": "run-1", "question": record().question, "scores": {"grounding": 0.9}}
        ingest([folder], knowledge.corpus, prune=True)
        assert knowledge.corpus.status().generated_chunks == 2

    @pytest.mark.parametrize("end", ["changed", "gone"])
    def test_it_goes_with_its_source(self, knowledge: Knowledge, folder: Path, rested: str, end: str) -> None:
        if end == "changed":
            (folder / "bridge.md").write_text("# Alder Bridge\n\nIt was opened in 1933.\n")
        else:
            (folder / "bridge.md").unlink()
        report = ingest([folder], knowledge.corpus, prune=True)
        assert sorted(report.withdrawn) == sorted(one.id for one in knowledge.corpus.documents(kind="generated"))
        assert knowledge.corpus.status().generated_chunks == 0
        assert [one.status for one in knowledge.corpus.documents(kind="generated")].count("withdrawn") == 2
        assert rested not in [
            passage["document_id"] for passage in knowledge.corpus.search(["voss"], limit=9, deadline=soon())[0]
        ]
        assert sources_of(knowledge.corpus, rested)

    def test_a_rejected_one_stays_rejected(self, knowledge: Knowledge, folder: Path, rested: str) -> None:
        give_status(knowledge.corpus, rested, "rejected")
        (folder / "bridge.md").unlink()
        ingest([folder], knowledge.corpus, prune=True)
        assert knowledge.corpus.document(rested).status == "rejected"

    def test_one_whose_source_went_meanwhile_is_withdrawn(self, knowledge: Knowledge, folder: Path) -> None:
        ingest([folder], knowledge.corpus)
        source = self.citation(knowledge, folder)
        knowledge.corpus.remove(source["url"])
        identifier = knowledge.corpus.remember(record(sources=[source]), deadline=soon())
        assert knowledge.corpus.document(identifier).status == "withdrawn"
        assert knowledge.corpus.status().generated_chunks == 0

    def test_approval_makes_it_found(self, knowledge: Knowledge) -> None:
        identifier = knowledge.corpus.remember(record(status="review", text="Ferries crossed."), deadline=soon())
        give_status(knowledge.corpus, identifier, "active")
        assert knowledge.corpus.search(["ferries"], limit=1, deadline=soon())[0][0]["document_id"] == identifier
        give_status(knowledge.corpus, identifier, "rejected")
        assert knowledge.corpus.search(["ferries"], limit=1, deadline=soon()) == [[]]
        with pytest.raises(DocumentMissing):
            give_status(knowledge.corpus, "nothing", "active")


def test_what_is_read_in_part_is_told_each_time(knowledge: Knowledge, folder: Path) -> None:
    (folder / "scan.pdf").write_bytes(with_picture("The bridge was opened in 1932."))
    for outcome in ("added", "unchanged"):
        report = ingest([folder], knowledge.corpus)
        assert str(folder / "scan.pdf") in getattr(report, outcome)
        [left] = report.partly
        assert left.reason == "1 page has no text layer: run text recognition first, for example `ocrmypdf`."


def test_the_report_is_json_and_every_skipped_file_has_its_reason(knowledge: Knowledge, folder: Path) -> None:
    for name in ("sound.wav", "logo.png"):
        (folder / name).write_bytes(b"x")
    told = json.loads(json.dumps(asdict(ingest([folder], knowledge.corpus))))
    assert names(told["skipped"]) == ["logo.png", "sound.wav"]
    assert set(told["reasons"]) == set(told["skipped"])


def with_picture(text: str) -> bytes:
    """A PDF of a page with text and a page that is a picture and nothing else."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(text)))
    page = writer.add_blank_page(200, 200)
    picture = StreamObject()
    picture.update({NameObject("/Type"): NameObject("/XObject"), NameObject("/Subtype"): NameObject("/Image")})
    drawn = DictionaryObject({NameObject("/Im0"): writer._add_object(picture)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): drawn})
    held = io.BytesIO()
    writer.write(held)
    return held.getvalue()
