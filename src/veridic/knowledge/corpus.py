"""The knowledge base: dense and lexical search over chunks, and what is remembered."""

import copy
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from math import inf
from typing import TYPE_CHECKING, Self

from veridic.errors import DocumentMissing
from veridic.evidence.evidence import under_heading
from veridic.knowledge import document_rows, lineage, record_rows
from veridic.knowledge.connection import Connection, KnowledgeStore, Row, last_sequence, said_of
from veridic.knowledge.decisions import redact
from veridic.knowledge.document_rows import Chunk, Count, Document, DocumentSummary
from veridic.knowledge.learned import LearnedRecords
from veridic.knowledge.outside import OutsideCollection
from veridic.knowledge.ranking import beneath, best_rows, first_rows, fused, match, passage, rows_of
from veridic.knowledge.scope import Scope
from veridic.knowledge.vectors import (
    DenseIndex,
    VectorIndex,
    check_embedder,
    claim_embedder,
    hand_over,
    has_active,
    packed,
)
from veridic.ports.embedding import Embedder, embedded
from veridic.ports.memory import KnowledgeStatus, Recollected
from veridic.ports.shapes import Kind, Passage, RecordStatus
from veridic.text.hidden import clean, storable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIMILAR_READ_AGAIN = 4
"""Nearest chunks that `similarity` embeds without their headings."""


@dataclass(frozen=True)
class PreparedDocument:
    """A document ready to be stored."""

    document: Document
    chunks: list[Chunk]
    vectors: "NDArray[np.float32]"


