"""What rests on what: documents come and go, and what was learned from them is checked again or goes with them."""

import json
from collections.abc import Iterable, Sequence

from veridic.knowledge import document_rows, record_rows
from veridic.knowledge.connection import SEQUENCE, Connection
from veridic.knowledge.document_rows import Chunk, Document
from veridic.ports.shapes import Citation

CHANGED, GONE = "A document it rests on changed.", "A document it rests on is gone."
REJECTED, REMOVED = "What it rests on counts no more.", "It was removed."


def put(connection: Connection, document: Document, chunks: Sequence[Chunk], embeddings: Iterable[bytes]) -> list[str]:
    """Store a document with its chunks; one of the same id is replaced.

    A record stays when all it quotes of the document still stands there word for word, and then counts in the new
    text; another one that rests on it is withdrawn, and its id returned.
    """
    document_rows.put(connection, document, chunks, embeddings)
    resting = resting_on(connection, document.id, directly=True)
    changed = [one for one in resting if not _recounted(connection, one, document)]
    return _withdrawn(connection, changed, CHANGED)


def remove(connection: Connection, identifier: str) -> list[str]:
    """Delete a document; records that rest on it are withdrawn without what they say, and their ids returned."""
    resting = resting_on(connection, identifier, live=False)
    was_record = record_rows.read(connection, identifier) is not None
    document_rows.remove(connection, identifier)
    if was_record:
        record_rows.note(connection, identifier, "withdrawn", reason=REMOVED)
    withdrawn = _withdrawn(connection, resting_on(connection, identifier), GONE)
    for record in resting:
        _blank(connection, record)
    return withdrawn


def withdraw_resting_on(connection: Connection, identifier: str) -> list[str]:
    """Withdraw what rests on a document that counts no more; returns ids."""
    return _withdrawn(connection, resting_on(connection, identifier), REJECTED)


def withdraw_orphan(connection: Connection, identifier: str, sources: Sequence[Citation]) -> None:
    """Withdraw a new record when one of its sources went between answer and write."""
    own = {source["document_id"] for source in sources if source["kind"] != "outside"}
    if any(document_rows.find(connection, source) is None for source in own):
        record_rows.move(connection, identifier, "withdrawn", "withdrawn", reason=GONE)


def resting_on(connection: Connection, identifier: str, *, directly: bool = False, live: bool = True) -> list[str]:
    """The ids of the records that rest on a document, directly or through another one.

    With `live` those alone that are not out already.
    """
    rows = connection.execute(
        """
        WITH RECURSIVE resting (id) AS (
            SELECT document_id FROM lineage WHERE source_document_id = :source
            UNION
            SELECT lineage.document_id FROM lineage JOIN resting ON lineage.source_document_id = resting.id
            WHERE NOT :directly
        )
        SELECT documents.id FROM documents JOIN resting ON documents.id = resting.id
        WHERE NOT :live OR documents.status IN ('active', 'probation', 'review')
        """,
        {"source": identifier, "directly": directly, "live": live},
    ).fetchall()
    return [row["id"] for row in rows]


def quoting(connection: Connection, place: Citation) -> list[str]:
    """The ids of the records that quote something of a place in a document."""
    rows = connection.execute(
        'SELECT DISTINCT document_id FROM lineage WHERE source_document_id = ? AND start < ? AND "end" > ?',
        (place["document_id"], place["end"], place["start"]),
    ).fetchall()
    return [row["document_id"] for row in rows]


def _withdrawn(connection: Connection, found: Sequence[str], reason: str) -> list[str]:
    """Withdraw records and what rests on them; returns the ids of all."""
    whole = dict.fromkeys(one for record in found for one in (record, *resting_on(connection, record)))
    for one in whole:
        record_rows.move(connection, one, "withdrawn", "withdrawn", reason=reason)
    return list(whole)


def _recounted(connection: Connection, record: str, document: Document) -> bool:
    """Whether all that a record quotes of a document stands in its new text; the record then counts in that."""
    quoted = [one for one in record_rows.sources_of(connection, record) if one["document_id"] == document.id]
    moved = [(one, _nearest(document.text, one)) for one in quoted]
    if any(start is None for _, start in moved):
        return False
    places = {(one["start"], one["end"]): _placed(connection, one, start or 0) for one, start in moved}
    for (start, end), place in places.items():
        connection.execute(
            """
            UPDATE lineage SET start = ?, "end" = ?, location = ?
            WHERE document_id = ? AND source_document_id = ? AND start = ? AND "end" = ?
            """,
            (place["start"], place["end"], place["location"], record, document.id, start, end),
        )
    _recount_sentences(connection, record, document.id, places)
    record_rows.touch(connection, record)
    record_rows.note(connection, record, "rechecked", reason="What it quotes still stands.")
    return True


def _nearest(text: str, quoted: Citation) -> int | None:
    """Where a quote stands in a text, of several places the nearest to the old one; None where it does not."""
    quote, found, at = quoted["quote"], list[int](), text.find(quoted["quote"])
    while at >= 0 and quote:
        found.append(at)
        at = text.find(quote, at + 1)
    return min(found, key=lambda start: abs(start - quoted["start"]), default=None)


def _placed(connection: Connection, quoted: Citation, start: int) -> Citation:
    """A citation at its new place, with the location of the chunk that holds it."""
    end = start + len(quoted["quote"])
    row = connection.execute(
        'SELECT location FROM chunks WHERE document_id = ? AND start <= ? AND "end" > ? ORDER BY ordinal DESC',
        (quoted["document_id"], start, start),
    ).fetchone()
    return {**quoted, "start": start, "end": end, "location": row["location"] if row else quoted["location"]}


def _recount_sentences(
    connection: Connection, record: str, document_id: str, places: dict[tuple[int, int], Citation]
) -> None:
    row = connection.execute("SELECT sentences FROM records WHERE document_id = ?", (record,)).fetchone()
    sentences = json.loads(row["sentences"]) if row else []
    for cited in (one for sentence in sentences for one in sentence["citations"]):
        if cited["document_id"] == document_id and (place := places.get((cited["start"], cited["end"]))):
            cited.update(place)
    connection.execute("UPDATE records SET sentences = ? WHERE document_id = ?", (json.dumps(sentences), record))


def _blank(connection: Connection, record: str) -> None:
    """Take away what a record says, which may be a removed document's words; that it was there stays."""
    document_rows.drop_chunks(connection, record)
    for statement in (
        "UPDATE documents SET text = '' WHERE id = ?",
        "UPDATE lineage SET quote = '', title = '', url = '' WHERE document_id = ?",
        f"UPDATE records SET short_answer = '', sentences = '[]', sequence = {SEQUENCE} WHERE document_id = ?",
    ):
        connection.execute(statement, (record,))
