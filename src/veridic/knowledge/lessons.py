"""Rows of lessons and their places: what one open transaction does to them."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from veridic.knowledge.clock import now
from veridic.knowledge.store import next_sequence
from veridic.ports.shapes import Lesson, LessonPlace, StandingVote

MOST = 5000
"""Lessons of a namespace."""
HALF_LIFE = 90.0
"""Days in which a lesson loses half of its weight."""
LEAST = 1 / 16
"""Weight from which a lesson is still recalled."""
Places = Mapping[int, list[LessonPlace]]
"""Places of lessons by row."""


def put(connection: sqlite3.Connection, namespace: str, run_id: str, lesson: Lesson, embedding: bytes) -> int | None:
    """Store a lesson, as it was learned just now; its row, or None where that run has one."""
    done = connection.execute(
        """
        INSERT OR IGNORE INTO experience (
            namespace, run_id, sequence, learned_at, question, action, outcome, reason, query, embedding,
            source, form, objection, verdict
        ) VALUES (
            :namespace, :run_id, :sequence, :learned_at, :question, :action, :outcome, :reason, :query, :embedding,
            :source, :form, :objection, :verdict
        )
        """,
        {
            **{name: value for name, value in lesson.items() if name != "places"},
            "namespace": namespace,
            "run_id": run_id,
            "sequence": next_sequence(connection),
            "learned_at": now(),
            "embedding": embedding,
        },
    )
    if not done.rowcount or done.lastrowid is None:
        return None
    connection.executemany(
        "INSERT INTO lesson_places VALUES (?, ?, ?, ?, ?, ?)",
        [
            (done.lastrowid, namespace, one["role"], one["document_id"], one["start"], one["end"])
            for one in lesson["places"]
        ],
    )
    return done.lastrowid


def vote(connection: sqlite3.Connection, namespace: str, run_id: str, verdict: StandingVote) -> bool:
    """Write down what people said of a run's answer; False where it left no lesson."""
    done = connection.execute(
        "UPDATE experience SET verdict = ?, sequence = ? WHERE namespace = ? AND run_id = ?",
        (verdict, next_sequence(connection), namespace, run_id),
    )
    return done.rowcount > 0


def cut(connection: sqlite3.Connection, namespace: str, most: int, half_life: float, *, keep: int) -> None:
    """Remove what is more than `most`, the oldest first; `keep` stays.

    With places a lesson counts as one half-life younger, with a vote as two: it does more.
    """
    connection.execute(
        """
        DELETE FROM experience WHERE namespace = :namespace AND id IN (
            SELECT id FROM experience WHERE namespace = :namespace AND id != :keep
            ORDER BY julianday(learned_at) + :half_life * CASE
                WHEN verdict != '' THEN 2
                WHEN EXISTS (SELECT 1 FROM lesson_places WHERE lesson_id = experience.id) THEN 1
                ELSE 0
            END DESC, id DESC
            LIMIT -1 OFFSET :others
        )
        """,
        {"namespace": namespace, "keep": keep, "half_life": half_life, "others": max(0, most - 1)},
    )


def half_lives(lesson: Lesson) -> int:
    """By how many half-lives a lesson counts as younger when old ones are removed."""
    return 2 if lesson["verdict"] else 1 if lesson["places"] else 0


def forget_document(connection: sqlite3.Connection, identifier: str, sequence: int) -> None:
    """Take a document's places out of the lessons, for its text is not there any more.

    What lessons of the first version hold of queries goes with it: such a query may have had words of the document.
    """
    connection.execute(
        """
        UPDATE experience SET sequence = ?, query = CASE WHEN query = question THEN query ELSE '' END
        WHERE id IN (SELECT lesson_id FROM lesson_places WHERE document_id = ?)
            OR (query NOT IN ('', question) AND namespace = (SELECT namespace FROM documents WHERE id = ?))
        """,
        (sequence, identifier, identifier),
    )
    connection.execute("DELETE FROM lesson_places WHERE document_id = ?", (identifier,))


def weight(learned_at: str, half_life: float) -> float:
    """What is left of a lesson: 1.0 at first, half of it after each half-life (days); 1.0 where the clock went back."""
    try:
        learned = datetime.fromisoformat(learned_at)
    except ValueError:
        return 0.0
    age = datetime.now(UTC) - (learned if learned.tzinfo else learned.replace(tzinfo=UTC))
    return float(0.5 ** (max(0.0, age.total_seconds()) / 86_400 / half_life))


def ids(connection: sqlite3.Connection, namespace: str) -> set[int]:
    """Of all lessons there are."""
    return {row[0] for row in connection.execute("SELECT id FROM experience WHERE namespace = ?", (namespace,))}


def changed_since(connection: sqlite3.Connection, namespace: str, sequence: int) -> list[sqlite3.Row]:
    """The rows that were written after a transaction, oldest first."""
    query = "SELECT * FROM experience WHERE namespace = ? AND sequence > ? ORDER BY id"
    return connection.execute(query, (namespace, sequence)).fetchall()


def places_of(connection: sqlite3.Connection, lessons: Sequence[int]) -> Places:
    """The places of each of these lessons, as they were learned."""
    query = "SELECT * FROM lesson_places WHERE lesson_id = ? ORDER BY rowid"
    return {one: [_place(row) for row in connection.execute(query, (one,))] for one in lessons}


def _place(row: sqlite3.Row) -> LessonPlace:
    return LessonPlace(role=row["role"], document_id=row["document_id"], start=row["start"], end=row["end"])
