"""Full-text search over chunks, of any text a person types and never a syntax; from rankings to passages."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from veridic.knowledge.connection import Connection, Members, Row
from veridic.ports.shapes import CORPUS, OUTSIDE, Citation, Passage
from veridic.text.stop_words import STOP_WORDS

MAX_TERMS = 48
"""Terms of a query that are looked up; the rest of a very long one is left out."""

WORD = re.compile(r"[^\W_]+")

FUSION_CONSTANT = 60
"""Reciprocal rank fusion's k: how slowly a rank loses weight."""


_PASSAGES = """
    SELECT chunks.id, chunks.document_id, chunks.kind, chunks.sequence, chunks.ordinal, chunks.start, chunks."end",
        chunks.title, chunks.heading, chunks.location, chunks.text, chunks.embedding, documents.url,
        documents.ingested_at
    FROM chunks JOIN documents ON documents.id = chunks.document_id
"""
"""What passages are made from."""

T = TypeVar("T", Row, Passage)


def terms(query: str) -> list[str]:
    """The distinct words of a query worth looking up; the function words only when there is nothing else."""
    words = list(dict.fromkeys(match.group().lower() for match in WORD.finditer(query)))
    return ([word for word in words if word not in STOP_WORDS] or words)[:MAX_TERMS]


def match(
    connection: Connection, query: str, limit: int, *, outside: bool = False, members: Members | None = None
) -> list[int]:
    """Ids of the active chunks that share words with the query, best first, at most `limit`.

    With `outside` those kept from outside and no others, else all but those; with `members` of these documents.
    """
    words = terms(query)
    if not words:
        return []
    return connection.matched(words, limit, outside=outside, members=members)


def fused(*rankings: Sequence[int]) -> list[int]:
    """Reciprocal rank fusion of rankings, best first; ties go to the one an earlier ranking has first."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (FUSION_CONSTANT + rank)
    return sorted(scores, key=lambda item: -scores[item])


def rows_of(connection: Connection, chunks: Sequence[int]) -> list[Row]:
    """The active chunks with these ids, in their order, with their documents."""
    marks = ",".join("?" * len(chunks)) or "NULL"
    rows = connection.execute(
        f"{_PASSAGES} WHERE chunks.namespace = ? AND chunks.status = 'active' AND chunks.id IN ({marks})",
        (connection.namespace, *chunks),
    )
    by_id = {row["id"]: row for row in rows}
    return [by_id[chunk] for chunk in chunks if chunk in by_id]


def beneath(connection: Connection, ranked: Sequence[int]) -> list[int]:
    """Chunks by rank, each once, and in place of a record's the active ones of people's documents that it rests on."""
    marks = ",".join("?" * len(ranked)) or "NULL"
    rests = connection.execute(
        f"""
        WITH RECURSIVE cited (record, document_id, start, "end") AS (
            SELECT chunks.id, lineage.source_document_id, lineage.start, lineage.end
            FROM chunks JOIN lineage ON lineage.document_id = chunks.document_id
            WHERE chunks.namespace = ? AND chunks.kind = 'generated' AND chunks.id IN ({marks})
            UNION
            SELECT cited.record, lineage.source_document_id, lineage.start, lineage.end
            FROM cited JOIN lineage ON lineage.document_id = cited.document_id
        )
        SELECT cited.record, chunks.id
        FROM cited JOIN chunks ON chunks.document_id = cited.document_id
        WHERE chunks.kind = 'human' AND chunks.status = 'active'
            AND chunks.start < cited.end AND chunks.end > cited.start
        ORDER BY chunks.id
        """,
        (connection.namespace, *ranked),
    )
    sources: dict[int, list[int]] = {}
    for record, chunk in rests:
        sources.setdefault(record, []).append(chunk)
    written = {row["id"] for row in rows_of(connection, ranked) if row["kind"] != "generated"}
    found = (source for chunk in ranked for source in ([chunk] if chunk in written else sources.get(chunk, [])))
    return list(dict.fromkeys(found))


def cited_chunks(connection: Connection, record: str) -> list[int]:
    """The active chunks of people's documents that hold what a record quotes, in their order; none if one quote is out.

    So too where it quotes nothing.
    """
    rows = connection.execute(
        """
        SELECT chunks.id FROM lineage LEFT JOIN chunks ON chunks.document_id = lineage.source_document_id
            AND chunks.namespace = ? AND chunks.kind = 'human' AND chunks.status = 'active'
            AND chunks.start < lineage.end AND chunks.end > lineage.start
        WHERE lineage.document_id = ? ORDER BY lineage.rowid, chunks.ordinal
        """,
        (connection.namespace, record),
    ).fetchall()
    held = [row["id"] for row in rows]
    return [] if None in held else list(dict.fromkeys(held))


def quoted_in(connection: Connection, cited: Citation) -> Passage:
    """The passage that holds the beginning of a citation; what is quoted alone, where none is held."""
    row = connection.execute(
        f"""
        {_PASSAGES} WHERE chunks.namespace = :namespace AND chunks.document_id = :document_id
            AND chunks.start <= :start AND chunks.end > :start
        ORDER BY ordinal DESC
        """,
        {**cited, "namespace": connection.namespace},
    ).fetchone()
    if row:
        return passage(row, found_by="")
    own = {"id": f"{cited['document_id']}:{cited['start']}", "text": cited["quote"], "source": cited["kind"]}
    unknown = {"heading": "", "found_by": "", "score": None}
    return cast("Passage", {name: {**cited, **own, **unknown}[name] for name in Passage.__annotations__})


def first_rows(connection: Connection, document_id: str, limit: int) -> list[Row]:
    """The rows of the first active chunks of a document, in order."""
    chunks = connection.execute(
        "SELECT id FROM chunks WHERE document_id = ? ORDER BY ordinal LIMIT ?", (document_id, limit)
    )
    return rows_of(connection, [row["id"] for row in chunks])


def passage(row: Row, *, found_by: str) -> Passage:
    """A row of `rows_of` as a passage that is not scored yet."""
    kept = row["kind"] == "outside"
    return Passage(
        id=f"{row['document_id']}:{row['ordinal']}",
        document_id=row["document_id"],
        kind=row["kind"],
        source=OUTSIDE if kept else CORPUS,
        title=row["title"],
        heading=row["heading"],
        url=row["url"].removesuffix(f"#{row['document_id']}") if kept else row["url"],
        location=row["location"],
        text=row["text"],
        start=row["start"],
        end=row["end"],
        retrieved_at=row["ingested_at"],
        found_by=found_by,
        score=None,
    )


def best_rows(connection: Connection, ranked: Sequence[int], limit: int) -> list[Row]:
    """The rows of the best chunks of a ranking, at most `limit`, no text twice."""
    return each_once(rows_of(connection, ranked[: 4 * limit]))[:limit]


def each_once(found: Iterable[T]) -> list[T]:
    """Passages, or their rows, in their order, no text twice."""
    each: dict[str, T] = {}
    for one in found:
        each.setdefault(one["text"], one)
    return list(each.values())
