"""Lessons of earlier runs, found again by the similarity of their questions."""

import copy
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from veridic.knowledge import lessons
from veridic.knowledge.embeddings import check_embedder, claim_embedder, packed, unpacked
from veridic.knowledge.scope import Scope
from veridic.knowledge.store import Store, last_sequence, require_time
from veridic.learning.lessons import is_within, most_similar
from veridic.ports.embedding import Embedder, embedded
from veridic.ports.shapes import Lesson, StandingVote
from veridic.text.hidden import clean

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    from numpy.typing import NDArray

MIN_SIMILARITY = 0.6
"""Cosine of two questions from which the lesson of one is told for the other."""


class Experience:
    """One namespace's lessons, at most `most` of them; a `veridic.ports.ExperienceStore`.

    A lesson loses half of its weight in `half_life` days; one that has next to none is not recalled. With `most` 0
    none is kept or recalled. Raises `EmbedderMismatch`, `StoreUnavailable`, `StoreDamaged`, `DeadlineExceeded`.
    """

    def __init__(
        self,
        store: Store,
        namespace: str,
        embedder: Embedder,
        *,
        min_similarity: float = MIN_SIMILARITY,
        most: int = lessons.MOST,
        half_life: float = lessons.HALF_LIFE,
    ) -> None:
        self.store = store
        self.namespace = namespace
        self.embedder = embedder
        self.min_similarity = min_similarity
        self.most = most
        self.half_life = half_life
        self._scope = Scope(namespace)
        self._held = _Held(namespace, embedder)

    def within(self, places: Sequence[str]) -> Self:
        """See `ExperienceStore.within`."""
        view = copy.copy(self)
        view._scope = self._scope.narrowed(places)
        return view

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of questions at least `min_similarity` alike; see `ExperienceStore.recall`."""
        require_time(deadline)
        question = clean(question)
        with self.store.reading(deadline) as connection:
            held, vectors = self._held.at(connection)
            members = self._scope.members(connection)
        if vectors is None or limit < 1 or self.most < 1 or not question.strip():
            return []
        cosines = vectors @ embedded(self.embedder, [question])[0]
        near = (at for at in range(len(held) - 1, -1, -1) if cosines[at] >= self.min_similarity)
        found = [self._weighed(held[at], float(cosines[at])) for at in near]
        if members is not None:
            documents = set(json.loads(members.documents))
            found = [one for one in found if is_within(one, question, documents)]
        return most_similar((one for one in found if one["weight"] >= lessons.LEAST), limit)

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; see `ExperienceStore.learn`. Its `similarity` and `weight` are not kept."""
        require_time(deadline)
        if self.most < 1:
            return
        kept: Lesson = {**lesson, "question": clean(lesson["question"]), "query": clean(lesson["query"])}
        [embedding] = packed(embedded(self.embedder, [kept["question"]]))
        with self.store.writing(deadline) as connection:
            claim_embedder(connection, self.embedder)
            row = lessons.put(connection, self.namespace, run_id, kept, embedding)
            if row is not None:
                lessons.cut(connection, self.namespace, self.most, self.half_life, keep=row)

    def revise(self, run_id: str, verdict: StandingVote, *, deadline: float) -> bool:
        """Keep what people said of a run's answer; see `ExperienceStore.revise`."""
        require_time(deadline)
        with self.store.writing(deadline) as connection:
            return lessons.vote(connection, self.namespace, run_id, verdict)

    def count(self) -> int:
        """How many lessons are held."""
        with self.store.reading() as connection:
            return len(lessons.ids(connection, self.namespace))

    def forget(self) -> None:
        """Drop what is in memory; the next recall reads it again."""
        self._held = _Held(self.namespace, self.embedder)

    def _weighed(self, kept: "_Kept", similarity: float) -> Lesson:
        weight = lessons.weight(kept.learned_at, self.half_life)
        return {**kept.lesson, "similarity": similarity, "weight": weight}


@dataclass(frozen=True)
class _Kept:
    """A lesson in memory."""

    lesson: Lesson
    learned_at: str
    vector: "NDArray[np.float32]"


class _Held:
    """The lessons of a namespace as they were last seen in the file. Safe for threads."""

    def __init__(self, namespace: str, embedder: Embedder) -> None:
        self._namespace = namespace
        self._embedder = embedder
        self._lock = threading.Lock()
        self._sequence = -1
        self._kept: dict[int, _Kept] = {}
        self._vectors: NDArray[np.float32] | None = None

    def at(self, connection: "sqlite3.Connection") -> "tuple[list[_Kept], NDArray[np.float32] | None]":
        """Every lesson of this snapshot, oldest first, and their vectors row by row; None where there is none."""
        check_embedder(connection, self._embedder)
        with self._lock:
            sequence = last_sequence(connection)
            if sequence > self._sequence:
                self._bring_up_to_date(connection)
                self._sequence = sequence
            return list(self._kept.values()), self._vectors

    def _bring_up_to_date(self, connection: "sqlite3.Connection") -> None:
        """Read what is new or changed, and drop what was removed, in whatever process."""
        import numpy as np

        gone = self._kept.keys() - lessons.ids(connection, self._namespace)
        rows = lessons.changed_since(connection, self._namespace, self._sequence)
        if not gone and not rows:
            return
        for one in gone:
            del self._kept[one]
        places = lessons.places_of(connection, [row["id"] for row in rows])
        fresh = unpacked([row["embedding"] for row in rows], self._embedder.dimension) if rows else ()
        for row, vector in zip(rows, fresh, strict=True):
            self._kept[row["id"]] = _Kept(_lesson(row, places), row["learned_at"], vector)
        self._kept = dict(sorted(self._kept.items()))
        self._vectors = np.stack([one.vector for one in self._kept.values()]) if self._kept else None


def _lesson(row: "sqlite3.Row", places: "lessons.Places") -> Lesson:
    return Lesson(
        question=row["question"],
        action=row["action"],
        outcome=row["outcome"],
        reason=row["reason"],
        query=row["query"] if row["query"] == row["question"] else "",
        form=row["form"],
        source=row["source"],
        objection=row["objection"],
        verdict=row["verdict"],
        places=places[row["id"]],
        similarity=0.0,
        weight=1.0,
    )
