"""The questions that records answer, as vectors in memory; up to date at every search by sequence number."""

import sqlite3
import threading
from typing import TYPE_CHECKING

from veridic.knowledge.embeddings import unpacked
from veridic.knowledge.store import last_sequence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AskedQuestions:
    """One namespace's. Safe for threads."""

    def __init__(self, namespace: str, dimension: int) -> None:
        self._namespace = namespace
        self._dimension = dimension
        self._lock = threading.Lock()
        self._sequence = -1
        self._places: dict[str, int] = {}
        self._vectors: NDArray[np.float32] | None = None

    def near(
        self, connection: sqlite3.Connection, question: "NDArray[np.float32]", *, least: float
    ) -> list[tuple[str, float]]:
        """Ids of records with the cosine of their questions, at least `least`, the most similar and newest first.

        A record that was deleted meanwhile may be among them.
        """
        with self._lock:
            self._bring_up_to_date(connection)
            cosines = [] if self._vectors is None else (self._vectors @ question).tolist()
            near = [(one, cosines[at]) for one, at in reversed(self._places.items()) if cosines[at] >= least]
        return sorted(near, key=lambda one: -round(one[1], 6))

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        sequence = last_sequence(connection)
        if sequence <= self._sequence:
            return
        rows = connection.execute(
            """
            SELECT document_id, embedding FROM records
            WHERE namespace = ? AND sequence > ? AND embedding IS NOT NULL ORDER BY sequence
            """,
            (self._namespace, self._sequence),
        ).fetchall()
        self._sequence = sequence
        if rows:
            self._take(
                [row["document_id"] for row in rows], unpacked([row["embedding"] for row in rows], self._dimension)
            )

    def _take(self, ids: list[str], vectors: "NDArray[np.float32]") -> None:
        """Put vectors in the places of records that are known, and the others behind them."""
        import numpy as np

        for one in ids:
            self._places.setdefault(one, len(self._places))
        held = np.zeros((len(self._places), self._dimension), dtype=np.float32)
        if self._vectors is not None:
            held[: len(self._vectors)] = self._vectors
        held[[self._places[one] for one in ids]] = vectors
        self._vectors = held
