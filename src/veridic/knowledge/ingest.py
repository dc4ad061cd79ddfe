"""From files, or texts, into the knowledge base: what is new, changed, gone or unreadable."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridic.errors import DocumentMissing, DocumentUnreadable
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.intake import IngestReport, Intake, Item, Progress, Unreadable
from veridic.knowledge.readers import files
from veridic.knowledge.readers.model import ParsedDocument, clean
from veridic.knowledge.readers.plain import parse_text
from veridic.shapes import Kind

__all__ = ["IngestReport", "Progress", "Text", "Unreadable", "ingest", "ingest_texts"]


@dataclass(frozen=True)
class Text:
    """A document that does not come from a file."""

    url: str
    """What names it: the same url again replaces it."""
    title: str
    text: str
    media_type: str = "text/plain"
    lineage: dict[str, Any] = field(default_factory=dict)


def ingest(
    paths: Sequence[Path], corpus: Corpus, *, prune: bool = False, progress: Progress = lambda *_: None
) -> IngestReport:
    """Take in files and folders; one bad file never stops the rest.

    Unchanged files are known by their content's hash and skipped, changed ones replaced. With
    `prune` documents whose file is gone from under the given folders are removed. What was
    generated from a document goes when that changes or goes. Each document is stored in a
    transaction of its own. Raises `DocumentMissing` when none of the paths is there, and what
    `Corpus` raises.
    """
    report = IngestReport()
    roots = [path.expanduser().resolve() for path in paths]
    report.missing = [str(root) for root in roots if not root.exists()]
    if report.missing and len(report.missing) == len(roots):
        raise DocumentMissing(f"There is no {', '.join(report.missing)}.", "See that the path is written right.")
    found = _found(roots, report)
    Intake(corpus, "human", report, progress).run([_file_item(path) for path in found])
    for url in _gone(roots, corpus.content_hashes()) if prune else ():
        corpus.remove(url)
        report.pruned.append(url)
    corpus.save_index()
    return report


def ingest_texts(
    texts: Iterable[Text], corpus: Corpus, *, kind: Kind = "human", progress: Progress = lambda *_: None
) -> IngestReport:
    """Take in documents that are not files. Raises what `Corpus` raises."""
    report = IngestReport()
    Intake(corpus, kind, report, progress).run([_text_item(text) for text in texts])
    corpus.save_index()
    return report


def _file_item(path: Path) -> Item:
    return Item(
        url=str(path),
        name=path.name,
        media_type=files.media_type(path),
        content=lambda: files.load(path),
        parse=lambda content: files.parse(path, content),
    )


def _text_item(text: Text) -> Item:
    def parse(_: bytes) -> ParsedDocument:
        parsed = parse_text(clean(text.text))
        if not parsed.blocks:
            raise DocumentUnreadable("It is empty.", "Leave it out.")
        return ParsedDocument(" ".join(clean(text.title).split()), parsed.text, parsed.blocks)

    return Item(
        url=clean(text.url),
        name=text.title,
        media_type=text.media_type,
        content=lambda: f"{text.title}\0{text.text}".encode(errors="surrogatepass"),
        parse=parse,
        lineage=text.lineage,
    )


def _found(roots: Iterable[Path], report: IngestReport) -> list[Path]:
    """The files to read, each once, in the order given and then by name."""
    found: dict[Path, None] = {}
    for root in roots:
        for path in _walked(root) if root.is_dir() else [root] if root.exists() else []:
            if not _is_unicode(path):
                shown = os.fsencode(path).decode(errors="backslashreplace")
                report.unreadable.append(Unreadable(shown, "Its name is not valid Unicode. Rename it."))
            elif files.known(path) or path == root:
                found.setdefault(path)
            else:
                report.skipped.append(str(path))
    return list(found)


def _walked(folder: Path) -> Iterator[Path]:
    """Every file under a folder by name; hidden files and folders are left out, linked folders not entered."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(parent, name)


def _is_unicode(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _gone(roots: Iterable[Path], known: Iterable[str]) -> list[str]:
    """Urls of known documents whose file is no longer under one of the given folders."""
    folders = [root for root in roots if root.is_dir()]
    return [url for url in known if any(_under(url, folder) for folder in folders) and _is_gone(Path(url))]


def _under(url: str, folder: Path) -> bool:
    return Path(url).is_absolute() and Path(url).is_relative_to(folder)


def _is_gone(path: Path) -> bool:
    """Whether there is no such file; one that may not be looked at is not gone."""
    try:
        return not path.exists()
    except OSError:
        return False
