"""What was learned: records stored, found again by their questions, refreshed, contested."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from veridic.evidence.evidence import under_heading
from veridic.knowledge import document_rows, lineage, record_rows, reviewing
from veridic.knowledge.chunking import chunked
from veridic.knowledge.connection import SEQUENCE, Connection, KnowledgeStore, Members, clause, now
from veridic.knowledge.document_rows import Document, document_id
from veridic.knowledge.ranking import cited_chunks, passage, rows_of
from veridic.knowledge.readers.model import one_line
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.record_rows import Record
from veridic.knowledge.vectors import claim_embedder, compared, packed
from veridic.ports.embedding import Embedder, embedded
from veridic.ports.memory import AskedAgain, GeneratedRecord, Recollected
from veridic.ports.shapes import Citation, Recollection, RecordStatus
from veridic.text.hidden import clean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE = 0.6
"""Cosine of two questions from which the record of one is told of for the other."""

MOST = 8
"""Records that are told of."""

CONTESTED = "Documents, or answers, were found to disagree about it."


class LearnedRecords:
    """One namespace's records. Raises as `Corpus` does."""

    store: KnowledgeStore
    namespace: str
    embedder: Embedder

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        """See `KnowledgeBase.remember`; what waited on probation too long leaves."""
        identifier = document_id(self.namespace, record.run_id, "generated")
        parsed = parse_text(clean(record.text))
        document = _document(identifier, record, parsed.text)
        chunks = chunked(parsed)
        texts = [under_heading(document.title, chunk.heading, chunk.text) for chunk in chunks]
        *vectors, asked = packed(embedded(self.embedder, [*texts, clean(record.question)]))
        with self.store.writing(deadline) as connection:
            if document_rows.find(connection, identifier) is None:
                claim_embedder(connection, self.embedder)
                lineage.put(connection, document, chunks, vectors)
                record_rows.put_sources(connection, identifier, record.sources)
                record_rows.put_record(connection, identifier, record, asked)
                told = {"reason": record.reason, "run_id": record.run_id}
                record_rows.note(connection, identifier, "written", **told)
                lineage.withdraw_orphan(connection, identifier, record.sources)
                record_rows.expire(connection)
        return identifier

    def refresh(self, record_id: str, again: AskedAgain, *, deadline: float) -> RecordStatus:
        """See `KnowledgeBase.refresh`. Raises `DocumentMissing`."""
        with self.store.writing(deadline) as connection:
            record = record_rows.found(connection, record_id)
            happened = record_rows.events_of(connection, record_id)
            if any(one.run_id == again.run_id for one in happened):
                return record.status
            known = {one["document_id"] for one in record.sources}
            new = again.seen is not None and not known.issuperset(again.sources)
            event: record_rows.EventName = "confirmed" if new else "refreshed"
            sources = again.sources if new else ()
            record_rows.note(connection, record_id, event, run_id=again.run_id, sources=sources)
            seen = again.seen or 0
            connection.execute(
                f"""
                UPDATE records
                SET sequence = {SEQUENCE}, expires_at = ?, seen = CASE WHEN seen < ? THEN ? ELSE seen END
                WHERE document_id = ?
                """,
                (again.expires_at, seen, seen, record_id),
            )
            return record_rows.promote(connection, record_id, enough=again.enough)

    def settle(
        self, record_id: str, status: Literal["active", "rejected"], run_id: str, *, reason: str = "", deadline: float
    ) -> RecordStatus:
        """See `KnowledgeBase.settle`. Raises `DocumentMissing`."""
        with self.store.writing(deadline) as connection:
            return reviewing.settle(connection, record_id, status, run_id=run_id, reason=reason)

    def contest(self, places: Sequence[Citation], *, learned: Sequence[str] = (), deadline: float) -> None:
        """See `KnowledgeBase.contest`."""
        with self.store.writing(deadline) as connection:
            quoting = {record for place in places for record in lineage.quoting(connection, place)}
            through = {one for record in quoting for one in lineage.resting_on(connection, record)}
            for one in sorted(quoting.union(through, learned)):
                record = record_rows.read(connection, one)
                if record and record.status in reviewing.LIVE:
                    record_rows.move(connection, one, "review", "contested", reason=CONTESTED)

    def _asked_alike(
        self,
        connection: Connection,
        question: "NDArray[np.float32]",
        statuses: Sequence[RecordStatus],
        members: Members | None,
    ) -> list[tuple[Record, float]]:
        """Records of questions at least `ALIKE` this one that rest on members alone, most similar and newest first."""
        inside, values = clause("document_id", members)
        rows = connection.execute(
            f"""
            SELECT document_id, embedding FROM records JOIN documents ON documents.id = document_id
            WHERE records.namespace = ? AND embedding IS NOT NULL
                AND status IN (SELECT value FROM json_each(?)) {inside}
            ORDER BY records.rowid DESC
            """,
            (connection.namespace, json.dumps(list(statuses)), *values),
        ).fetchall()
        alike = zip((row["document_id"] for row in rows), compared(rows, question), strict=True)
        near = sorted((one for one in alike if one[1] >= ALIKE), key=lambda one: -round(one[1], 6))
        return [(record_rows.found(connection, one), cosine) for one, cosine in near[:MOST]]

    def _similar_to_records(
        self, connection: Connection, vector: "NDArray[np.float32]", besides: Sequence[str]
    ) -> float:
        """The largest cosine of a text and a chunk of any record but these; 0.0 without any."""
        rows = connection.execute(
            """
            SELECT embedding FROM chunks WHERE namespace = ? AND kind = 'generated'
                AND document_id NOT IN (SELECT value FROM json_each(?))
            """,
            (connection.namespace, json.dumps(list(besides))),
        ).fetchall()
        return max(compared(rows, vector), default=0.0)

    def _recollected(
        self, connection: Connection, record: Record, similarity: float, question: str, newest: float
    ) -> Recollected:
        """A record with the passages of people's documents that it rests on; `newest` is what a search comes upon."""
        chunks = cited_chunks(connection, record.id)
        return Recollected(
            told=Recollection(
                record_id=record.id,
                question=record.question,
                short_answer=record.short_answer,
                status=record.status,
                written_at=record.written_at,
                similarity=similarity,
            ),
            passages=[passage(row, found_by=question) for row in rows_of(connection, chunks)],
            unchanged=newest <= record.seen,
            scope=record.scope,
        )


def _document(identifier: str, record: GeneratedRecord, text: str) -> Document:
    return Document(
        id=identifier,
        kind="generated",
        status=record.status,
        title=one_line(record.question),
        url=f"veridic:{identifier}",
        media_type="text/plain",
        content_hash="",
        text=text,
        ingested_at=now(),
        lineage={"run_id": record.run_id, "question": clean(record.question), "scores": record.scores},
    )
