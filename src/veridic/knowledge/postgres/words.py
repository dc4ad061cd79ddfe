"""Full-text search by `tsvector`, ranked as BM25 ranks: rare words weigh more, and a word said again less each time.

What costs is the rows: a common word stands in many. So, as MaxScore (Turtle and Flood 1995) has it, chunks that share
only the commonest words are not looked for where these together weigh no more than one rarer word, which fills the
ranks by itself; nor any word that the statistics know, once rarer ones brought enough. Of what was found the likeliest,
by the words alone and by their length, are read and ranked, by all the words.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridic.knowledge.connection import Members, clause
from veridic.knowledge.postgres.partitions import partition
from veridic.knowledge.postgres.roles import SCHEMA

if TYPE_CHECKING:
    from veridic.knowledge.connection import Connection

READ = 8
"""Chunks that are read and ranked, for each one that is wanted."""
ENOUGH = 40
"""Chunks that words bring, for each one that is wanted, after which no commoner word is looked for. It halves the cost
among 100,000 chunks, and as many of 100 questions find what they ask for."""
FEW = 2000
"""Chunks of a scope up to which they are read, and no index of words."""


def matched(
    connection: "Connection", words: Sequence[str], limit: int, *, outside: bool, members: Members | None
) -> list[int]:
    """See `connection.Connection.matched`.

    `ts_rank` counts one word in one chunk, a title's twice, with less for each repetition and for length. How rare the
    word is weighs it: by the chunks found, of a word not looked for by the statistics of the last ANALYZE, which tell
    the commonest words; without them, and in a scope, every word is looked for. The namespace's partition is asked by
    its name: under a policy PostgreSQL does not use the index of words, for its operator is not leakproof.
    """
    chunks = partition("chunks", connection.namespace)
    found, (inside, values), own = chunks, clause("chunks.document_id", members), list[list[int]]()
    if members is not None and not outside and len(members.chunks) <= FEW:
        found, inside, values, own = "own", "", (), [list(members.chunks)]
    rows = connection.execute(
        f"WITH {_asked(chunks)}, {_hits(chunks, found, inside, read=bool(own))}, {_weighed(chunks)}, {_ranked(chunks)}",
        (limit, members is None and not outside, limit, " ".join(words), *own, outside, *values, limit, limit),
    )
    return [row[0] for row in rows]


def _asked(chunks: str) -> str:
    """The words of a question, how rare each is by the statistics, and which are left out."""
    return f"""
        common AS MATERIALIZED (
            SELECT lexeme, -ln(share) AS rare, share * reltuples AS chunks, share * reltuples >= ? AS fills
            FROM pg_class, pg_stats,
                unnest(most_common_elems::text::text[], most_common_elem_freqs) AS each (lexeme, share)
            WHERE pg_class.oid = '{chunks}'::regclass AND ?
                AND schemaname = '{SCHEMA}' AND tablename = relname AND attname = 'words'
        ), asked AS MATERIALIZED (
            SELECT place, quote_literal(lexeme)::tsquery AS word, rare,
                {ENOUGH} * ? <= sum(chunks) OVER (
                    ORDER BY rare DESC NULLS FIRST, place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) OR rare < max(rare) FILTER (WHERE fills) OVER ()
                    AND sum(rare) OVER (ORDER BY rare) <= max(rare) FILTER (WHERE fills) OVER () AS left_out
            FROM unnest(to_tsvector('words', folded(?))) WITH ORDINALITY AS each (lexeme, positions, weights, place)
            LEFT JOIN common USING (lexeme)
        )"""


def _hits(chunks: str, found: str, inside: str, *, read: bool) -> str:
    """Which chunks hold which word: of the table, or of the few that are `read`."""
    return f"""
        own AS MATERIALIZED (
            SELECT id, status, kind, start, "end", words || ''::tsvector AS words FROM {chunks}
            WHERE {"id = ANY(?)" if read else "false"}
        ), hits AS MATERIALIZED (
            SELECT chunks.id, asked.place, (chunks."end" - chunks.start)::double precision AS characters
            FROM asked JOIN {found} AS chunks ON chunks.words @@ asked.word
            WHERE asked.left_out IS NOT TRUE AND chunks.status = 'active' AND (chunks.kind = 'outside') = ? {inside}
        )"""


def _weighed(chunks: str) -> str:
    """What each word weighs: more, the fewer of all chunks hold it."""
    return f"""
        held AS MATERIALIZED (
            SELECT greatest(reltuples, (SELECT count(*) FROM hits))::double precision AS chunks
            FROM pg_class WHERE oid = '{chunks}'::regclass
        ), counted AS MATERIALIZED (
            SELECT place, count(*) AS chunks FROM hits GROUP BY place
        ), weighed AS MATERIALIZED (
            SELECT place, word, CASE WHEN left_out IS TRUE THEN rare
                ELSE ln(1 + (held.chunks - counted.chunks + 0.5) / (counted.chunks + 0.5)) END AS rare
            FROM held CROSS JOIN asked LEFT JOIN counted USING (place)
        )"""


def _ranked(chunks: str) -> str:
    """The likeliest by the words that were looked for are read, and ranked by all."""
    return f"""
        likely AS MATERIALIZED (
            SELECT id FROM hits JOIN weighed USING (place) GROUP BY id, characters
            ORDER BY sum(rare) / (1 + ln(1 + characters / 8)) DESC, id LIMIT {READ} * ?
        ), taken AS MATERIALIZED (
            SELECT id, chunks.words || ''::tsvector AS words FROM likely JOIN {chunks} AS chunks USING (id)
        )
        SELECT id FROM taken CROSS JOIN LATERAL (
            SELECT sum(weighed.rare * ts_rank('{{0.5, 0.5, 0.5, 1}}', taken.words, weighed.word, 1)) AS score
            FROM weighed
        ) AS ranked ORDER BY score DESC, id LIMIT ?"""
