"""The collection `outside`: passages that accepted answers cited and pages the user named, until they are too old.

Each is a document of its own, of kind `outside`, dated by its retrieval. Ordinary retrieval, the dense index and
the counts leave them out. They are few and short-lived, so their embeddings are compared where they stand.
"""

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from veridic.evidence.evidence import under_heading
from veridic.knowledge import lineage
from veridic.knowledge.connection import Connection, KnowledgeStore, Row, written
from veridic.knowledge.document_rows import Chunk, Document, document_id
from veridic.knowledge.ranking import best_rows, fused, match, passage
from veridic.knowledge.vectors import check_embedder, claim_embedder, compared, hand_over, packed
from veridic.ports.embedding import Embedder, embedded
from veridic.ports.shapes import Passage
from veridic.text.hidden import clean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEPTH = 50
"""Of each ranking, how many go into the fused one."""


class OutsideCollection:
    """What one namespace of a knowledge base keeps from outside. Raises as `Corpus` does."""

    store: KnowledgeStore
    namespace: str
    embedder: Embedder

    def keep_outside(self, passages: Sequence[Passage], *, since: float, deadline: float) -> None:
        """See `KnowledgeBase.keep_outside`."""
        self._keep(passages, since, deadline, whole=False)

    def keep_page(self, passages: Sequence[Passage], *, since: float) -> None:
        """Keep all passages of a page from outside, as `keep_outside` does; what it said before is removed."""
        self._keep(passages, since, inf, whole=True)

    def _keep(self, passages: Sequence[Passage], since: float, deadline: float, *, whole: bool) -> None:
        given = [_document(self.namespace, passage) for passage in passages]
        texts = [under_heading(document.title, chunk.heading, chunk.text) for document, chunk in given]
        vectors = list(packed(embedded(self.embedder, texts))) if texts else []
        with self.store.writing(deadline) as connection:
            self._remove_before(connection, since)
            claim_embedder(connection, self.embedder)
            for (document, chunk), vector in zip(given, vectors, strict=True):
                if document.ingested_at >= written(since) and not _renewed(connection, document):
                    lineage.put(connection, document, [chunk], [vector])
            if whole:
                _remove_others(connection, [document for document, _ in given])

    def search_outside(
        self, queries: Sequence[str], *, limit: int, since: float, deadline: float
    ) -> list[list[Passage]]:
        """See `KnowledgeBase.search_outside`."""
        asked = list(dict.fromkeys(query for query in queries if clean(query).strip()))
        found: dict[str, list[Passage]] = {}
        with self.store.reading(deadline) as connection:
            kept = self._kept(connection, since) if asked and limit > 0 else []
            if not kept:
                return [[] for _ in queries]
            check_embedder(connection, self.embedder)
            vectors = embedded(self.embedder, [clean(query) for query in asked])
            for query, vector in zip(asked, vectors, strict=True):
                rows = best_rows(connection, self._ranked(connection, query, vector, kept), limit)
                hand_over(connection, self.embedder, rows)
                found[query] = [passage(row, found_by=query) for row in rows]
        return [found.get(query, []) for query in queries]

    def _ranked(self, connection: Connection, query: str, vector: "NDArray[np.float32]", kept: list[Row]) -> list[int]:
        """Ids of the kept chunks, best first: cosine and shared words fused."""
        cosines = compared(kept, vector)
        near = [kept[at]["id"] for at in sorted(range(len(kept)), key=lambda at: -cosines[at])[:DEPTH]]
        shared = match(connection, clean(query), DEPTH, outside=True)
        fresh = {row["id"] for row in kept}
        return fused(near, [chunk for chunk in shared if chunk in fresh])

    def _kept(self, connection: Connection, since: float) -> list[Row]:
        return connection.execute(
            """
            SELECT chunks.id, chunks.embedding FROM chunks JOIN documents ON documents.id = chunks.document_id
            WHERE chunks.namespace = ? AND chunks.kind = 'outside' AND chunks.status = 'active'
                AND documents.ingested_at >= ?
            """,
            (connection.namespace, written(since)),
        ).fetchall()

    def _remove_before(self, connection: Connection, since: float) -> None:
        old = connection.execute(
            "SELECT id FROM documents WHERE namespace = ? AND kind = 'outside' AND ingested_at < ?",
            (connection.namespace, written(since)),
        ).fetchall()
        for row in old:
            lineage.remove(connection, row["id"])


def _remove_others(connection: Connection, kept: Sequence[Document]) -> None:
    """Remove what is kept of the same pages and is not among these."""
    own = {document.id for document in kept}
    for page in {document.url.removesuffix(f"#{document.id}") for document in kept}:
        rows = connection.execute(
            "SELECT id FROM documents WHERE namespace = ? AND kind = 'outside' AND url = ? || '#' || id",
            (connection.namespace, page),
        ).fetchall()
        for row in rows:
            if row["id"] not in own:
                lineage.remove(connection, row["id"])


def _document(namespace: str, passage: Passage) -> tuple[Document, Chunk]:
    """A passage as a document of one chunk; its id follows from the passage's."""
    kept_as = document_id(namespace, passage["id"], "outside")
    text = clean(passage["text"])
    document = Document(
        id=kept_as,
        kind="outside",
        status="active",
        title=clean(passage["title"]),
        url=f"{clean(passage['url'])}#{kept_as}",
        media_type="text/plain",
        content_hash="",
        text=text,
        ingested_at=passage["retrieved_at"],
    )
    return document, Chunk(0, len(text), clean(passage["heading"]), clean(passage["location"]), text)


def _renewed(connection: Connection, document: Document) -> bool:
    """Whether the same text is kept already; it then has the newer of the two dates."""
    done = connection.execute(
        "UPDATE documents SET ingested_at = CASE WHEN ingested_at < :at THEN :at ELSE ingested_at END "
        "WHERE id = :id AND text = :text",
        {"at": document.ingested_at, "id": document.id, "text": document.text},
    )
    return done.rowcount > 0
