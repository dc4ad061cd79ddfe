"""Whether a knowledge base holds together, and making anew what is derived from its tables."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from veridic.knowledge import record_rows
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.record_rows import Record
from veridic.knowledge.reviewing import LIVE
from veridic.knowledge.store import Connection
from veridic.knowledge.vectors import SEARCHABLE, DenseIndex
from veridic.ports.shapes import Citation


def problems(corpus: Corpus) -> list[str]:
    """What is wrong in a namespace, and with the whole file, a sentence each; nothing where it is sound.

    Raises `StoreUnavailable`, `EmbedderMismatch`, and `StoreDamaged` for a file that cannot be read at all.
    """
    found = [f"SQLite finds the file damaged: {one}." for one in corpus.store.problems()]
    with corpus.store.reading() as connection:
        found += _dangling(connection)
        found += _chunks(connection)
        for record in record_rows.listed(connection, LIVE):
            found += _record(connection, record)
    return [*found, *_views(corpus)]


def _dangling(connection: Connection) -> Iterator[str]:
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"Row {row} of {table} belongs to a row of {parent} that is not there."


def _chunks(connection: Connection) -> Iterator[str]:
    """Chunks that are not the text of their document, or of another status or kind."""
    rows = connection.execute(
        """
        SELECT chunks.document_id, ordinal,
            substr(documents.text, start + 1, end - start) != chunks.text AS elsewhere
        FROM chunks JOIN documents ON documents.id = chunks.document_id
        WHERE documents.namespace = ? AND (
            elsewhere OR chunks.status != documents.status OR chunks.kind != documents.kind
            OR chunks.namespace != documents.namespace
        )
        """,
        (connection.namespace,),
    )
    for row in rows:
        told = "is not what its offsets hold" if row["elsewhere"] else "has another status or kind than its document"
        yield f"Chunk {row['ordinal']} of {row['document_id']} {told}."


def _record(connection: Connection, record: Record) -> Iterator[str]:
    """What of a record that counts does not rest on documents that count."""
    cited = [one for sentence in record.sentences for one in sentence["citations"]]
    told = dict.fromkeys(amiss(connection, one) for one in [*record.sources, *cited])
    for problem in filter(None, told):
        yield f"{record.id} rests on {problem}."


def amiss(connection: Connection, cited: Citation) -> str | None:
    """What is wrong with a citation; nothing with one of outside, whose pages come and go."""
    if cited["kind"] == "outside":
        return None
    row = connection.execute(
        """
        SELECT status, substr(text, :start + 1, :end - :start) = :quote AS stands FROM documents
        WHERE namespace = :namespace AND id = :document_id
        """,
        {**cited, "namespace": connection.namespace},
    ).fetchone()
    if row is None:
        return f"{cited['document_id']}, which is not held"
    if row["status"] not in (("active",) if cited["kind"] == "human" else LIVE):
        return f"{cited['document_id']}, which is {row['status']}"
    return None if row["stands"] else f"{json.dumps(cited['quote'][:60])}, which {cited['document_id']} does not say"


def _views(corpus: Corpus) -> Iterator[str]:
    """Whether the indexes hold what the table does."""
    mend = "run `veridic memory rebuild`"
    with corpus.store.writing() as connection:
        try:
            connection.execute("INSERT INTO chunk_words (chunk_words, rank) VALUES ('integrity-check', 1)")
        except sqlite3.DatabaseError:
            yield f"The index of words is not that of the chunks: {mend}."
        rows = connection.execute(f"SELECT id FROM chunks WHERE {SEARCHABLE}", (corpus.namespace,))
        active = {row["id"] for row in rows}
    with corpus.store.reading() as connection:
        indexed = DenseIndex(corpus.store, corpus.embedder).ids(connection)
    if indexed != active:
        yield f"The dense index holds {len(indexed)} chunks and the table {len(active)}, not the same ones: {mend}."


@dataclass(frozen=True)
class Rebuilt:
    """What was made anew."""

    chunks: int
    """In the dense index."""
    expired: list[str]
    """Ids of the records whose time on probation was over."""


def rebuild(corpus: Corpus) -> Rebuilt:
    """Make the indexes of a namespace from its tables; what waited on probation too long leaves.

    The index of words is the whole file's. Raises `StoreUnavailable`, `StoreDamaged`, `EmbedderMismatch`.
    """
    with corpus.store.writing() as connection:
        connection.execute("INSERT INTO chunk_words (chunk_words) VALUES ('rebuild')")
        expired = record_rows.expire(connection)
    return Rebuilt(chunks=_make_index(corpus), expired=expired)


def _make_index(corpus: Corpus) -> int:
    """Make the dense index anew and save it; returns how many chunks it holds."""
    index = DenseIndex(corpus.store, corpus.embedder)
    with corpus.store.reading() as connection:
        index.make_anew(connection)
        corpus.forget_index()
        return len(index.ids(connection))
