"""Making every stored embedding anew with another embedder."""

from collections.abc import Callable, Sequence

from veridic.knowledge.base import Knowledge
from veridic.knowledge.embeddings import embedded_text, name_embedder, packed
from veridic.knowledge.store import SEQUENCE, Connection, last_sequence
from veridic.ports.embedding import Embedder, embedded

BATCH = 64

Key = tuple[str, int]
"""A table and a row of it."""

Progress = Callable[[int, int, str], None]
"""Called with how many texts are embedded, how many there are, and what they are."""


def reembed(knowledge: Knowledge, *, progress: Progress = lambda *_: None) -> int:
    """Embed all chunks, lessons and records' questions of all namespaces with the corpus's embedder; returns how many.

    Until the one transaction at the end, other processes see the old embeddings. Texts that
    come in meanwhile are embedded too. Raises `StoreUnavailable`, `StoreDamaged`.
    """
    store, embedder = knowledge.corpus.store, knowledge.corpus.embedder
    fresh: dict[Key, bytes] = {}
    seen = -1
    while True:
        with store.reading() as connection:
            sequence = last_sequence(connection)
            texts = _texts(connection, seen)
        _embed(texts, embedder, fresh, progress)
        with store.writing() as connection:
            if last_sequence(connection) == sequence + 1:  # nobody wrote meanwhile
                written = _write(connection, fresh, embedder)
                break
        seen = sequence
    knowledge.corpus.forget_index()
    knowledge.corpus.save_index()
    return written


def _texts(connection: Connection, after: int) -> list[tuple[Key, str]]:
    """Table and row of everything embedded that is newer than a sequence number, with its text."""
    chunks = connection.execute("SELECT id, title, heading, text FROM chunks WHERE sequence > ?", (after,))
    texts = [(("chunks", row["id"]), embedded_text(row["title"], row["heading"], row["text"])) for row in chunks]
    asked = [
        ((table, row["place"]), row["question"])
        for table in ("experience", "records")
        for row in connection.execute(f"SELECT rowid AS place, question FROM {table} WHERE sequence > ?", (after,))
    ]
    return texts + asked


def _embed(
    texts: Sequence[tuple[Key, str]],
    embedder: Embedder,
    fresh: dict[Key, bytes],
    progress: Progress,
) -> None:
    for at in range(0, len(texts), BATCH):
        batch = texts[at : at + BATCH]
        vectors = packed(embedded(embedder, [text for _, text in batch]))
        fresh.update(zip((key for key, _ in batch), vectors, strict=True))
        progress(at + len(batch), len(texts), "embeddings")


def _write(connection: Connection, fresh: dict[Key, bytes], embedder: Embedder) -> int:
    """Put the new embeddings in place and return how many; one of a row that went meanwhile finds nothing."""
    written = 0
    for (table, identifier), embedding in fresh.items():
        written += connection.execute(
            f"UPDATE {table} SET embedding = ?, sequence = {SEQUENCE} WHERE rowid = ?", (embedding, identifier)
        ).rowcount
    name_embedder(connection, embedder)
    return written
