"""Vectors as they are stored, and whose they are: a file holds those of one embedder."""

import sqlite3
from typing import TYPE_CHECKING

from veridic.errors import EmbedderMismatch, StoreDamaged
from veridic.protocols import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def check_embedder(connection: sqlite3.Connection, embedder: Embedder) -> None:
    """Raise `EmbedderMismatch` when what is stored was embedded by another embedder."""
    stored = stored_embedder(connection)
    if stored and stored != embedder.fingerprint:
        raise EmbedderMismatch(
            f"The knowledge base was embedded by {stored}, the embedder in use is {embedder.fingerprint}.",
            "Run `veridic ingest --reembed`, or use the embedder it was made with.",
        )


def claim_embedder(connection: sqlite3.Connection, embedder: Embedder) -> None:
    """Name the embedder whose vectors the store holds, in the open transaction. Raises `EmbedderMismatch`."""
    check_embedder(connection, embedder)
    connection.execute("INSERT OR IGNORE INTO meta VALUES ('embedder', ?)", (embedder.fingerprint,))


def stored_embedder(connection: sqlite3.Connection) -> str:
    """Fingerprint of the embedder the stored vectors are of; empty before the first."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'embedder'").fetchone()
    return str(row[0]) if row else ""


def packed(vectors: "NDArray[np.float32]") -> list[bytes]:
    """Each row as little-endian float32, as it is stored."""
    return [row.tobytes() for row in vectors.astype("<f4")]


def unpacked(blobs: list[bytes], dimension: int) -> "NDArray[np.float32]":
    """Stored vectors as an array. Raises `StoreDamaged` when one has another length."""
    import numpy as np

    if any(len(blob) != 4 * dimension for blob in blobs):
        raise StoreDamaged(
            f"The knowledge base holds embeddings that are not of {dimension} dimensions.",
            "Run `veridic ingest --reembed`.",
        )
    return np.frombuffer(b"".join(blobs), dtype="<f4").astype(np.float32, copy=False).reshape(-1, dimension)


def embedded_text(title: str, heading: str, text: str) -> str:
    """What is embedded for a chunk: its title and headings say what it is about."""
    return "\n".join(part for part in (title, heading, text) if part)
