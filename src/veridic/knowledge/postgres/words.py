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

    `ts_rank` counts one word in one chunk, a title's twice, with less for each repetition and for length. How rare the
    word is weighs it, by the server's own estimate of how many chunks there are. The namespace's partition is asked by
    its name: under a policy PostgreSQL does not use the index of words, for its operator is not leakproof.
    """
    chunks = partition("chunks", connection.namespace)
    inside, values = clause("chunks.document_id", members)
    rows = connection.execute(
        f"""
        WITH asked AS (
            SELECT lexeme, quote_literal(lexeme)::tsquery AS word FROM unnest(to_tsvector('words', folded(?)))
        ), hits AS MATERIALIZED (
            SELECT chunks.id, asked.lexeme, ts_rank('{{0.5, 0.5, 0.5, 1}}', chunks.words, asked.word, 1) AS weight
            FROM asked JOIN {chunks} AS chunks ON chunks.words @@ asked.word
            WHERE chunks.status = 'active' AND (chunks.kind = 'outside') = ? {inside}
        ), rarity AS (
            SELECT lexeme, ln(1 + (held.chunks - count(*) + 0.5) / (count(*) + 0.5)) AS rare
            FROM hits CROSS JOIN (
                SELECT greatest(reltuples, (SELECT count(*) FROM hits)) AS chunks
                FROM pg_class WHERE oid = '{chunks}'::regclass
            ) AS held GROUP BY lexeme, held.chunks
        )
        SELECT id FROM hits JOIN rarity USING (lexeme) GROUP BY id ORDER BY sum(weight * rare) DESC, id LIMIT ?
        """,
        (" ".join(words), outside, *values, limit),
    )
    return [row[0] for row in rows]