class Corpus(LearnedRecords, OutsideCollection):
    """One namespace of a knowledge base; a `veridic.ports.KnowledgeBase`.

    Only active chunks are found, and what was kept from outside by `search_outside` alone.
    Every method may raise `StoreUnavailable`, `StoreDamaged`; those that use embeddings
    `EmbedderMismatch`; those with a deadline `DeadlineExceeded`.
    """

    def __init__(self, store: KnowledgeStore, embedder: Embedder, index: VectorIndex | None = None) -> None:
        self.store = store
        self.namespace = store.namespace
        self.embedder = embedder
        self._index: VectorIndex = index or DenseIndex(embedder)
        self._scope = Scope()
        self._records_found = True

    def within(self, places: Sequence[str]) -> Self:
        """See `KnowledgeBase.within`; what is not named there is the whole's too."""
        view = copy.copy(self)
        view._scope = self._scope.narrowed(places)
        return view

    def beneath_records(self) -> Self:
        """See `KnowledgeBase.beneath_records`."""
        view = copy.copy(self)
        view._records_found = False
        return view

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        """For each query its passages, best first, at most `limit`, no text twice; `score` is None."""
        found = self._rows(queries, limit, deadline)
        return [[passage(row, found_by=query) for row in found.get(query, [])] for query in queries]

    def _rows(self, queries: Sequence[str], limit: int, deadline: float) -> dict[str, list[Row]]:
        """For each query that asks anything the chunks found; of records, where these are not, those they rest on."""
        asked = list(dict.fromkeys(query for query in queries if clean(query).strip()))
        with self.store.reading(deadline) as connection:
            if not asked or limit < 1 or not has_active(connection):
                return {}
            vectors = embedded(self.embedder, [clean(query) for query in asked])
            depth = max(50, 4 * limit)
            members = self._scope.members(connection)
            dense = self._index.search(connection, vectors, depth, members=members)
            found: dict[str, list[Row]] = {}
            for query, near in zip(asked, dense, strict=True):
                shared = match(connection, clean(query), depth, members=members)
                ranked = fused([chunk for chunk, _ in near], shared)
                ranked = ranked if self._records_found else beneath(connection, ranked)
                found[query] = best_rows(connection, ranked, limit)
                hand_over(connection, self.embedder, found[query])
        return found

    def recollect(
        self, question: str, *, statuses: Sequence[RecordStatus], depth: int, deadline: float
    ) -> list[Recollected]:
        """See `KnowledgeBase.recollect`."""
        if not clean(question).strip():
            return []
        vector = embedded(self.embedder, [clean(question)])[0]
        with self.store.reading(deadline) as connection:
            check_embedder(connection, self.embedder)
            near = self._asked_alike(connection, vector, statuses, self._scope.members(connection))
        found = self._rows([question], depth, deadline).get(question, []) if near else []
        newest = max((row["sequence"] for row in found if row["kind"] == "human"), default=0) if depth else inf
        with self.store.reading(deadline) as connection:
            return [self._recollected(connection, *one, question, newest) for one in near]

    def similarity(self, text: str, *, besides: Sequence[str] = (), records: bool = False, deadline: float) -> float:
        """See `KnowledgeBase.similarity`.

        Chunks are embedded under their headings; the nearest are embedded again without
        them, so that a text is as similar to its own copy as can be.
        """
        text = clean(text)
        if not text.strip():
            return 0.0
        vector = embedded(self.embedder, [text])
        with self.store.reading(deadline) as connection:
            learned = self._similar_to_records(connection, vector[0], besides) if records else 0.0
            if not has_active(connection):
                return learned
            near = self._near(connection, vector, besides)
            bare = [row["text"] for row in rows_of(connection, [chunk for chunk, _ in near])]
        again = embedded(self.embedder, bare) @ vector[0]
        return max([learned, *(cosine for _, cosine in near), *(float(cosine) for cosine in again)])

    def _near(
        self, connection: Connection, vector: "NDArray[np.float32]", besides: Sequence[str]
    ) -> list[tuple[int, float]]:
        """The nearest chunks with their cosines, but for those of some documents."""
        out = document_rows.chunks_of(connection, besides)
        members = self._scope.members(connection)
        [near] = self._index.search(connection, vector, SIMILAR_READ_AGAIN + len(out), members=members)
        return [one for one in near if one[0] not in out][:SIMILAR_READ_AGAIN]

    def as_of(self) -> int:
        """See `KnowledgeBase.as_of`."""
        with self.store.reading() as connection:
            return last_sequence(connection)

    def text_of(self, document_id: str) -> str:
        """The stored text that offsets count in. Raises `DocumentMissing`."""
        return self.document(document_id).text

    def titles(self, *, limit: int, deadline: float) -> tuple[list[str], int]:
        """See `KnowledgeBase.titles`."""
        with self.store.reading(deadline) as connection:
            names = document_rows.names(connection, self._scope.members(connection))
        titles = [row["title"] for row in names]
        return titles[:limit], len(titles)

    def passages(self, *, most: int, deadline: float) -> int:
        """See `KnowledgeBase.passages`."""
        with self.store.reading(deadline) as connection:
            return document_rows.passages(connection, most, self._scope.members(connection))

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:
        """See `KnowledgeBase.opening`."""
        with self.store.reading(deadline) as connection:
            names = document_rows.names(connection, self._scope.members(connection))
            meant = document_rows.document_meant(clean(name), names, exactly=exactly)
            rows = first_rows(connection, meant, limit)
        return [passage(row, found_by=name) for row in rows]

    def status(self) -> KnowledgeStatus:
        """What is held."""
        with self.store.reading() as connection:
            check_embedder(connection, self.embedder)
            counts = document_rows.counted(connection)
            audited, failed = record_rows.audits(connection)
            own = [one for one in counts if one.kind != "outside"]
            active = [one for one in own if one.status == "active"]
            return KnowledgeStatus(
                documents=sum(one.documents for one in counts),
                active_chunks=sum(one.chunks for one in active),
                generated_chunks=sum(one.chunks for one in active if one.kind == "generated"),
                waiting_chunks=sum(one.chunks for one in own if one.status == "probation"),
                index="ready" if any(one.chunks for one in active) else "empty",
                embedder=said_of(connection, "embedder") or self.embedder.fingerprint,
                audited=audited,
                failed=failed,
            )

    def document(self, reference: str) -> Document:
        """The document with this id, path or url. Raises `DocumentMissing`."""
        reference = storable(reference)
        with self.store.reading() as connection:
            document = document_rows.find(connection, reference) or document_rows.find(
                connection, os.path.realpath(reference)
            )
        if document is None:
            raise DocumentMissing(
                f"No document {reference!r} in the knowledge base.",
                "The list of documents (`veridic list`) has those that there are.",
            )
        return document

    def documents(self, *, kind: Kind | None = None) -> list[DocumentSummary]:
        """Every document of the scope, oldest first, of one kind if given."""
        with self.store.reading() as connection:
            return document_rows.listed(connection, kind=kind, members=self._scope.members(connection))

    def counted(self) -> tuple[list[Count], str | None]:
        """What the whole namespace holds by kind and status, and when people's documents were last taken in."""
        with self.store.reading() as connection:
            return (document_rows.counted(connection), document_rows.last_ingested(connection))

    def content_hashes(self, urls: Iterable[str] | None = None) -> dict[str, str]:
        """Content hash by url, of every document that people wrote, or of those of these urls."""
        with self.store.reading() as connection:
            return document_rows.content_hashes(connection, urls)

    def prepare(
        self,
        parsed: Sequence[tuple[Document, list[Chunk]]],
        *,
        batch: int = 64,
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> list[PreparedDocument]:
        """Embed the chunks of several documents, `batch` at a time, each under its title and headings.

        `progress` is told how many of how many chunks are embedded, after every batch but the last.
        """
        import numpy as np

        count = sum(len(chunks) for _, chunks in parsed)
        vectors = np.empty((count, self.embedder.dimension), dtype=np.float32)
        every = ((document.title, chunk) for document, chunks in parsed for chunk in chunks)
        for at in range(0, count, batch):
            if at:
                progress(at, count)
            texts = [under_heading(title, chunk.heading, chunk.text) for title, chunk in islice(every, batch)]
            vectors[at : at + len(texts)] = embedded(self.embedder, texts)
        ends = list(accumulate(len(chunks) for _, chunks in parsed))
        return [
            PreparedDocument(document, chunks, vectors[end - len(chunks) : end])
            for (document, chunks), end in zip(parsed, ends, strict=True)
        ]

    def add(self, prepared: PreparedDocument) -> list[str]:
        """Store a document in one transaction; one with the same id is replaced.

        What rests on that is withdrawn, and its ids returned.
        """
        with self.store.writing() as connection:
            claim_embedder(connection, self.embedder)
            return lineage.put(connection, prepared.document, prepared.chunks, packed(prepared.vectors))

    def is_held(self, document: Document, chunks: Sequence[Chunk]) -> bool:
        """Whether this document is stored with these chunks; it is then known by its new content hash."""
        with self.store.writing() as connection:
            return document_rows.renewed(connection, document, chunks)

    def remove(self, url: str) -> list[str]:
        """Delete the document at a url, if there is one, as `remove_all` does."""
        with self.store.reading() as connection:
            document = document_rows.find(connection, url)
        return self.remove_all([document.id]) if document else []

    def remove_all(self, identifiers: Sequence[str]) -> list[str]:
        """Delete the documents with these ids at once; what else rests on them is withdrawn, and its ids returned.

        The decision log loses their words too.
        """
        with self.store.writing() as connection:
            withdrawn = [one for identifier in identifiers for one in lineage.remove(connection, identifier)]
            redact(connection, identifiers)
        self.store.drop_journal()
        return [one for one in withdrawn if one not in identifiers]
