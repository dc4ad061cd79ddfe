"""Vectors as they are stored, and whose they are: a file holds those of one embedder."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from veridic.errors import EmbedderMismatch, StoreDamaged
from veridic.evidence.evidence import under_heading
from veridic.knowledge.store import Connection, said_of
from veridic.ports.embedding import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    named = [("embedder", embedder.fingerprint), ("embedded", FORM)]
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", named)


def hand_over(connection: Connection, embedder: Embedder, chunks: Sequence[sqlite3.Row]) -> None:
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


def compared(rows: Sequence[sqlite3.Row], vector: "NDArray[np.float32]") -> list[float]:
    """The cosine of each row's `embedding` with a unit vector. Raises `StoreDamaged`."""
    blobs = [row["embedding"] for row in rows]
    return cast("list[float]", (unpacked(blobs, len(vector)) @ vector).tolist()) if blobs else []
