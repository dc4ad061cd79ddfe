"""Reading, embedding and storing documents one after another, whatever they come from."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import takewhile
from threading import Event
from typing import Any, TypeVar

from veridic.errors import DocumentUnreadable
from veridic.knowledge.chunking import chunked
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.document_rows import Chunk, Document, document_id
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.store import now
from veridic.ports.shapes import Kind

T = TypeVar("T")

Progress = Callable[[int, int, str], None]
"""Called with how many documents are done, how many there are, and the name of the last one."""

BATCH_CHUNKS = 64
"""Chunks that are embedded together."""

RECIPE = "13"
"""Raised when reading or chunking changes, so that unchanged files are read again; what comes out the same stays."""

PARTLY = f"{RECIPE}-partly"
"""Of what was read but for a part: it is read again each time, as what it lacked may be there."""


@dataclass(frozen=True)
class Unreadable:
    """A document that did not go in, or not whole."""

    path: str
    reason: str
    """Why, and what to do."""


@dataclass
class IngestReport:
    """What became of each document; all are absolute paths, or urls of texts."""

    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    pruned: list[str] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    """Found in a folder, of a kind that is not read."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Of each that is skipped: why, and what to do."""
    partly: list[Unreadable] = field(default_factory=list)
    """Taken in, now or before, but for a part: which, and what to do."""
    missing: list[str] = field(default_factory=list)
    """Given, but neither there nor known."""
    gone: list[str] = field(default_factory=list)
    """Held, though their file is gone from what was given; with `prune` they are in `pruned`."""
    withdrawn: list[str] = field(default_factory=list)
    """Ids of the generated records that rested on what was replaced or pruned."""

    def skip(self, path: str, reason: str) -> None:
        """Add one that is skipped."""
        self.skipped.append(path)
        self.reasons[path] = reason


@dataclass(frozen=True)
class Item:
    """One document to take in; `content` and `parse` may raise `DocumentUnreadable`."""

    url: str
    name: str
    media_type: str
    content: Callable[[], bytes]
    parse: Callable[[bytes], ParsedDocument]
    lineage: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Read:
    """An item as it was read; without a document there is nothing to store."""

    item: Item
    document: Document | None = None
    chunks: list[Chunk] = field(default_factory=list)


class Intake:
    """Takes items into a corpus: unchanged ones are left, each other one is stored in its own transaction.

    While one batch is embedded and stored the next is read, in a thread of its own.
    """

    def __init__(self, corpus: Corpus, kind: Kind, report: IngestReport, progress: Progress) -> None:
        self._corpus = corpus
        self._kind = kind
        self._report = report
        self._progress = progress
        self._known: dict[str, str] = {}
        self._done = 0
        self._total = 0

    def run(self, items: Sequence[Item]) -> None:
        """Take in every item; what becomes of each is in the report. Raises what `Corpus` raises."""
        self._total += len(items)
        self._known |= self._corpus.content_hashes(item.url for item in items)
        stop = Event()
        for batch in _one_ahead(self._batches(items, stop), stop):
            self._store(batch)

    def _batches(self, items: Sequence[Item], stop: Event) -> Iterator[list[Read]]:
        """What is read, in batches of at most `BATCH_CHUNKS`, or of one document that has more; until it is stopped."""
        batch: list[Read] = []
        for item in takewhile(lambda _: not stop.is_set(), items):
            read = self._read(item)
            size = sum(len(one.chunks) for one in batch)
            if batch and max(size + len(read.chunks), len(batch)) > BATCH_CHUNKS:
                yield batch
                batch = []
            batch.append(read)
        yield batch

    def _read(self, item: Item) -> Read:
        """An item with its document and chunks; without a document, and with a line in the report, if there is none."""
        known = self._known.get(item.url, "")
        try:
            content = item.content()
            digest = hashlib.sha256(content).hexdigest()
            if known == f"{RECIPE}:{digest}":
                self._report.unchanged.append(item.url)
                return Read(item)
            parsed = item.parse(content)
        except DocumentUnreadable as error:
            self._report.unreadable.append(Unreadable(item.url, str(error)))
            return Read(item)
        if parsed.unread:
            self._report.partly.append(Unreadable(item.url, f"{parsed.unread}."))
        document = self._document(item, parsed, f"{PARTLY if parsed.unread else RECIPE}:{digest}")
        chunks = chunked(parsed)
        if known and self._corpus.is_held(document, chunks):
            self._report.unchanged.append(item.url)
            return Read(item)
        return Read(item, document, chunks)

    def _document(self, item: Item, parsed: ParsedDocument, content_hash: str) -> Document:
        return Document(
            id=document_id(self._corpus.namespace, item.url),
            kind=self._kind,
            status="active",
            title=parsed.title,
            url=item.url,
            media_type=item.media_type,
            content_hash=content_hash,
            text=parsed.text,
            ingested_at=now(),
            lineage=item.lineage,
        )

    def _store(self, batch: Sequence[Read]) -> None:
        """Embed the chunks of a batch together, and store each document."""
        parsed = [(one.document, one.chunks) for one in batch if one.document is not None]
        name = batch[-1].item.name if batch else ""

        def told(done: int, of: int) -> None:
            self._progress(self._done, self._total, f"{name} ({done} of {of} pieces)")

        prepared = iter(self._corpus.prepare(parsed, batch=BATCH_CHUNKS, progress=told))
        for one in batch:
            if one.document is not None:
                self._report.withdrawn += self._corpus.add(next(prepared))
                into = self._report.replaced if one.item.url in self._known else self._report.added
                into.append(one.item.url)
            self._done += 1
            self._progress(self._done, self._total, one.item.name)


def _one_ahead(batches: Iterator[T], stop: Event) -> Iterator[T]:
    """The same batches; while one is worked on, the next is made in a thread of its own. At the end that is stopped."""
    with ThreadPoolExecutor(1, thread_name_prefix="veridic-ahead") as thread:
        try:
            coming = thread.submit(next, batches, None)
            while (batch := coming.result()) is not None:
                coming = thread.submit(next, batches, None)
                yield batch
        finally:
            stop.set()
