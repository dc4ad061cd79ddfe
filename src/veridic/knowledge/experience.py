"""Lessons of earlier runs, found again by the similarity of their questions."""

import threading
from typing import TYPE_CHECKING

from veridic.embedding import embedded
from veridic.knowledge.clock import now
from veridic.knowledge.embeddings import check_embedder, claim_embedder, packed, unpacked
from veridic.knowledge.store import Store, last_sequence, next_sequence, require_time
from veridic.protocols import Embedder
from veridic.shapes import Lesson
from veridic.text.hidden import clean

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    from numpy.typing import NDArray

MIN_SIMILARITY = 0.6
"""Cosine of two questions from which the lesson of one is told for the other."""


class Experience:
    """One namespace's lessons; a `veridic.protocols.ExperienceStore`.

    Raises `EmbedderMismatch`, `StoreUnavailable`, `StoreDamaged`, `DeadlineExceeded`.
    """

    def __init__(
        self, store: Store, namespace: str, embedder: Embedder, *, min_similarity: float = MIN_SIMILARITY
    ) -> None:
        self.store = store
        self.namespace = namespace
        self.embedder = embedder
        self.min_similarity = min_similarity
        self._lock = threading.Lock()
        self._sequence = -1
        self._lessons: list[Lesson] = []
        self._vectors: NDArray[np.float32] | None = None

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of questions at least `min_similarity` alike, most similar first; of one question the newest."""
        require_time(deadline)
        question = clean(question)
        with self.store.reading(deadline) as connection, self._lock:
            self._bring_up_to_date(connection)
            lessons, vectors = list(self._lessons), self._vectors
        if vectors is None or limit < 1 or not question.strip():
            return []
        cosines = vectors @ embedded(self.embedder, [question])[0]
        recalled: dict[str, Lesson] = {}
        for at in sorted(range(len(lessons)), key=lambda at: (-round(float(cosines[at]), 6), -at)):
            if len(recalled) == limit or cosines[at] < self.min_similarity:
                break
            lesson = lessons[at]
            recalled.setdefault(lesson["question"], Lesson(**{**lesson, "similarity": float(cosines[at])}))
        return list(recalled.values())

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; the same run id again changes nothing. Its `similarity` is not kept."""
        require_time(deadline)
        kept = {name: clean(str(value)) for name, value in lesson.items()}
        [embedding] = packed(embedded(self.embedder, [kept["question"]]))
        with self.store.writing(deadline) as connection:
            claim_embedder(connection, self.embedder)
            connection.execute(
                """
                INSERT OR IGNORE INTO experience
                    (namespace, run_id, sequence, learned_at, question, action, outcome, reason, query, embedding)
                VALUES (:namespace, :run_id, :sequence, :learned_at, :question, :action, :outcome, :reason, :query,
                    :embedding)
                """,
                {
                    **kept,
                    "namespace": self.namespace,
                    "run_id": run_id,
                    "sequence": next_sequence(connection),
                    "learned_at": now(),
                    "embedding": embedding,
                },
            )

    def count(self) -> int:
        """How many lessons are held."""
        with self.store.reading() as connection:
            query = "SELECT count(*) FROM experience WHERE namespace = ?"
            return int(connection.execute(query, (self.namespace,)).fetchone()[0])

    def forget(self) -> None:
        """Drop what is in memory; the next recall reads it again."""
        with self._lock:
            self._sequence, self._lessons, self._vectors = -1, [], None

    def _bring_up_to_date(self, connection: "sqlite3.Connection") -> None:
        import numpy as np

        check_embedder(connection, self.embedder)
        sequence = last_sequence(connection)
        if sequence <= self._sequence:
            return
        rows = connection.execute(
            "SELECT * FROM experience WHERE namespace = ? AND sequence > ? ORDER BY id",
            (self.namespace, self._sequence),
        ).fetchall()
        if rows:
            fresh = unpacked([row["embedding"] for row in rows], self.embedder.dimension)
            self._vectors = fresh if self._vectors is None else np.concatenate([self._vectors, fresh])
            self._lessons.extend(_lesson(row) for row in rows)
        self._sequence = sequence


def _lesson(row: "sqlite3.Row") -> Lesson:
    return Lesson(
        question=row["question"],
        action=row["action"],
        outcome=row["outcome"],
        reason=row["reason"],
        query=row["query"],
        similarity=0.0,
    )
