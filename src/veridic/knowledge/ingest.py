"""From files, or texts, into the knowledge base: what is new, changed, gone or unreadable."""

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from veridic.errors import DocumentMissing, DocumentUnreadable
from veridic.knowledge import document_rows
from veridic.knowledge.connection import KnowledgeStore
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.intake import IngestReport, Intake, Item, Progress, Unreadable
from veridic.knowledge.readers import files
from veridic.knowledge.readers.model import ParsedDocument, one_line
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.readers.process import ReadingProcess
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean, storable

__all__ = ["IngestReport", "Progress", "Text", "Unreadable", "files_at", "ingest", "ingest_file", "ingest_texts"]


MADE = frozenset({"node_modules", "bower_components", "__pycache__"})
"""Names of folders that programs fill with what is not ours."""

MARKS = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})
"""Files that say the same of the folder that they are in."""


BLANK = 1000
"""Bytes of a file, at most, that is looked at for whether it holds white space alone."""


@dataclass(frozen=True)
class Text:
    """A document that does not come from a file."""

    url: str
    """What names it: the same url again replaces it."""
    title: str
    text: str


def ingest(
    paths: Sequence[Path],
    corpus: Corpus,
    *,
    prune: bool = False,
    limits: FileLimits = DEFAULT_LIMITS,
    progress: Progress = lambda *_: None,
) -> IngestReport:
    """Take in files and folders; one bad file, or one that is beyond the limits, never stops the rest.

    Unchanged files are known by their content's hash and skipped, changed ones replaced. Documents whose file is gone
    from a given path are named; with `prune` they are removed, also where the path itself is gone. What was
    generated from a document goes when that changes or goes. Each document is stored in a
    transaction of its own. Raises `DocumentMissing` when none of the paths is there, or can be pruned, and what
    `Corpus` raises.
    """
    report = IngestReport()
    found = files_at(paths, corpus.store, report, prune=prune)
    with closing(ReadingProcess(limits)) as reading:
        Intake(corpus, report, progress).run([_file_item(path, limits, reading) for path in found])
    if prune:
        report.pruned, report.gone = report.gone, []
        for url in report.pruned:
            report.withdrawn += corpus.remove(url)
    return report


def files_at(paths: Sequence[Path], store: KnowledgeStore, report: IngestReport, *, prune: bool = False) -> list[Path]:
    """The files at these paths that are to be read, absolute; what is passed over, gone or missing is in the report.

    Raises `DocumentMissing` as `ingest`.
    """
    roots = [path.expanduser().resolve() for path in paths]
    with store.reading() as connection:
        known = document_rows.urls_beneath(connection, map(str, roots))
    report.gone = [url for url in known if _is_gone(Path(url))]
    held = {str(path) for url in report.gone for path in (Path(url), *Path(url).parents)} if prune else set()
    report.missing = [str(root) for root in roots if not root.exists() and str(root) not in held]
    if report.missing and len(report.missing) == len(roots):
        raise _missing(report)
    return _found(roots, report, frozenset(known))


def ingest_file(
    path: Path, corpus: Corpus, reading: ReadingProcess, limits: FileLimits, progress: Progress
) -> IngestReport:
    """Take in one file, read by a process that is kept for the next one. Raises what `Corpus` raises."""
    report = IngestReport()
    Intake(corpus, report, progress).run([_file_item(path, limits, reading)])
    return report


def _missing(report: IngestReport) -> DocumentMissing:
    """The failure when nothing that was given is there."""
    problem = f"There is no {', '.join(report.missing)}."
    if not report.gone:
        return DocumentMissing(problem, "See that the path is written right.")
    held = "1 document is" if len(report.gone) == 1 else f"{len(report.gone):,} documents are"
    mend = "`veridic ingest --prune` with the same path removes what is gone."
    return DocumentMissing(f"{problem} {held} still held from there.", mend)


def ingest_texts(texts: Iterable[Text], corpus: Corpus, *, progress: Progress = lambda *_: None) -> IngestReport:
    """Take in documents that are not files. Raises what `Corpus` raises."""
    report = IngestReport()
    Intake(corpus, report, progress).run([_text_item(text) for text in texts])
    return report


def _file_item(path: Path, limits: FileLimits, reading: ReadingProcess) -> Item:
    return Item(
        url=str(path),
        name=path.name,
        media_type=files.media_type(path),
        content=lambda: files.load(path, limits),
        parse=lambda content: reading.parse(path, content),
    )


def _text_item(text: Text) -> Item:
    def parse(_: bytes) -> ParsedDocument:
        parsed = parse_text(clean(text.text))
        if not parsed.blocks:
            raise DocumentUnreadable("It is empty.", "Leave it out.")
        return ParsedDocument(one_line(text.title), parsed.text, parsed.blocks)

    return Item(
        url=clean(text.url),
        name=text.title,
        media_type="text/plain",
        content=lambda: f"{text.title}\0{text.text}".encode(errors="surrogatepass"),
        parse=parse,
    )


def _found(roots: Iterable[Path], report: IngestReport, known: Collection[str]) -> list[Path]:
    """The files to read, each once, in the order given and then by name; one that is empty only if it is `known`."""
    found: dict[Path, None] = {}
    for root in roots:
        for path in _walked(root, report) if root.is_dir() else [root] if root.exists() else []:
            if storable(str(path)) != str(path):
                shown = os.fsencode(path).decode(errors="backslashreplace")
                report.unreadable.append(Unreadable(shown, "Its name is not valid Unicode. Rename it."))
            elif _is_gone(path):
                report.skip(str(path), "It is a link to what is not there.")
            elif path == root or (files.known(path) and (str(path) in known or not _is_empty(path))):
                found.setdefault(path)
            else:
                report.skip(str(path), str(files.empty() if files.known(path) else files.unknown()))
    return list(found)


def _walked(folder: Path, report: IngestReport) -> Iterator[Path]:
    """Every file under a folder by name, in linked folders too, each folder once.

    Hidden files and folders are left out, and locks of open files; folders of what programs put there are named, and
    those that are closed to us.
    """

    def closed(error: OSError) -> None:
        why = f"{error.strerror}. See that you may read the folder."
        report.unreadable.append(Unreadable(str(error.filename), why))

    seen: set[str] = set()
    for parent, folders, names in os.walk(folder, onerror=closed, followlinks=True):
        if os.path.realpath(parent) in seen:
            folders.clear()
            continue
        seen.add(os.path.realpath(parent))
        if Path(parent) != folder and (Path(parent).name in MADE or MARKS & set(names)):
            report.skip(parent, "Programs keep their own there. Name the folder itself to read it.")
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(files.HIDDEN):
                yield Path(parent, name)


def _is_empty(path: Path) -> bool:
    try:
        found = path.stat()
        return stat.S_ISREG(found.st_mode) and found.st_size < BLANK and not path.read_bytes().strip()
    except OSError:
        return False


def _is_gone(path: Path) -> bool:
    """Whether there is no such file; one that may not be looked at is not gone."""
    try:
        return not path.exists()
    except OSError:
        return False
