"""Reading, embedding and storing documents one after another, whatever they come from."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from veridic.errors import DocumentUnreadable, NothingRecognised
from veridic.knowledge.ahead import Ahead, Room
from veridic.knowledge.chunking import chunked
from veridic.knowledge.clock import now
from veridic.knowledge.corpus import Corpus, PreparedDocument
from veridic.knowledge.documents import Chunk, Document, document_id
from veridic.knowledge.readers.model import ParsedDocument
from veridic.ports.shapes import Kind

Progress = Callable[[int, int, str], None]
"""Called with how many documents are done, how many there are, and the name of the last one."""

BATCH_CHUNKS = 64
"""Chunks that are embedded together."""

ROOM_CHUNKS = 4 * BATCH_CHUNKS
"""Chunks that are on their way at once."""

RECIPE = "11"
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
    """Found in a folder, of a kind that is not read, or a picture without text."""
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


Read = tuple[Item, Document, list[Chunk]]
"""An item that is to be stored, as it was read."""

Step = Callable[[], None]
"""What is to be done in the thread that `run` was called in."""


class Intake:
    """Takes items into a corpus: unchanged ones are left, each other one is stored in its own transaction.

    While some are embedded the next are read and those before are stored; at most `ROOM_CHUNKS` chunks, or one
    document that has more, are on their way from reading to store, and the next beside them.
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
        room = Room(ROOM_CHUNKS)
        with (
            Ahead[list[Read] | Step](room, lambda put: self._read_all(items, room, put)) as read,
            Ahead[Step](room, lambda put: self._embed_all(read, room, put)) as ready,
        ):
            for step in ready:
                step()

    def _read_all(self, items: Sequence[Item], room: Room, put: Callable[[list[Read] | Step], None]) -> None:
        """Put what is read in batches of at most `BATCH_CHUNKS`, or of one document that has more."""
        batch: list[Read] = []
        size = 0
        for item in items:
            room.check()
            document = self._read(item)
            if document is None:
                put(partial(self._tell, item.name))
                continue
            more = len(document[1])
            if batch and size + more > BATCH_CHUNKS:
                room.take(size)
                put(batch)
                batch, size = [], 0
            batch.append((item, *document))
            size += more
        if batch:
            room.take(size)
            put(batch)

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
        except NothingRecognised as error:
            self._report.skip(item.url, str(error))
            return None
        except DocumentUnreadable as error:
            self._report.unreadable.append(Unreadable(item.url, str(error)))
            return None
        recipe = RECIPE
        if parsed.unread:
            recipe = PARTLY
            self._report.partly.append(Unreadable(item.url, f"{parsed.unread}."))
        document = Document(
            id=document_id(self._corpus.namespace, item.url),
            kind=self._kind,
            status="active",
            title=parsed.title,
            url=item.url,
            media_type=item.media_type,
            content_hash=f"{recipe}:{digest}",
            text=parsed.text,
            ingested_at=now(),
            lineage=item.lineage,
        )
        chunks = chunked(parsed)
        if known and self._corpus.is_held(document, chunks):
            self._report.unchanged.append(item.url)
            return None
        return document, chunks

    def _embed_all(self, read: Iterable[list[Read] | Step], room: Room, put: Callable[[Step], None]) -> None:
        """Put what is to be done with each document, its chunks embedded."""
        for given in read:
            if callable(given):
                put(given)
                continue

            def told(done: int, of: int, name: str = given[-1][0].name) -> None:
                room.check()
                put(partial(self._tell_pieces, name, done, of))

            parsed = [(document, chunks) for _, document, chunks in given]
            embedded = self._corpus.prepare(parsed, batch=BATCH_CHUNKS, progress=told)
            for (item, _, _), prepared in zip(given, embedded, strict=True):
                put(partial(self._store, item, prepared, room))

    def _store(self, item: Item, prepared: PreparedDocument, room: Room) -> None:
        self._report.withdrawn += self._corpus.add(prepared)
        (self._report.replaced if item.url in self._known else self._report.added).append(item.url)
        self._tell(item.name)
        room.give(len(prepared.chunks))

    def _tell(self, name: str) -> None:
        self._done += 1
        self._progress(self._done, self._total, name)

    def _tell_pieces(self, name: str, done: int, of: int) -> None:
        self._progress(self._done, self._total, f"{name} ({done} of {of} pieces)")
