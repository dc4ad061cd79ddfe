"""Whether a knowledge base holds together, and embedding anew all that it holds."""

import json
from collections.abc import Iterator

from veridic.evidence.evidence import under_heading
from veridic.knowledge import record_rows
from veridic.knowledge.connection import SEQUENCE, Connection
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.intake import BATCH_CHUNKS, Progress
from veridic.knowledge.record_rows import Record
from veridic.knowledge.reviewing import LIVE
from veridic.knowledge.vectors import name_embedder, packed
from veridic.ports.embedding import embedded
from veridic.ports.shapes import Citation

_KEYS = {"chunks": "id", "experience": "id", "records": "rowid"}
"""What names a row of each table with embeddings."""


def problems(corpus: Corpus) -> list[str]:
    """What is wrong in a namespace, and with the whole store, a sentence each; nothing where it is sound.

    Raises `StoreUnavailable`, `EmbedderMismatch`, and `StoreDamaged` for a store that cannot be read at all.
    """
    found = corpus.store.problems()
    with corpus.store.reading() as connection:
        for record in record_rows.listed(connection, LIVE):
            found += _record(connection, record)
    return [*found, *corpus.store.mended()]


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


def reembed(corpus: Corpus, *, progress: Progress = lambda *_: None) -> int:
    """Embed all chunks, lessons and records' questions of the store with the corpus's embedder; returns how many.

    It is one transaction: other processes see the old embeddings until its end, and cannot write meanwhile. Raises
    `StoreUnavailable`, `StoreDamaged`.
    """
    store, embedder = corpus.store, corpus.embedder
    with store.writing() as connection:
        texts = list(_texts(connection))
        for at in range(0, len(texts), BATCH_CHUNKS):
            batch = texts[at : at + BATCH_CHUNKS]
            vectors = packed(embedded(embedder, [text for _, _, text in batch]))
            for (table, row, _), vector in zip(batch, vectors, strict=True):
                change = f"UPDATE {table} SET embedding = ?, sequence = {SEQUENCE} WHERE {_KEYS[table]} = ?"
                connection.execute(change, (vector, row))
            progress(at + len(batch), len(texts), "embeddings")
        name_embedder(connection, embedder)
    return len(texts)


def _texts(connection: Connection) -> Iterator[tuple[str, int, str]]:
    """Table and row of everything embedded, with its text."""
    for row in connection.execute("SELECT id, title, heading, text FROM chunks").fetchall():
        yield "chunks", row["id"], under_heading(row["title"], row["heading"], row["text"])
    for table in ("experience", "records"):
        for row in connection.execute(f"SELECT {_KEYS[table]} AS place, question FROM {table}").fetchall():
            yield table, row["place"], row["question"]
