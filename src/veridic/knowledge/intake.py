"""Reading, embedding and storing documents one after another, whatever they come from."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from veridic.errors import DocumentUnreadable
from veridic.knowledge.chunking import chunked
from veridic.knowledge.clock import now
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.documents import Chunk, Document, document_id
from veridic.knowledge.readers.model import ParsedDocument
from veridic.shapes import Kind

Progress = Callable[[int, int, str], None]
"""Called with how many documents are done, how many there are, and the name of the last one."""

BATCH_CHUNKS = 64
"""Chunks that are embedded together."""

RECIPE = "2"
"""Raised when reading or chunking changes, so that unchanged files are read again; what comes out the same stays."""


@dataclass(frozen=True)
class Unreadable:
    """A document that did not go in."""

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
    missing: list[str] = field(default_factory=list)
    """Given, but neither there nor known."""
    gone: list[str] = field(default_factory=list)
    """Held, though their file is gone from what was given; with `prune` they are in `pruned`."""
    withdrawn: list[str] = field(default_factory=list)
    """Ids of the generated records that rested on what was replaced or pruned."""


@dataclass(frozen=True)
class Item:
    """One document to take in; `content` and `parse` may raise `DocumentUnreadable`."""

    url: str
    name: str
    media_type: str
    content: Callable[[], bytes]
    parse: Callable[[bytes], ParsedDocument]
    lineage: dict[str, Any] = field(default_factory=dict)


class Intake:
    """Takes items into a corpus: unchanged ones are left, each other one is stored in its own transaction."""

    def __init__(self, corpus: Corpus, kind: Kind, report: IngestReport, progress: Progress) -> None:
        self._corpus = corpus
        self._kind = kind
        self._report = report
        self._progress = progress
        self._known = corpus.content_hashes()
        self._waiting: list[tuple[Item, Document, list[Chunk]]] = []
        self._done = 0
        self._total = 0

    def run(self, items: Sequence[Item]) -> None:
        """Take in every item; what becomes of each is in the report. Raises what `Corpus` raises."""
        self._total += len(items)
        for item in items:
            document = self._read(item)
            if document is None:
                self._tell(item.name)
            else:
                self._waiting.append((item, *document))
            if sum(len(chunks) for _, _, chunks in self._waiting) >= BATCH_CHUNKS:
                self._store()
        self._store()

    def _read(self, item: Item) -> tuple[Document, list[Chunk]] | None:
        """The document and its chunks; None, and a line in the report, when there is nothing to store."""
        known = self._known.get(item.url, "")
        try:
            content = item.content()
            digest = hashlib.sha256(content).hexdigest()
            if known == f"{RECIPE}:{digest}":
                self._report.unchanged.append(item.url)
                return None
            parsed = item.parse(content)
        except DocumentUnreadable as error:
            self._report.unreadable.append(Unreadable(item.url, str(error)))
            return None
        document = Document(
            id=document_id(self._corpus.namespace, item.url),
            kind=self._kind,
            status="active",
            title=parsed.title,
            url=item.url,
            media_type=item.media_type,
            content_hash=f"{RECIPE}:{digest}",
            text=parsed.text,
            ingested_at=now(),
            lineage=item.lineage,
        )
        chunks = chunked(parsed)
        if known.endswith(f":{digest}") and self._corpus.is_held(document, chunks):
            self._report.unchanged.append(item.url)
            return None
        return document, chunks

    def _store(self) -> None:
        """Embed all that waits together, then commit document by document."""
        if not self._waiting:
            return
        name = self._waiting[-1][0].name
        embedded = self._corpus.prepare(
            [(document, chunks) for _, document, chunks in self._waiting],
            batch=BATCH_CHUNKS,
            progress=lambda done, of: self._progress(self._done, self._total, f"{name} ({done} of {of} pieces)"),
        )
        for (item, _, _), prepared in zip(self._waiting, embedded, strict=True):
            self._report.withdrawn += self._corpus.add(prepared)
            (self._report.replaced if item.url in self._known else self._report.added).append(item.url)
            self._tell(item.name)
        self._waiting.clear()

    def _tell(self, name: str) -> None:
        self._done += 1
        self._progress(self._done, self._total, name)
