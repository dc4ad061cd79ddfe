"""Lessons of earlier runs, found again by the similarity of their questions; a document's places go with it."""

import copy
import json
from collections.abc import Sequence
from typing import Self, cast, get_args

from veridic.knowledge.connection import EVERY, SEQUENCE, Connection, KnowledgeStore, now
from veridic.knowledge.scope import Scope
from veridic.knowledge.vectors import check_embedder, claim_embedder, compared, packed
from veridic.learning.lessons import HALF_LIFE, MIN_SIMILARITY, MOST, is_within, most_similar, weight
from veridic.ports.embedding import Embedder, embedded
from veridic.ports.shapes import GateName, Lesson, StandingVote
from veridic.text.hidden import clean


class Experience:
    """One namespace's lessons, at most `most` of them; a `veridic.ports.ExperienceStore`.

    A lesson loses half of its weight in `half_life` days; one that has next to none is not recalled. With `most` 0
    none is kept or recalled. Raises `EmbedderMismatch`, `StoreUnavailable`, `StoreDamaged`, `DeadlineExceeded`.
    """

    def __init__(
        self, store: KnowledgeStore, embedder: Embedder, *, most: int = MOST, half_life: float = HALF_LIFE
    ) -> None:
        self.store = store
        self.embedder = embedder
        self.most = most
        self.half_life = half_life
        self._scope = Scope()

    def within(self, places: Sequence[str]) -> Self:
        """See `ExperienceStore.within`."""
        view = copy.copy(self)
        view._scope = self._scope.narrowed(places)
        return view

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of questions at least `MIN_SIMILARITY` alike; see `ExperienceStore.recall`."""
        question = clean(question)
        if limit < 1 or self.most < 1 or not question.strip():
            return []
        with self.store.reading(deadline) as connection:
            rows = connection.execute(
                "SELECT id, embedding FROM experience WHERE namespace = ? ORDER BY id DESC", (connection.namespace,)
            ).fetchall()
            if not rows:
                return []
            check_embedder(connection, self.embedder)
            [vector] = embedded(self.embedder, [question])
            cosines = zip((row["id"] for row in rows), compared(rows, vector), strict=True)
            near = ((one, cosine) for one, cosine in cosines if cosine >= MIN_SIMILARITY)
            found = [self._lesson(connection, one, cosine) for one, cosine in near]
            members = self._scope.members(connection)
        if members is not None:
            documents = set(json.loads(members.documents))
            found = [one for one in found if is_within(one, question, documents)]
        return most_similar(found, limit)

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; see `ExperienceStore.learn`. Its `similarity` and `weight` are not kept."""
        if self.most < 1:
            return
        kept: Lesson = {**lesson, "question": clean(lesson["question"])}
        [embedding] = packed(embedded(self.embedder, [kept["question"]]))
        with self.store.writing(deadline) as connection:
            claim_embedder(connection, self.embedder)
            row = _put(connection, run_id, kept, embedding)
            if row is not None:
                self._cut(connection, keep=row)

    def revise(self, run_id: str, verdict: StandingVote, *, deadline: float) -> bool:
        """Keep what people said of a run's answer; whether the run had taught a lesson."""
        with self.store.writing(deadline) as connection:
            done = connection.execute(
                f"UPDATE experience SET verdict = ?, sequence = {SEQUENCE} WHERE namespace = ? AND run_id = ?",
                (verdict, connection.namespace, run_id),
            )
            return done.rowcount > 0

    def _lesson(self, connection: Connection, identifier: int, similarity: float) -> Lesson:
        row = connection.execute("SELECT * FROM experience WHERE id = ?", (identifier,)).fetchone()
        query = 'SELECT role, document_id, start, "end" FROM lesson_places WHERE lesson_id = ? ORDER BY rowid'
        places = [dict(place) for place in connection.execute(query, (identifier,))]
        own = {
            "places": places,
            "gate": row["source"] if row["source"] in get_args(GateName) else "",
            "unsupported": json.loads(row["form"]) if row["form"].startswith("[") else [],
            "similarity": similarity,
            "weight": weight(row["learned_at"], self.half_life),
        }
        stored = {name: row[name] for name in Lesson.__annotations__.keys() - own.keys()}
        return cast("Lesson", {**stored, **own})

    def _cut(self, connection: Connection, *, keep: int) -> None:
        """Remove what is more than there may be, the oldest first; `keep` stays.

        With places a lesson counts as one half-life younger, with a vote as two: it does more.
        """
        connection.execute(
            f"""
            DELETE FROM experience WHERE namespace = :namespace AND id IN (
                SELECT id FROM experience WHERE namespace = :namespace AND id != :keep
                ORDER BY julianday(learned_at) + :half_life * CASE
                    WHEN verdict != '' THEN 2
                    WHEN EXISTS (SELECT 1 FROM lesson_places WHERE lesson_id = experience.id) THEN 1
                    ELSE 0
                END DESC, id DESC
                LIMIT {EVERY} OFFSET :others
            )
            """,
            {
                "namespace": connection.namespace,
                "keep": keep,
                "half_life": self.half_life,
                "others": max(0, self.most - 1),
            },
        )


def _put(connection: Connection, run_id: str, lesson: Lesson, embedding: bytes) -> int | None:
    """Store a lesson, as it was learned just now; its row, or None where that run has one.

    Its gate and what was unsupported stand in the columns where 0.2.0 kept a query's source and form.
    """
    form = json.dumps([clean(one) for one in lesson["unsupported"]]) if lesson["unsupported"] else ""
    own = {
        "namespace": connection.namespace,
        "run_id": run_id,
        "learned_at": now(),
        "embedding": embedding,
        "form": form,
    }
    made = connection.execute(
        f"""
        INSERT INTO experience (
            namespace, run_id, sequence, learned_at, question, action, outcome, reason, query, embedding,
            source, form, objection, verdict
        ) VALUES (
            :namespace, :run_id, {SEQUENCE}, :learned_at, :question, :action, :outcome, :reason, '', :embedding,
            :gate, :form, :objection, :verdict
        )
        ON CONFLICT DO NOTHING RETURNING id
        """,
        {**{name: value for name, value in lesson.items() if name not in ("places", "unsupported")}, **own},
    ).fetchall()
    if not made:
        return None
    lesson_id = int(made[0]["id"])
    connection.executemany(
        "INSERT INTO lesson_places VALUES (:lesson, :namespace, :role, :document_id, :start, :end)",
        [{**place, "lesson": lesson_id, "namespace": connection.namespace} for place in lesson["places"]],
    )
    return lesson_id


def forget_document(connection: Connection, identifier: str) -> None:
    """Take a document's places out of the lessons, and what was written where it was seen: its text is gone."""
    places = "SELECT lesson_id FROM lesson_places WHERE document_id = ?"
    connection.execute(f"UPDATE experience SET sequence = {SEQUENCE} WHERE id IN ({places})", (identifier,))
    seen = """
        SELECT run_id FROM decisions JOIN decision_documents ON decision_id = decisions.id WHERE document_id = ?
    """
    connection.execute(
        f"UPDATE experience SET form = '', sequence = {SEQUENCE} "
        f"WHERE namespace = ? AND form != '' AND (run_id IN ({seen}) OR id IN ({places}))",
        (connection.namespace, identifier, identifier),
    )
    connection.execute("DELETE FROM lesson_places WHERE document_id = ?", (identifier,))
