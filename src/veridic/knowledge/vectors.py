"""Vectors: as they are stored, whose they are, and the dense index, a FAISS view of them held in memory.

A file holds the vectors of one embedder. The index is made from the store at the first search, in about a second for
60,000 chunks, and brought up to date by sequence number. It compares every vector: 4 ms for 60,000 chunks on two cores,
in proportion for more.
"""

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from veridic.errors import EmbedderMismatch, StoreDamaged
from veridic.evidence.evidence import under_heading
from veridic.knowledge.connection import Connection, Members, Row, last_sequence, said_of, say_of
from veridic.ports.embedding import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FaissIndex = Any
"""A FAISS index; faiss is not typed."""

BATCH = 1024
"""Vectors that are read together, so that never more of them are held twice."""

SEARCHABLE = "namespace = ? AND status = 'active' AND kind != 'outside'"
"""Of chunks: ordinary retrieval can find them."""

# The plus sign keeps SQLite from going through all active chunks where few have changed.
_CHANGED = f"{SEARCHABLE.replace('status =', '+status =')} AND sequence > ?"


FORM = "headed, alone"
"""How what is stored was embedded: chunks `under_heading`, as the judges read them, each in a pass of its own.

A store that says otherwise is searched as ever, but its vectors are not taken for what the embedder says today.
"""


def check_embedder(connection: Connection, embedder: Embedder) -> None:
    """Raise `EmbedderMismatch` when what is stored was embedded by another embedder."""
    stored = said_of(connection, "embedder")
    if stored and stored != embedder.fingerprint:
        raise EmbedderMismatch(
            f"The knowledge base was embedded by {stored}, the embedder in use is {embedder.fingerprint}.",
            "Run `veridic ingest --reembed`, or use the embedder it was made with.",
        )


def claim_embedder(connection: Connection, embedder: Embedder) -> None:
    """Name the embedder whose vectors the store holds, in the open transaction. Raises `EmbedderMismatch`."""
    check_embedder(connection, embedder)
    if not said_of(connection, "embedder"):
        name_embedder(connection, embedder)


def name_embedder(connection: Connection, embedder: Embedder) -> None:
    """Say, in the open transaction, that all vectors of the store are this embedder's, in today's form."""
    say_of(connection, "embedder", embedder.fingerprint)
    say_of(connection, "embedded", FORM)
    connection.index_vectors(embedder.dimension)


def hand_over(connection: Connection, embedder: Embedder, chunks: Sequence[Row]) -> None:
    """Tell the embedder the stored vectors of chunks: the judges will ask it for the same texts."""
    if chunks and said_of(connection, "embedded") == FORM:
        texts = [under_heading(chunk["title"], chunk["heading"], chunk["text"]) for chunk in chunks]
        embedder.know(texts, unpacked([chunk["embedding"] for chunk in chunks], embedder.dimension))


def packed(vectors: "NDArray[np.float32]") -> Iterator[bytes]:
    """Each row as little-endian float32, as it is stored."""
    return (row.astype("<f4", copy=False).tobytes() for row in vectors)


def unpacked(blobs: list[bytes], dimension: int) -> "NDArray[np.float32]":
    """Stored vectors as an array. Raises `StoreDamaged` when one has another length."""
    import numpy as np

    if any(len(blob) != 4 * dimension for blob in blobs):
        raise StoreDamaged(
            f"The knowledge base holds embeddings that are not of {dimension} dimensions.",
            "Run `veridic ingest --reembed`.",
        )
    return np.frombuffer(b"".join(blobs), dtype="<f4").astype(np.float32, copy=False).reshape(-1, dimension)


def compared(rows: Sequence[Row], vector: "NDArray[np.float32]") -> list[float]:
    """The cosine of each row's `embedding` with a unit vector. Raises `StoreDamaged`."""
    blobs = [row["embedding"] for row in rows]
    return cast("list[float]", (unpacked(blobs, len(vector)) @ vector).tolist()) if blobs else []


