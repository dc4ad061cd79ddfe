"""The chunks that ordinary retrieval can find, read so that never more than a batch of their vectors is held twice."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veridic.knowledge.embeddings import unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 1024
"""Vectors that are read together."""

_SEARCHABLE = "namespace = ? AND status = 'active' AND kind != 'outside'"


@dataclass(frozen=True)
class Searchable:
    """The active chunks of one namespace in one snapshot, but those kept from outside."""

    connection: sqlite3.Connection
    namespace: str
    dimension: int

    def count(self) -> int:
        """How many there are."""
        query = f"SELECT count(*) FROM chunks WHERE {_SEARCHABLE}"
        return int(self.connection.execute(query, (self.namespace,)).fetchone()[0])

    def batches(self, *, after: int = -1) -> "Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]":
        """Ids and vectors of those that changed after a sequence number, a batch at a time. Raises `StoreDamaged`."""
        query = f"SELECT id, embedding FROM chunks WHERE {_SEARCHABLE}"
        if after < 0:
            yield from self._unpacked(query, (self.namespace,))
        else:
            # The plus sign keeps SQLite from going through all active chunks where few have changed.
            changed = query.replace("status =", "+status =") + " AND sequence > ?"
            yield from self._unpacked(changed, (self.namespace, after))

    def sample(self, many: int) -> "NDArray[np.float32]":
        """Vectors by lot, at most `many`, in no order; the same ones of the same chunks."""
        import numpy as np

        rows = self.connection.execute(f"SELECT id FROM chunks WHERE {_SEARCHABLE} ORDER BY id", (self.namespace,))
        ids = np.fromiter((row[0] for row in rows), dtype=np.int64)
        lot = np.random.default_rng(len(ids))
        drawn = lot.choice(ids, min(many, len(ids)), replace=False)
        query = "SELECT chunks.id, embedding FROM json_each(?) AS drawn CROSS JOIN chunks ON chunks.id = drawn.value"
        vectors = np.empty((len(drawn), self.dimension), dtype=np.float32)
        at = 0
        for _, batch in self._unpacked(query, (json.dumps(sorted(drawn.tolist())),)):
            vectors[at : at + len(batch)] = batch
            at += len(batch)
        lot.shuffle(vectors)
        return vectors

    def _unpacked(
        self, query: str, values: tuple[str | int, ...]
    ) -> "Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]":
        import numpy as np

        rows = self.connection.execute(query, values)
        while batch := rows.fetchmany(BATCH):
            ids = np.array([row["id"] for row in batch], dtype=np.int64)
            yield ids, unpacked([row["embedding"] for row in batch], self.dimension)


def has_active(connection: sqlite3.Connection, namespace: str) -> bool:
    """Whether a namespace has anything that ordinary retrieval can find."""
    query = f"SELECT EXISTS (SELECT 1 FROM chunks WHERE {_SEARCHABLE})"
    return bool(connection.execute(query, (namespace,)).fetchone()[0])
