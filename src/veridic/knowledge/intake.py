"""Reading, embedding and storing documents one after another, whatever they come from."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from veridic.errors import DeadlineExceeded, DocumentUnreadable, SourceError
from veridic.knowledge.chunking import chunked
from veridic.knowledge.connection import now
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.document_rows import Chunk, Document, document_id
from veridic.knowledge.readers.model import ParsedDocument

Progress = Callable[[int, int, str], None]
"""Called with how many documents are done, how many there are, and the name of the last one."""

Asked = TypeVar("Asked", bound=Hashable)
Got = TypeVar("Got")

BATCH_CHUNKS = 64
"""Chunks that are embedded together."""

RECIPE = "20"
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
    kept: list[str] = field(default_factory=list)
    """Pages of Wikipedia and arXiv that were named, kept for checking claims."""
    pruned: list[str] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    """Found in a folder: of a kind that is not read, empty, or a folder that programs fill."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Of each that is skipped: why, and what to do."""
    partly: list[Unreadable] = field(default_factory=list)
    """Taken in, now or before, but for a part, or in an encoding that it does not name: which, and what to do."""
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


def each_fetched(
    asked: Iterable[Asked], fetch: Callable[[Asked], Got], report: IngestReport
) -> Iterator[tuple[Asked, Got]]:
    """What was asked for, each once, with what came; what cannot be had is in the report and never stops the rest."""
    for one in dict.fromkeys(asked):
        try:
            got = fetch(one)
        except (SourceError, DeadlineExceeded) as error:
            report.unreadable.append(Unreadable(str(one), str(error)))
        else:
            yield one, got


@dataclass(frozen=True)
class Item:
    """One document to take in; `content` and `parse` may raise `DocumentUnreadable`."""

    url: str
    name: str
    media_type: str
    content: Callable[[], bytes]
    parse: Callable[[bytes], ParsedDocument]


Read = tuple[Item, Document, list[Chunk]]
"""An item as it was read."""


class Intake:
    """Takes what people wrote into a corpus: unchanged items are left, each other is stored in its own transaction."""

    def __init__(self, corpus: Corpus, report: IngestReport, progress: Progress) -> None:
        self._corpus = corpus
        self._report = report
        self._progress = progress
        self._known: dict[str, str] = {}
        self._done = 0
        self._total = 0

    def run(self, items: Sequence[Item]) -> None:
        """Take in every item; what becomes of each is in the report. Raises what `Corpus` raises."""
        self._total += len(items)
        self._known |= self._corpus.content_hashes(item.url for item in items)
        batch: list[Read] = []
        for item in items:
            read = self._read(item)
            if read is None:
                self._tell_done(item)
                continue
            if batch and sum(len(chunks) for _, _, chunks in (*batch, read)) > BATCH_CHUNKS:
                self._store(batch)
                batch = []
            batch.append(read)
        self._store(batch)

    def _read(self, item: Item) -> Read | None:
        """An item with its document and chunks; None, with a line in the report, where there is nothing to store."""
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
        if parsed.unread:
            self._report.partly.append(Unreadable(item.url, f"{parsed.unread}."))
        document = self._document(item, parsed, f"{PARTLY if parsed.unread else RECIPE}:{digest}")
        chunks = chunked(parsed)
        if known and self._corpus.is_held(document, chunks):
            self._report.unchanged.append(item.url)
            return None
        return item, document, chunks

    def _document(self, item: Item, parsed: ParsedDocument, content_hash: str) -> Document:
        return Document(
            id=document_id(self._corpus.namespace, item.url),
            kind="human",
            status="active",
            title=parsed.title,
            url=item.url,
            media_type=item.media_type,
            content_hash=content_hash,
            text=parsed.text,
            ingested_at=now(),
        )

    def _store(self, batch: Sequence[Read]) -> None:
        """Embed the chunks of a batch together, and store each document."""
        name = batch[-1][0].name if batch else ""

        def told(done: int, of: int) -> None:
            self._progress(self._done, self._total, f"{name} ({done} of {of} pieces)")

        parsed = [(document, chunks) for _, document, chunks in batch]
        prepared = self._corpus.prepare(parsed, batch=BATCH_CHUNKS, progress=told)
        for (item, _, _), one in zip(batch, prepared, strict=True):
            self._report.withdrawn += self._corpus.add(one)
            into = self._report.replaced if item.url in self._known else self._report.added
            into.append(item.url)
            self._tell_done(item)

    def _tell_done(self, item: Item) -> None:
        self._done += 1
        self._progress(self._done, self._total, item.name)
