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
from veridic.knowledge.embeddings import check_embedder
from veridic.knowledge.index_file import Manifest
from veridic.knowledge.scope import Members
from veridic.knowledge.searchable import Searchable
from veridic.knowledge.store import Store, last_sequence
from veridic.knowledge.vector_index import EXACT_UP_TO, Layout, VectorIndex, built
from veridic.ports.embedding import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)

SAVE_AFTER = 256
"""Changed vectors after which a search saves the index for the next process, if they are enough of it."""

CHANGED_SHARE = 0.05
"""Of the vectors, how many must have changed: the file is written as a whole."""

STALE_SHARE = 0.01
"""The share that the next process may be left to bring up to date, which takes less time than saving."""


class DenseIndex:
    """The active chunks of one namespace, but those kept from outside, by cosine; up to date at every search.

    Up to `exact_up_to` chunks it is exact, above it finds nearly all of the nearest (`layout` says how many). Safe for
    threads. Raises `EmbedderMismatch` when the store's embeddings are another embedder's.
    """

    def __init__(self, store: Store, namespace: str, embedder: Embedder, *, exact_up_to: int = EXACT_UP_TO) -> None:
        self.path = store.path.with_name(f"{store.path.name}.{namespace}.index")
        self.made: Literal["ready", "rebuilt"] = "ready"
        self._store_id = store.store_id
        self._namespace = namespace
        self._embedder = embedder
        self._exact_up_to = exact_up_to
        self._lock = threading.Lock()
        self._index: VectorIndex | None = None
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
            index = self._up_to_date(connection)
            if self._unsaved >= max(SAVE_AFTER, CHANGED_SHARE * len(index)):
                self._save(index)
            return index.nearest(vectors, limit, only=None if members is None else members.chunks)

    def refresh(self, connection: sqlite3.Connection) -> Layout:
        """Bring the index up to date with the store, and make it anew if it has outgrown how it is searched.

        A search does not wait for that: until then it goes on as before.
        """
        with self._lock:
            return self._fitting(connection).layout

    def ids(self, connection: sqlite3.Connection) -> set[int]:
        """The ids of the chunks it holds, up to date with the store."""
        with self._lock:
            return self._up_to_date(connection).ids()

    def save(self, connection: sqlite3.Connection) -> None:
        """As `refresh`, and save what the next process would otherwise have to bring up to date."""
        with self._lock:
            index = self._fitting(connection)
            if self._unsaved > STALE_SHARE * len(index):
                self._save(index)

    def make_anew(self, connection: sqlite3.Connection) -> None:
        """Make it from the store alone, whatever is in memory or saved."""
        with self._lock:
            check_embedder(connection, self._embedder)
            self._rebuilt(connection, last_sequence(connection))

    def forget(self) -> None:
        """Drop what is in memory; the next search loads or rebuilds it."""
        with self._lock:
            self._index, self._sequence = None, -1

    def _fitting(self, connection: sqlite3.Connection) -> VectorIndex:
        index = self._up_to_date(connection)
        if index.layout.outgrown(len(index), self._exact_up_to):
            saved = index_file.read_manifest(self.path)
            if saved and saved.layout != index.layout:  # another process may have made it anew
                self._index = None
                index = self._up_to_date(connection)
        if index.layout.outgrown(len(index), self._exact_up_to):
            index = self._rebuilt(connection, last_sequence(connection))
        return index

    def _up_to_date(self, connection: sqlite3.Connection) -> VectorIndex:
        check_embedder(connection, self._embedder)
        sequence = last_sequence(connection)
        index = self._loaded(sequence) if self._index is None else self._index
        if index is None:
            return self._rebuilt(connection, sequence)
        if self._sequence < sequence:
            self._apply_changes(index, connection, sequence)
            if len(index) != self._searchable(connection).count():
                return self._rebuilt(connection, sequence)
        return index

    def _loaded(self, newest: int) -> VectorIndex | None:
        """The saved index if it is of this store and embedder, and not from its future."""
        saved = index_file.load(self.path)
        if saved is None:
            return None
        index, manifest = saved
        own = self._manifest(manifest.sequence, manifest.layout)
        if manifest.sequence > newest or manifest != replace(own, checksum=manifest.checksum):
            return None
        self._index, self._sequence, self.made = index, manifest.sequence, "ready"
        self._unsaved = 0
        return index

    def _manifest(self, sequence: int, layout: Layout) -> Manifest:
        return Manifest(
            store_id=self._store_id,
            namespace=self._namespace,
            embedder=self._embedder.fingerprint,
            dimension=self._embedder.dimension,
            sequence=sequence,
            layout=layout,
        )

    def _searchable(self, connection: sqlite3.Connection) -> Searchable:
        return Searchable(connection, self._namespace, self._embedder.dimension)

    def _rebuilt(self, connection: sqlite3.Connection, sequence: int) -> VectorIndex:
        self._index = None  # two are not held at once
        self._index = index = built(self._searchable(connection), self._exact_up_to)
        self._sequence, self.made = sequence, "rebuilt"
        if len(index):
            self._save(index)
        return index

    def _apply_changes(self, index: VectorIndex, connection: sqlite3.Connection, sequence: int) -> None:
        since = {"namespace": self._namespace, "sequence": self._sequence}
        changed = connection.execute(
            """
            SELECT id FROM chunks WHERE namespace = :namespace AND sequence > :sequence
            UNION ALL SELECT id FROM removed_chunks WHERE namespace = :namespace AND sequence > :sequence
            """,
            since,
        )
        stale = [row["id"] for row in changed]
        if stale:
            index.remove(stale)
        for ids, vectors in self._searchable(connection).batches(after=self._sequence):
            index.add(ids, vectors)
        self._sequence = sequence
        self._unsaved += len(stale)

    def _save(self, index: VectorIndex) -> None:
        """Write the index beside the store; a view that cannot be saved is made again by whoever needs it."""
        try:
            index_file.save(self.path, index, self._manifest(self._sequence, index.layout))
        except OSError as error:
            _log.warning("The dense index could not be saved beside the knowledge base: %s.", error.strerror)
        self._unsaved = 0
