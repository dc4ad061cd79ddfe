"""From files, or texts, into the knowledge base: what is new, changed, gone or unreadable."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veridic.errors import DocumentMissing, DocumentUnreadable
from veridic.knowledge.chunking import chunked
from veridic.knowledge.clock import now
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.documents import Chunk, Document, document_id
from veridic.knowledge.readers import files
from veridic.knowledge.readers.model import ParsedDocument, clean
from veridic.knowledge.readers.plain import parse_text
from veridic.state import Kind

Progress = Callable[[int, int, str], None]
"""Called with how many files are done, how many there are, and the name of the last one."""

BATCH_CHUNKS = 64
"""Chunks that are embedded together."""

RECIPE = "1"
"""Raised when reading or chunking changes, so that unchanged files are read again."""


@dataclass(frozen=True)
class Unreadable:
    """A file that did not go in."""

    path: str
    reason: str
    """Why, and what to do."""


@dataclass
class IngestReport:
    """What became of each file; all are absolute paths, or urls of texts."""

    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    """Found in a folder, of a kind that is not read."""
    missing: list[str] = field(default_factory=list)
    """Given, but not there."""


@dataclass(frozen=True)
class Text:
    """A document that does not come from a file."""

    url: str
    """What names it: the same url again replaces it."""
    title: str
    text: str
    media_type: str = "text/plain"
    lineage: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Item:
    """One thing to take in: how to get its bytes' hash and how to parse it."""

    url: str
    name: str
    content: Callable[[], bytes]
    parse: Callable[[bytes], ParsedDocument]
    media_type: str
    lineage: dict[str, Any]


def ingest(
    paths: Sequence[Path], corpus: Corpus, *, prune: bool = False, progress: Progress = lambda *_: None
) -> IngestReport:
    """Take in files and folders; one bad file never stops the rest.

    Unchanged files are skipped by their content's hash, changed ones replaced. With `prune`
    documents whose file is gone from under the given paths are removed, and so are the
    generated records' claims on them. Each document is stored in a transaction of its own.
    Raises `DocumentMissing` when none of the paths is there, and what `Corpus` raises.
    """
    report = IngestReport()
    roots = [path.expanduser().resolve() for path in paths]
    known = corpus.content_hashes()
    gone = _gone(roots, known) if prune else []
    report.missing = [str(root) for root in roots if not root.exists() and not any(_under(url, root) for url in gone)]
    if report.missing and len(report.missing) == len(roots):
        raise DocumentMissing(f"There is no {', '.join(report.missing)}.", "See that the path is written right.")
    found = _found(roots, report)
    _take_in([_file_item(path) for path in found], corpus, report, "human", known, progress)
    for url in gone:
        corpus.remove(url)
        report.pruned.append(url)
    corpus.save_index()
    return report


def ingest_texts(
    texts: Iterable[Text], corpus: Corpus, *, kind: Kind = "human", progress: Progress = lambda *_: None
) -> IngestReport:
    """Take in documents that are not files. Raises what `Corpus` raises."""
    report = IngestReport()
    items = [_text_item(text) for text in texts]
    _take_in(items, corpus, report, kind, corpus.content_hashes(), progress)
    corpus.save_index()
    return report


def _take_in(
    items: Sequence[_Item],
    corpus: Corpus,
    report: IngestReport,
    kind: Kind,
    known: dict[str, str],
    progress: Progress,
) -> None:
    """Read, embed in batches and store; `progress` is called when an item is stored or put aside."""
    waiting: list[tuple[Document, list[Chunk]]] = []
    done = 0

    def store() -> None:
        nonlocal done
        for prepared in corpus.prepare(waiting):
            url = prepared.document.url
            corpus.add(prepared)
            (report.replaced if url in known else report.added).append(url)
            done += 1
            progress(done, len(items), prepared.document.title)
        waiting.clear()

    for item in items:
        read = _read(item, corpus.namespace, kind, known, report)
        if read is None:
            done += 1
            progress(done, len(items), item.name)
            continue
        waiting.append(read)
        if sum(len(chunks) for _, chunks in waiting) >= BATCH_CHUNKS:
            store()
    store()


def _read(
    item: _Item, namespace: str, kind: Kind, known: dict[str, str], report: IngestReport
) -> tuple[Document, list[Chunk]] | None:
    """The document and its chunks; None, and a line in the report, when there is nothing to store."""
    try:
        content = item.content()
        content_hash = f"{RECIPE}:{hashlib.sha256(content).hexdigest()}"
        if known.get(item.url) == content_hash:
            report.unchanged.append(item.url)
            return None
        parsed = item.parse(content)
    except DocumentUnreadable as error:
        report.unreadable.append(Unreadable(item.url, str(error)))
        return None
    document = Document(
        id=document_id(namespace, item.url),
        kind=kind,
        status="active",
        title=parsed.title,
        url=item.url,
        media_type=item.media_type,
        content_hash=content_hash,
        text=parsed.text,
        ingested_at=now(),
        lineage=item.lineage,
    )
    return document, chunked(parsed)


def _file_item(path: Path) -> _Item:
    return _Item(
        url=str(path),
        name=path.name,
        content=lambda: files.load(path),
        parse=lambda content: files.parse(path, content),
        media_type=files.media_type(path) if files.known(path) else "",
        lineage={},
    )


def _text_item(text: Text) -> _Item:
    def parse(_: bytes) -> ParsedDocument:
        parsed = parse_text(clean(text.text))
        if not parsed.blocks:
            raise DocumentUnreadable("It is empty.", "Leave it out.")
        return ParsedDocument(" ".join(clean(text.title).split()), parsed.text, parsed.blocks)

    return _Item(
        url=text.url,
        name=text.title,
        content=lambda: f"{text.title}\0{text.text}".encode(errors="surrogatepass"),
        parse=parse,
        media_type=text.media_type,
        lineage=text.lineage,
    )


def _found(roots: Iterable[Path], report: IngestReport) -> list[Path]:
    """The files to read, each once, in the order given and then by name."""
    found: dict[Path, None] = {}
    for root in roots:
        if root.is_dir():
            for path in _walked(root):
                if files.known(path):
                    found.setdefault(path)
                else:
                    report.skipped.append(str(path))
        elif root.exists():
            found.setdefault(root)
    return list(found)


def _walked(folder: Path) -> Iterator[Path]:
    """Every file under a folder by name, hidden files and folders left out, links not followed out of it."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(parent, name)


def _gone(roots: Iterable[Path], known: Iterable[str]) -> list[str]:
    """Urls of known documents that lie under the given paths and are no longer there."""
    return [url for url in known if any(_under(url, root) for root in roots) and not Path(url).exists()]


def _under(url: str, root: Path) -> bool:
    return Path(url).is_absolute() and Path(url).is_relative_to(root)
