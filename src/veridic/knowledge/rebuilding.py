"""Making anew what is derived from the store: its indexes, and the vectors that migrated records lack."""

from dataclasses import dataclass

from veridic.knowledge import records
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.embeddings import claim_embedder, packed
from veridic.knowledge.store import SEQUENCE
from veridic.knowledge.vectors import DenseIndex
from veridic.ports.embedding import embedded


@dataclass(frozen=True)
class Rebuilt:
    """What was made anew."""

    chunks: int
    """In the dense index."""
    questions: int
    """Of records, which can be found by them from now on."""
    expired: list[str]
    """Ids of the records whose time on probation was over."""


def rebuild(corpus: Corpus) -> Rebuilt:
    """Make the indexes of a namespace from its tables; what waited on probation too long leaves.

    The index of words is the whole file's. Raises `StoreUnavailable`, `StoreDamaged`, `EmbedderMismatch`.
    """
    questions = _fill_questions(corpus)
    with corpus.store.writing() as connection:
        connection.execute("INSERT INTO chunk_words (chunk_words) VALUES ('rebuild')")
        expired = records.expire(connection, corpus.namespace)
    return Rebuilt(chunks=_make_index(corpus), questions=questions, expired=expired)


def _make_index(corpus: Corpus) -> int:
    """Make the dense index anew and save it; returns how many chunks it holds."""
    index = DenseIndex(corpus.store, corpus.namespace, corpus.embedder)
    with corpus.store.reading() as connection:
        index.make_anew(connection)
        corpus.forget_index()
        return len(index.ids(connection))


def _fill_questions(corpus: Corpus) -> int:
    """Embed the questions of records that have no vector; returns how many."""
    with corpus.store.reading() as connection:
        rows = connection.execute(
            "SELECT document_id, question FROM records WHERE namespace = ? AND embedding IS NULL", (corpus.namespace,)
        ).fetchall()
    if not rows:
        return 0
    vectors = packed(embedded(corpus.embedder, [row["question"] for row in rows]))
    with corpus.store.writing() as connection:
        claim_embedder(connection, corpus.embedder)
        connection.executemany(
            f"UPDATE records SET embedding = ?, sequence = {SEQUENCE} WHERE document_id = ? AND embedding IS NULL",
            [(vector, row["document_id"]) for vector, row in zip(vectors, rows, strict=True)],
        )
    return len(rows)
