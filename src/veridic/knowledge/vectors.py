"""The dense index: a FAISS view of the embeddings in the store, saved beside it.

It is only a view: it is brought up to date by sequence number, and made anew from the store
whenever it is missing, stale or damaged.
"""

import logging
import sqlite3
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from veridic.knowledge import index_file
from veridic.knowledge.embeddings import check_embedder, unpacked
from veridic.knowledge.index_file import FaissIndex, Manifest
from veridic.knowledge.scope import Members
from veridic.knowledge.store import Store, last_sequence
from veridic.protocols import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)

SAVE_AFTER = 256
"""Changed vectors after which a search saves the index for the next process."""


class DenseIndex:
    """The active chunks of one namespace, but those kept from outside, by cosine; up to date at every search.

    Safe for threads. Raises `EmbedderMismatch` when the store's embeddings are another embedder's.
    """

    def __init__(self, store: Store, namespace: str, embedder: Embedder) -> None:
        self.path = store.path.with_name(f"{store.path.name}.{namespace}.index")
        self.made: Literal["ready", "rebuilt"] = "ready"
        self._store_id = store.store_id
        self._namespace = namespace
        self._embedder = embedder
        self._lock = threading.Lock()
        self._faiss: FaissIndex = None
        self._sequence = -1
        self._unsaved = 0

    def search(
        self,
        connection: sqlite3.Connection,
        vectors: "NDArray[np.float32]",
        limit: int,
        *,
        members: Members | None = None,
    ) -> list[list[tuple[int, float]]]:
        """For each unit vector the nearest active chunks as (id, cosine), nearest first, at most `limit`.

        With `members`, found in the connection's snapshot, the nearest of theirs.
        """
        with self._lock:
            self._bring_up_to_date(connection)
            held = self._faiss.ntotal if members is None else len(members.chunks)
            if held == 0 or limit < 1:
                return [[] for _ in vectors]
            chosen = {"params": _only(members)} if members and held < self._faiss.ntotal else {}
            cosines, ids = self._faiss.search(vectors, min(limit, held), **chosen)
        return [
            [(int(chunk), float(cosine)) for chunk, cosine in zip(row, scores, strict=True) if chunk >= 0]
            for row, scores in zip(ids, cosines, strict=True)
        ]

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Bring the index up to date with the store."""
        with self._lock:
            self._bring_up_to_date(connection)

    def ids(self, connection: sqlite3.Connection) -> set[int]:
        """The ids of the chunks it holds, up to date with the store."""
        import faiss

        with self._lock:
            self._bring_up_to_date(connection)
            return {int(one) for one in faiss.vector_to_array(self._faiss.id_map)}

    def save(self, connection: sqlite3.Connection) -> None:
        """Bring the index up to date and save it if what is saved is older."""
        with self._lock:
            self._bring_up_to_date(connection)
            if self._unsaved:
                self._save()

    def make_anew(self, connection: sqlite3.Connection) -> None:
        """Make it from the store alone, whatever is in memory or saved."""
        with self._lock:
            check_embedder(connection, self._embedder)
            self._rebuild(connection, last_sequence(connection))

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
        """Take the saved index if it is of this store and embedder, and not from its future."""
        saved = index_file.load(self.path)
        if saved is None:
            return
        index, manifest = saved
        if manifest.sequence <= newest and manifest == replace(
            self._manifest(manifest.sequence), checksum=manifest.checksum
        ):
            self._faiss, self._sequence = index, manifest.sequence
            self.made = "ready"

    def _manifest(self, sequence: int) -> Manifest:
        return Manifest(
            store_id=self._store_id,
            namespace=self._namespace,
            embedder=self._embedder.fingerprint,
            dimension=self._embedder.dimension,
            sequence=sequence,
        )

    def _rebuild(self, connection: sqlite3.Connection, sequence: int) -> None:
        import faiss

        rows = connection.execute(
            "SELECT id, embedding FROM chunks WHERE namespace = ? AND status = 'active' AND kind != 'outside'",
            (self._namespace,),
        ).fetchall()
        fresh = faiss.IndexIDMap2(faiss.IndexFlatIP(self._embedder.dimension))
        self._add(fresh, rows)
        self._faiss, self._sequence = fresh, sequence
        self.made = "rebuilt"
        if rows:
            self._save()

    def _apply_changes(self, connection: sqlite3.Connection, sequence: int) -> None:
        import numpy as np

        since = (self._namespace, self._sequence)
        changed = connection.execute(
            "SELECT id, kind, status, embedding FROM chunks WHERE namespace = ? AND sequence > ?", since
        ).fetchall()
        removed = connection.execute("SELECT id FROM removed_chunks WHERE namespace = ? AND sequence > ?", since)
        stale = [row["id"] for row in changed] + [row["id"] for row in removed]
        if stale:
            self._faiss.remove_ids(np.array(stale, dtype=np.int64))
        self._add(self._faiss, [row for row in changed if row["status"] == "active" and row["kind"] != "outside"])
        self._sequence = sequence
        self._unsaved += len(stale)

    def _add(self, index: FaissIndex, rows: list[sqlite3.Row]) -> None:
        import numpy as np

        if rows:
            vectors = unpacked([row["embedding"] for row in rows], self._embedder.dimension)
            index.add_with_ids(vectors, np.array([row["id"] for row in rows], dtype=np.int64))

    def _save(self) -> None:
        """Write the index beside the store; a view that cannot be saved is made again by whoever needs it."""
        try:
            index_file.save(self.path, self._faiss, self._manifest(self._sequence))
        except OSError as error:
            _log.warning("The dense index could not be saved beside the knowledge base: %s.", error.strerror)
        self._unsaved = 0


def _only(members: Members) -> FaissIndex:
    """Search parameters that pass over all other chunks."""
    import faiss
    import numpy as np

    chosen = faiss.IDSelectorBatch(np.asarray(members.chunks, dtype=np.int64))
    return faiss.SearchParameters(sel=chosen)  # type: ignore[call-arg]


def count_active(connection: sqlite3.Connection, namespace: str) -> int:
    """How many chunks of a namespace ordinary retrieval can find."""
    query = "SELECT count(*) FROM chunks WHERE namespace = ? AND status = 'active' AND kind != 'outside'"
    return int(connection.execute(query, (namespace,)).fetchone()[0])


def has_active(connection: sqlite3.Connection, namespace: str) -> bool:
    """Whether a namespace has anything that ordinary retrieval can find."""
    query = "SELECT EXISTS (SELECT 1 FROM chunks WHERE namespace = ? AND status = 'active' AND kind != 'outside')"
    return bool(connection.execute(query, (namespace,)).fetchone()[0])
