"""Giving a document or a record any status, which in the product only a decision about a record does."""

from veridic.knowledge import document_rows, lineage, record_rows, reviewing
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.document_rows import Status
from veridic.ports.shapes import Citation


def give_status(corpus: Corpus, identifier: str, status: Status) -> None:
    """Give it the status; what rests on it is withdrawn where it counts no more. Raises `DocumentMissing`."""
    document = corpus.document(identifier)
    with corpus.store.writing() as connection:
        if record_rows.read(connection, document.id) is not None:
            reviewing.give(connection, document.id, status, "rechecked", reason="")
            return
        document_rows.set_status(connection, document.id, status)
        if status != "active":
            lineage.withdraw_resting_on(connection, document.id)


def sources_of(corpus: Corpus, identifier: str) -> list[Citation]:
    """What a record rests on."""
    with corpus.store.reading() as connection:
        return record_rows.sources_of(connection, identifier)