class VectorIndex(Protocol):
    """What finds a namespace's active chunks, but those kept from outside, by cosine. Safe for threads."""

    def search(
        self, connection: Connection, vectors: "NDArray[np.float32]", limit: int, *, members: Members | None = None
    ) -> list[list[tuple[int, float]]]:
        """For each unit vector the nearest as (id, cosine), nearest first, at most `limit`; with `members` of theirs.

        Raises `EmbedderMismatch` when the store's embeddings are another embedder's.
        """


class DenseIndex:
    """The active chunks of one namespace, but those kept from outside, by cosine; up to date at every search.

    Safe for threads. Raises `EmbedderMismatch` when the store's embeddings are another embedder's.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._index: FaissIndex | None = None
        self._sequence = -1

    def search(
        self, connection: Connection, vectors: "NDArray[np.float32]", limit: int, *, members: Members | None = None
    ) -> list[list[tuple[int, float]]]:
        """For each unit vector the nearest active chunks as (id, cosine), nearest first, at most `limit`.

        With `members`, found in the connection's snapshot, the nearest of theirs.
        """
        with self._lock:
            return _nearest(self._up_to_date(connection), vectors, limit, members)

    def _up_to_date(self, connection: Connection) -> FaissIndex:
        check_embedder(connection, self._embedder)
        sequence = last_sequence(connection)
        query = f"SELECT count(*) FROM chunks WHERE {SEARCHABLE}"
        count = int(connection.execute(query, (connection.namespace,)).fetchone()[0])
        if self._index is not None and self._sequence < sequence:
            self._apply_changes(self._index, connection)
        if self._index is None or self._index.ntotal != count:
            self._index = None  # two are not held at once
            self._index = self._made(connection)
        self._sequence = sequence
        return self._index

    def _made(self, connection: Connection) -> FaissIndex:
        import faiss

        index = faiss.IndexIDMap2(faiss.IndexFlatIP(self._embedder.dimension))
        self._add(index, connection, SEARCHABLE, (connection.namespace,))
        return index

    def _apply_changes(self, index: FaissIndex, connection: Connection) -> None:
        import numpy as np

        changed = connection.execute(
            """
            SELECT id FROM chunks WHERE namespace = :namespace AND sequence > :sequence
            UNION ALL SELECT id FROM removed_chunks WHERE namespace = :namespace AND sequence > :sequence
            """,
            {"namespace": connection.namespace, "sequence": self._sequence},
        )
        if stale := [row["id"] for row in changed]:
            index.remove_ids(np.asarray(stale, dtype=np.int64))
        self._add(index, connection, _CHANGED, (connection.namespace, self._sequence))

    def _add(self, index: FaissIndex, connection: Connection, which: str, values: tuple[str | int, ...]) -> None:
        """Add the vectors of some chunks, a batch at a time. Raises `StoreDamaged`."""
        import numpy as np

        rows = connection.execute(f"SELECT id, embedding FROM chunks WHERE {which}", values)
        while batch := rows.fetchmany(BATCH):
            vectors = unpacked([row["embedding"] for row in batch], self._embedder.dimension)
            index.add_with_ids(vectors, np.array([row["id"] for row in batch], dtype=np.int64))


def has_active(connection: Connection) -> bool:
    """Whether a namespace has anything that ordinary retrieval can find."""
    query = f"SELECT EXISTS (SELECT 1 FROM chunks WHERE {SEARCHABLE})"
    return bool(connection.execute(query, (connection.namespace,)).fetchone()[0])


def _nearest(
    index: FaissIndex, vectors: "NDArray[np.float32]", limit: int, members: Members | None
) -> list[list[tuple[int, float]]]:
    """For each vector `limit` ids with their cosines, nearest first; all there are where these are fewer."""
    import faiss
    import numpy as np

    limit = min(limit, index.ntotal if members is None else len(members.chunks))
    if limit < 1:
        return [[] for _ in vectors]
    within: dict[str, Any] = {}
    if members is not None and len(members.chunks) < index.ntotal:
        within["sel"] = faiss.IDSelectorBatch(np.asarray(members.chunks, dtype=np.int64))
    cosines, ids = index.search(vectors, limit, params=faiss.SearchParameters(**within))
    return [
        [(int(chunk), float(cosine)) for chunk, cosine in zip(row, scores, strict=True) if chunk >= 0]
        for row, scores in zip(ids, cosines, strict=True)
    ]
