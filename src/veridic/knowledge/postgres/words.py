"""Full-text search by `tsvector`, ranked as BM25 ranks: rare words weigh more, and a word said again less each time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridic.knowledge.connection import Members, clause
from veridic.knowledge.postgres.partitions import partition

if TYPE_CHECKING:
    from veridic.knowledge.connection import Connection


def matched(
    connection: "Connection", words: Sequence[str], limit: int, *, outside: bool, members: Members | None
) -> list[int]:
    """See `connection.Connection.matched`.

    `ts_rank` counts one word in one chunk, a title's twice, with less for each repetition and for length; how rare the
    word is among those that may be found weighs it. The namespace's own partition is asked: a policy would keep
    PostgreSQL from using the index of words, for its operator is not leakproof.
    """
    chunks = partition("chunks", connection.namespace)
    inside, values = clause("chunks.document_id", members)
    rows = connection.execute(
        f"""
        WITH asked AS (
            SELECT quote_literal(lexeme)::tsquery AS word FROM unnest(to_tsvector('words', folded(?)))
        ), hits AS (
            SELECT chunks.id, count(*) OVER (PARTITION BY asked.word) AS often,
                ts_rank('{{0.5, 0.5, 0.5, 1}}', chunks.words, asked.word, 1) AS weight
            FROM asked JOIN {chunks} AS chunks ON chunks.words @@ asked.word
            WHERE chunks.status = 'active' AND (chunks.kind = 'outside') = ? {inside}
        ), held AS (
            SELECT count(*)::float AS chunks FROM {chunks} WHERE status = 'active' AND (kind = 'outside') = ?
        )
        SELECT id FROM hits CROSS JOIN held
        GROUP BY id ORDER BY sum(weight * ln(1 + (held.chunks - often + 0.5) / (often + 0.5))) DESC, id LIMIT ?
        """,
        (" ".join(words), outside, *values, outside, limit),
    )
    return [row[0] for row in rows]
