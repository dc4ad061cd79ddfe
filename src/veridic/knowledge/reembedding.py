"""Making every stored embedding anew with another embedder."""

from collections.abc import Callable, Iterator

from veridic.knowledge.base import Knowledge
from veridic.knowledge.embeddings import embedded_text, name_embedder, packed
from veridic.knowledge.store import SEQUENCE, Connection
from veridic.ports.embedding import embedded

BATCH = 64

Progress = Callable[[int, int, str], None]
"""Called with how many texts are embedded, how many there are, and what they are."""


def reembed(knowledge: Knowledge, *, progress: Progress = lambda *_: None) -> int:
    """Embed all chunks, lessons and records' questions of all namespaces with the corpus's embedder; returns how many.

    It is one transaction: other processes see the old embeddings until its end, and cannot write meanwhile. Raises
    `StoreUnavailable`, `StoreDamaged`.
    """
    store, embedder = knowledge.corpus.store, knowledge.corpus.embedder
    with store.writing() as connection:
        texts = list(_texts(connection))
        for at in range(0, len(texts), BATCH):
            batch = texts[at : at + BATCH]
            vectors = packed(embedded(embedder, [text for _, _, text in batch]))
            for (table, row, _), vector in zip(batch, vectors, strict=True):
                change = f"UPDATE {table} SET embedding = ?, sequence = {SEQUENCE} WHERE rowid = ?"
                connection.execute(change, (vector, row))
            progress(at + len(batch), len(texts), "embeddings")
        name_embedder(connection, embedder)
    return len(texts)


def _texts(connection: Connection) -> Iterator[tuple[str, int, str]]:
    """Table and row of everything embedded, with its text."""
    for row in connection.execute("SELECT id, title, heading, text FROM chunks").fetchall():
        yield "chunks", row["id"], embedded_text(row["title"], row["heading"], row["text"])
    for table in ("experience", "records"):
        for row in connection.execute(f"SELECT rowid AS place, question FROM {table}").fetchall():
            yield table, row["place"], row["question"]
