"""The dense index: a FAISS view of the embeddings in the store, saved beside it.

The saved file is a line of magic, a line of JSON (the manifest) and FAISS's own bytes, written
to a temporary name and moved into place, so that manifest and vectors are always of one piece.
It is only a view: whenever it is missing, stale or damaged it is made anew from the store.
"""

import hashlib
import json
import logging
import os
import sqlite3
import threading
import uuid
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from veridic.errors import EmbedderMismatch, StoreDamaged
from veridic.knowledge.store import Store, last_sequence
from veridic.protocols import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)

_MAGIC = b"veridic dense index 1\n"

SAVE_AFTER = 256
"""Changed vectors after which a search saves the index for the next process."""


@dataclass(frozen=True)
class Manifest:
    """What a saved index was made of."""

    store_id: str
    namespace: str
    embedder: str
    dimension: int
    sequence: int
    count: int
    checksum: str


class DenseIndex:
    """The active chunks of one namespace by cosine, brought up to date at every search.

    Safe for threads. Raises `EmbedderMismatch` when the store's embeddings are another embedder's.
    """

    def __init__(self, store: Store, namespace: str, embedder: Embedder) -> None:
        self.path = store.path.with_name(f"{store.path.name}.{namespace}.index")
        self.made: Literal["ready", "rebuilt"] = "ready"
        self._store_id = store.store_id
        self._namespace = namespace
        self._embedder = embedder
        self._lock = threading.Lock()
        self._faiss: Any = None
        self._sequence = -1
        self._unsaved = 0

    def search(
        self, connection: sqlite3.Connection, vectors: "NDArray[np.float32]", limit: int
    ) -> list[list[tuple[int, float]]]:
        """For each unit vector the nearest active chunks as (id, cosine), nearest first, at most `limit`."""
        with self._lock:
            self._bring_up_to_date(connection)
            if self._faiss.ntotal == 0 or limit < 1:
                return [[] for _ in vectors]
            cosines, ids = self._faiss.search(vectors, min(limit, self._faiss.ntotal))
        return [
            [(int(chunk), float(cosine)) for chunk, cosine in zip(row, scores, strict=True) if chunk >= 0]
            for row, scores in zip(ids, cosines, strict=True)
        ]

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Bring the index up to date with the store and save it if it is not saved."""
        with self._lock:
            self._bring_up_to_date(connection)
            if self._unsaved:
                self._save()

    def forget(self) -> None:
        """Drop what is in memory; the next search loads or rebuilds it."""
        with self._lock:
            self._faiss, self._sequence = None, -1

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        check_embedder(connection, self._embedder)
        sequence = last_sequence(connection)
        if self._faiss is None:
            self._load(sequence)
        if self._faiss is None:
            self._rebuild(connection, sequence)
        elif self._sequence < sequence:
            self._apply_changes(connection, sequence)
            if self._faiss.ntotal != count_active(connection, self._namespace):
                self._rebuild(connection, sequence)
        if self._unsaved >= SAVE_AFTER:
            self._save()

    def _load(self, newest: int) -> None:
        """Take the saved index if it is whole, of this store and embedder, and not from its future."""
        import faiss
        import numpy as np

        try:
            content = self.path.read_bytes()
        except OSError:
            return
        manifest, payload = _opened(content)
        if manifest is None or manifest.sequence > newest:
            return
        mine = (self._store_id, self._namespace, self._embedder.fingerprint, self._embedder.dimension)
        if (manifest.store_id, manifest.namespace, manifest.embedder, manifest.dimension) != mine:
            return
        try:
            self._faiss = faiss.deserialize_index(np.frombuffer(payload, dtype=np.uint8))
        except RuntimeError:  # the checksum held, so this is another version's format
            return
        self._sequence = manifest.sequence
        self.made = "ready"

    def _rebuild(self, connection: sqlite3.Connection, sequence: int) -> None:
        import faiss

        rows = connection.execute(
            "SELECT id, embedding FROM chunks WHERE namespace = ? AND status = 'active'", (self._namespace,)
        ).fetchall()
        self._faiss = faiss.IndexIDMap2(faiss.IndexFlatIP(self._embedder.dimension))
        self._add(rows)
        self._sequence = sequence
        self._unsaved = len(rows)
        self.made = "rebuilt"

    def _apply_changes(self, connection: sqlite3.Connection, sequence: int) -> None:
        import numpy as np

        since = (self._namespace, self._sequence)
        changed = connection.execute(
            "SELECT id, status, embedding FROM chunks WHERE namespace = ? AND sequence > ?", since
        ).fetchall()
        removed = connection.execute("SELECT id FROM removed_chunks WHERE namespace = ? AND sequence > ?", since)
        stale = [row["id"] for row in changed] + [row["id"] for row in removed]
        if stale:
            self._faiss.remove_ids(np.array(stale, dtype=np.int64))
        self._add([row for row in changed if row["status"] == "active"])
        self._sequence = sequence
        self._unsaved += len(stale)

    def _add(self, rows: list[sqlite3.Row]) -> None:
        import numpy as np

        if rows:
            vectors = unpacked([row["embedding"] for row in rows], self._embedder.dimension)
            self._faiss.add_with_ids(vectors, np.array([row["id"] for row in rows], dtype=np.int64))

    def _save(self) -> None:
        """Write the index beside the store; a view that cannot be saved is made again by whoever needs it."""
        import faiss

        payload = faiss.serialize_index(self._faiss).tobytes()
        manifest = Manifest(
            store_id=self._store_id,
            namespace=self._namespace,
            embedder=self._embedder.fingerprint,
            dimension=self._embedder.dimension,
            sequence=self._sequence,
            count=self._faiss.ntotal,
            checksum=hashlib.sha256(payload).hexdigest(),
        )
        temporary = self.path.with_name(f"{self.path.name}.{uuid.uuid4().hex}.tmp")
        try:
            temporary.write_bytes(_MAGIC + json.dumps(asdict(manifest)).encode() + b"\n" + payload)
            os.replace(temporary, self.path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            _log.warning("The dense index could not be saved beside the knowledge base: %s.", error.strerror)
        self._unsaved = 0


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


def _opened(content: bytes) -> tuple[Manifest | None, bytes]:
    """Manifest and payload of a saved index; no manifest when the file is not whole."""
    if not content.startswith(_MAGIC):
        return None, b""
    line, _, payload = content[len(_MAGIC) :].partition(b"\n")
    try:
        manifest = Manifest(**json.loads(line))
    except (ValueError, TypeError):
        return None, b""
    whole = hashlib.sha256(payload).hexdigest() == manifest.checksum
    return (manifest if whole else None), payload


def count_active(connection: sqlite3.Connection, namespace: str) -> int:
    """How many chunks of a namespace can be found."""
    query = "SELECT count(*) FROM chunks WHERE namespace = ? AND status = 'active'"
    return int(connection.execute(query, (namespace,)).fetchone()[0])
