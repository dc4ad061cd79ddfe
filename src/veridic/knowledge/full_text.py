"""Full-text search over chunks: any text a person types, never FTS5 syntax."""

import re

from veridic.knowledge.scope import Members, clause
from veridic.knowledge.store import Connection
from veridic.text.stop_words import STOP_WORDS

MAX_TERMS = 48
"""Terms of a query that are looked up; the rest of a very long one is left out."""

WORD = re.compile(r"[^\W_]+")


def terms(query: str) -> list[str]:
    """The distinct words of a query worth looking up; the function words only when there is nothing else."""
    words = list(dict.fromkeys(match.group().lower() for match in WORD.finditer(query)))
    return ([word for word in words if word not in STOP_WORDS] or words)[:MAX_TERMS]


def match(
    connection: Connection, query: str, limit: int, *, outside: bool = False, members: Members | None = None
) -> list[int]:
    """Ids of the active chunks that share words with the query, best by BM25 first, at most `limit`.

    With `outside` those kept from outside and no others, else all but those; with `members` of these documents.
    """
    words = terms(query)
    if not words:
        return []
    asked = " OR ".join(f'"{word}"' for word in words)
    inside, values = clause("chunks.document_id", members)
    rows = connection.execute(
        f"""
        SELECT chunks.id FROM chunk_words JOIN chunks ON chunks.id = chunk_words.rowid
        WHERE chunk_words MATCH ? AND chunks.namespace = ? AND chunks.status = 'active'
            AND (chunks.kind = 'outside') = ? {inside}
        ORDER BY bm25(chunk_words, 2.0, 1.0, 1.0), chunks.id LIMIT ?
        """,
        (asked, connection.namespace, outside, *values, limit),
    )
    return [row[0] for row in rows]
