"""The knowledge base: dense and lexical search over chunks, and what is remembered."""

import copy
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from math import inf
from typing import TYPE_CHECKING, Self

from veridic.embedding import embedded
from veridic.errors import DocumentMissing
from veridic.knowledge import documents, lexical, naming, spelling
from veridic.knowledge.chunking import chunked
from veridic.knowledge.clock import now
from veridic.knowledge.documents import Chunk, Count, Document, DocumentSummary, Status, generated_id
from veridic.knowledge.embeddings import claim_embedder, embedded_text, hand_over, packed, stored_embedder
from veridic.knowledge.outside import OutsideCollection
from veridic.knowledge.passages import beneath, best_rows, first_rows, fused, passage, rows_of
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.scope import Scope
from veridic.knowledge.searchable import has_active
from veridic.knowledge.store import Store, next_sequence, require_time
from veridic.knowledge.vector_index import EXACT_UP_TO
from veridic.knowledge.vectors import DenseIndex
from veridic.protocols import Embedder, GeneratedRecord, KnowledgeStatus
from veridic.shapes import Citation, Kind, Passage
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


class Corpus:
    """One namespace of a knowledge base; a `veridic.protocols.KnowledgeBase`.

    Only active chunks are found, and what was kept from outside by `search_outside` alone.
    Every method may raise `StoreUnavailable`, `StoreDamaged`; those that use embeddings
    `EmbedderMismatch`; those with a deadline `DeadlineExceeded`.
    """

    def __init__(self, store: Store, namespace: str, embedder: Embedder, *, exact_up_to: int = EXACT_UP_TO) -> None:
        """Of more chunks than `exact_up_to`, dense search finds nearly all of the nearest."""
        self.store = store
        self.namespace = namespace
        self.embedder = embedder
        self._index = DenseIndex(store, namespace, embedder, exact_up_to=exact_up_to)
        self._outside = OutsideCollection(store, namespace, embedder)
        self._scope = Scope(namespace)
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
        require_time(deadline)
        asked = list(dict.fromkeys(query for query in queries if clean(query).strip()))
        with self.store.reading(deadline) as connection:
            if not asked or limit < 1 or not has_active(connection, self.namespace):
                return [[] for _ in queries]
        vectors = embedded(self.embedder, [clean(query) for query in asked])
        depth = max(50, 4 * limit)
        with self.store.reading(deadline) as connection:
            members = self._scope.members(connection)
            dense = self._index.search(connection, vectors, depth, members=members)
            answers: dict[str, list[Passage]] = {}
            for query, near in zip(asked, dense, strict=True):
                shared = lexical.match(connection, self.namespace, clean(query), depth, members=members)
                ranked = fused([chunk for chunk, _ in near], shared)
                rows = best_rows(connection, self.namespace, self._findable(connection, ranked), limit)
                hand_over(connection, self.embedder, rows)
                answers[query] = [passage(row, found_by=query) for row in rows]
        return [answers.get(query, []) for query in queries]

    def similarity(self, text: str, *, deadline: float) -> float:
        """The largest cosine between `text` and any active chunk; 0.0 when there is none.

        Chunks are embedded under their headings; the nearest are embedded again without
        them, so that a text is as similar to its own copy as can be.
        """
        require_time(deadline)
        text = clean(text)
        with self.store.reading(deadline) as connection:
            if not text.strip() or not has_active(connection, self.namespace):
                return 0.0
        vector = embedded(self.embedder, [text])
        with self.store.reading(deadline) as connection:
            members = self._scope.members(connection)
            [near] = self._index.search(connection, vector, SIMILAR_READ_AGAIN, members=members)
            bare = [row["text"] for row in rows_of(connection, self.namespace, [chunk for chunk, _ in near])]
        require_time(deadline)
        again = embedded(self.embedder, bare) @ vector[0]
        return max([cosine for _, cosine in near] + [float(cosine) for cosine in again], default=0.0)

    def text_of(self, document_id: str) -> str:
        """The stored text that offsets count in. Raises `DocumentMissing`."""
        return self.document(document_id).text

    def titles(self, *, limit: int, deadline: float) -> tuple[list[str], int]:
        """See `KnowledgeBase.titles`."""
        with self.store.reading(deadline) as connection:
            names = documents.names(connection, self.namespace, self._scope.members(connection))
        titles = [row["title"] for row in names]
        return titles[:limit], len(titles)

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:
        """See `KnowledgeBase.opening`."""
        with self.store.reading(deadline) as connection:
            names = documents.names(connection, self.namespace, self._scope.members(connection))
            meant = naming.nearest(clean(name), names, exactly=exactly)
            rows = first_rows(connection, self.namespace, meant, limit)
        return [passage(row, found_by=name) for row in rows]

    def corrections(self, words: Sequence[str], *, deadline: float) -> dict[str, str]:
        """See `KnowledgeBase.corrections`."""
        with self.store.reading(deadline) as connection:
            return spelling.corrections(connection, self.namespace, words, self._scope.members(connection))

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        """Store a generated record and return its document id; the same run id again changes nothing."""
        require_time(deadline)
        identifier = generated_id(self.namespace, record.run_id)
        parsed = parse_text(clean(record.text))
        document = Document(
            id=identifier,
            kind="generated",
            status=record.status,
            title=" ".join(clean(record.question).split()),
            url=f"veridic:{identifier}",
            media_type="text/plain",
            content_hash="",
            text=parsed.text,
            ingested_at=now(),
            lineage={"run_id": record.run_id, "question": record.question, "scores": record.scores},
        )
        prepared = self.prepare([(document, chunked(parsed))])[0]
        with self.store.writing(deadline) as connection:
            if documents.find(connection, self.namespace, identifier) is None:
                self._put(connection, prepared)
                documents.put_sources(connection, identifier, record.sources)
                self._withdraw_if_orphaned(connection, identifier, record.sources)
        return identifier

    def contest(self, document_ids: Sequence[str], *, deadline: float) -> None:
        """See `KnowledgeBase.contest`."""
        with self.store.writing(deadline) as connection:
            sequence = next_sequence(connection)
            for record in {record for one in document_ids for record in documents.dependents(connection, one)}:
                if documents.find(connection, self.namespace, record):
                    documents.set_status(connection, record, "review", sequence)

    def keep_outside(self, passages: Sequence[Passage], *, since: float, deadline: float) -> None:
        """See `KnowledgeBase.keep_outside`."""
        self._outside.keep(passages, since=since, deadline=deadline)

    def keep_page(self, passages: Sequence[Passage], *, since: float) -> None:
        """Keep all passages of a page from outside, as `keep_outside` does; what it said before is removed."""
        self._outside.keep(passages, since=since, deadline=inf, whole=True)

    def search_outside(
        self, queries: Sequence[str], *, limit: int, since: float, deadline: float
    ) -> list[list[Passage]]:
        """See `KnowledgeBase.search_outside`."""
        return self._outside.search(queries, limit=limit, since=since, deadline=deadline)

    def status(self) -> KnowledgeStatus:
        """What is held, after bringing the index up to date."""
        with self.store.reading() as connection:
            layout = self._index.refresh(connection)
            held, active, generated = connection.execute(
                """
                SELECT (SELECT count(*) FROM documents WHERE namespace = ?), count(*),
                    coalesce(sum(kind = 'generated'), 0)
                FROM chunks WHERE namespace = ? AND status = 'active' AND kind != 'outside'
                """,
                (self.namespace, self.namespace),
            ).fetchone()
            return KnowledgeStatus(
                documents=held,
                active_chunks=active,
                generated_chunks=generated,
                index=self._index.made if active else "empty",
                embedder=stored_embedder(connection) or self.embedder.fingerprint,
                search=str(layout),
            )

    def document(self, reference: str) -> Document:
        """The document with this id, path or url. Raises `DocumentMissing`."""
        reference = storable(reference)
        with self.store.reading() as connection:
            document = documents.find(connection, self.namespace, reference) or documents.find(
                connection, self.namespace, os.path.realpath(reference)
            )
        if document is None:
            raise DocumentMissing(f"No document {reference!r} in the knowledge base.", "List them with `veridic list`.")
        return document

    def documents(self, *, kind: Kind | None = None, status: Status | None = None) -> list[DocumentSummary]:
        """Every document of the scope, oldest first, of one kind or status if given."""
        with self.store.reading() as connection:
            members = self._scope.members(connection)
            return documents.listed(connection, self.namespace, kind=kind, status=status, members=members)

    def counted(self) -> tuple[list[Count], str | None]:
        """What the whole namespace holds by kind and status, and when people's documents were last taken in."""
        with self.store.reading() as connection:
            return (
                documents.counted(connection, self.namespace),
                documents.last_ingested(connection, self.namespace),
            )

    def sources_of(self, document_id: str) -> list[Citation]:
        """What a generated document rests on; empty for any other."""
        with self.store.reading() as connection:
            return documents.sources_of(connection, self.document(document_id).id)

    def set_status(self, document_id: str, status: Status) -> None:
        """Approve, reject or withdraw a document; what rests on one that is not active is withdrawn with it.

        Raises `DocumentMissing`.
        """
        identifier = self.document(document_id).id
        with self.store.writing() as connection:
            sequence = next_sequence(connection)
            documents.set_status(connection, identifier, status, sequence)
            if status != "active":
                documents.withdraw_dependents(connection, identifier, sequence)

    def content_hashes(self, urls: Iterable[str] | None = None) -> dict[str, str]:
        """Content hash by url, of every document that people wrote, or of those of these urls."""
        with self.store.reading() as connection:
            return documents.content_hashes(connection, self.namespace, urls)

    def held_beneath(self, paths: Iterable[str]) -> list[str]:
        """Urls of the documents that people wrote, at or beneath these absolute paths, each once."""
        with self.store.reading() as connection:
            return documents.urls_beneath(connection, self.namespace, paths)

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
            texts = [embedded_text(title, chunk.heading, chunk.text) for title, chunk in islice(every, batch)]
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
            return self._put(connection, prepared)

    def is_held(self, document: Document, chunks: Sequence[Chunk]) -> bool:
        """Whether this document is stored with these chunks; it is then known by its new content hash."""
        with self.store.writing() as connection:
            return documents.renewed(connection, document, chunks)

    def remove(self, url: str) -> list[str]:
        """Delete the document at a url, if there is one; what rests on it is withdrawn, and its ids returned."""
        with self.store.writing() as connection:
            document = documents.find(connection, self.namespace, url)
            return documents.remove(connection, document.id) if document else []

    def remove_all(self, identifiers: Sequence[str]) -> list[str]:
        """Delete the documents with these ids at once; what else rests on them is withdrawn, and its ids returned."""
        with self.store.writing() as connection:
            withdrawn = [one for identifier in identifiers for one in documents.remove(connection, identifier)]
        return [one for one in withdrawn if one not in identifiers]

    def save_index(self) -> None:
        """Bring the dense index up to date and save it for the next process."""
        with self.store.reading() as connection:
            self._index.save(connection)

    def forget_index(self) -> None:
        """Drop the dense index from memory; the next search loads or rebuilds it."""
        self._index.forget()

    def _findable(self, connection: sqlite3.Connection, ranked: Sequence[int]) -> Sequence[int]:
        """Chunks by rank; of records, where these are not found, those they rest on."""
        return ranked if self._records_found else beneath(connection, self.namespace, ranked)

    def _put(self, connection: sqlite3.Connection, prepared: PreparedDocument) -> list[str]:
        claim_embedder(connection, self.embedder)
        vectors = packed(prepared.vectors)
        return documents.put(connection, self.namespace, prepared.document, prepared.chunks, vectors)

    def _withdraw_if_orphaned(
        self, connection: sqlite3.Connection, identifier: str, sources: Sequence[Citation]
    ) -> None:
        """Withdraw a new record when one of its sources went between answer and write."""
        own = {source["document_id"] for source in sources if source["kind"] != "outside"}
        if any(documents.find(connection, self.namespace, source) is None for source in own):
            documents.set_status(connection, identifier, "withdrawn", next_sequence(connection))
