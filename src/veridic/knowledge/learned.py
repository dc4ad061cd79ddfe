"""What was learned: records stored, found again by their questions, refreshed, contested."""

import json
import sqlite3
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Literal

from veridic.knowledge import documents, lineage, records, reviewing
from veridic.knowledge.asked import AskedQuestions
from veridic.knowledge.chunking import chunked
from veridic.knowledge.clock import now
from veridic.knowledge.documents import Document, generated_id
from veridic.knowledge.embeddings import claim_embedder, embedded_text, packed
from veridic.knowledge.passages import cited_chunks, passage, rows_of
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.records import Record
from veridic.knowledge.scope import Members
from veridic.knowledge.store import Store, next_sequence, require_time
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


class LearnedRecords:
    """One namespace's records. Raises as `Corpus` does."""

    def __init__(self, store: Store, namespace: str, embedder: Embedder) -> None:
        self._store = store
        self._namespace = namespace
        self._embedder = embedder
        self._asked = AskedQuestions(namespace, embedder.dimension)

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        """See `KnowledgeBase.remember`; what waited on probation too long leaves."""
        require_time(deadline)
        identifier = generated_id(self._namespace, record.run_id)
        parsed = parse_text(clean(record.text))
        document = _document(identifier, record, parsed.text)
        chunks = chunked(parsed)
        texts = [embedded_text(document.title, chunk.heading, chunk.text) for chunk in chunks]
        vectors = list(packed(embedded(self._embedder, [*texts, clean(record.question)])))
        with self._store.writing(deadline) as connection:
            if documents.find(connection, self._namespace, identifier) is None:
                claim_embedder(connection, self._embedder)
                lineage.put(connection, self._namespace, document, chunks, vectors[:-1])
                records.put_sources(connection, identifier, record.sources)
                records.put_record(connection, self._namespace, identifier, record, vectors[-1])
                sequence = next_sequence(connection)
                records.touch(connection, identifier, sequence)
                records.note(
                    connection,
                    self._namespace,
                    identifier,
                    "written",
                    sequence=sequence,
                    reason=record.reason,
                    run_id=record.run_id,
                )
                self._withdraw_if_orphaned(connection, identifier, record.sources, sequence)
                records.expire(connection, self._namespace, sequence=sequence)
        return identifier

    def refresh(self, record_id: str, again: AskedAgain, *, deadline: float) -> RecordStatus:
        """See `KnowledgeBase.refresh`. Raises `DocumentMissing`."""
        with self._store.writing(deadline) as connection:
            record = records.found(connection, self._namespace, record_id)
            happened = records.events_of(connection, self._namespace, record_id)
            if any(one.run_id == again.run_id for one in happened):
                return record.status
            sequence = next_sequence(connection)
            known = {one["document_id"] for one in record.sources}
            new = again.seen is not None and not known.issuperset(again.sources)
            records.note(
                connection,
                self._namespace,
                record_id,
                "confirmed" if new else "refreshed",
                sequence=sequence,
                run_id=again.run_id,
                sources=again.sources if new else (),
            )
            connection.execute(
                "UPDATE records SET sequence = ?, expires_at = ?, seen = max(seen, ?) WHERE document_id = ?",
                (sequence, again.expires_at, again.seen or 0, record_id),
            )
            return records.promote(connection, self._namespace, record_id, enough=again.enough, sequence=sequence)

    def settle(
        self, record_id: str, status: Literal["active", "rejected"], run_id: str, *, reason: str, deadline: float
    ) -> RecordStatus:
        """See `KnowledgeBase.settle`. Raises `DocumentMissing`."""
        with self._store.writing(deadline) as connection:
            return reviewing.settle(connection, self._namespace, record_id, status, run_id=run_id, reason=reason)

    def near(
        self,
        connection: sqlite3.Connection,
        question: "NDArray[np.float32]",
        statuses: Sequence[RecordStatus],
        members: Members | None,
    ) -> list[tuple[Record, float]]:
        """Records of questions at least `ALIKE` this one, most similar first, all of whose sources are members."""
        inside = set(json.loads(members.documents)) if members else None
        near = self._asked.near(connection, question, least=ALIKE)
        found = ((records.read(connection, self._namespace, one), cosine) for one, cosine in near)
        fitting = (
            (record, cosine)
            for record, cosine in found
            if record and record.status in statuses and (inside is None or record.id in inside)
        )
        return list(islice(fitting, MOST))

    def recollected(
        self, connection: sqlite3.Connection, record: Record, similarity: float, question: str, newest: float
    ) -> Recollected:
        """A record with the passages of people's documents that it rests on; `newest` is what a search comes upon."""
        chunks = cited_chunks(connection, self._namespace, record.id)
        found = rows_of(connection, self._namespace, chunks)
        return Recollected(
            told=Recollection(
                record_id=record.id,
                question=record.question,
                short_answer=record.short_answer,
                status=record.status,
                written_at=record.written_at,
                similarity=similarity,
            ),
            passages=[passage(row, found_by=question) for row in found],
            unchanged=newest <= record.seen,
            scope=record.scope,
        )

    def contest(self, places: Sequence[Citation], *, learned: Sequence[str] = (), deadline: float) -> None:
        """See `KnowledgeBase.contest`."""
        reason = "Documents, or answers, were found to disagree about it."
        with self._store.writing(deadline) as connection:
            sequence = next_sequence(connection)
            quoting = {record for place in places for record in lineage.quoting(connection, place)}
            through = {one for record in quoting for one in lineage.resting_on(connection, record)}
            for one in sorted(quoting.union(through, learned)):
                record = records.read(connection, self._namespace, one)
                if record and record.status in ("probation", "active", "review"):
                    records.move(
                        connection, self._namespace, one, "review", "contested", sequence=sequence, reason=reason
                    )

    def similarity(
        self, connection: sqlite3.Connection, vector: "NDArray[np.float32]", besides: Sequence[str]
    ) -> float:
        """The largest cosine of a text and a chunk of any record but these; 0.0 without any."""
        import numpy as np

        rows = connection.execute(
            """
            SELECT embedding FROM chunks WHERE namespace = ? AND kind = 'generated'
                AND document_id NOT IN (SELECT value FROM json_each(?))
            """,
            (self._namespace, json.dumps(list(besides))),
        ).fetchall()
        return max((float(np.frombuffer(row["embedding"], dtype="<f4") @ vector) for row in rows), default=0.0)

    def _withdraw_if_orphaned(
        self, connection: sqlite3.Connection, identifier: str, sources: Sequence[Citation], sequence: int
    ) -> None:
        """Withdraw a new record when one of its sources went between answer and write."""
        own = {source["document_id"] for source in sources if source["kind"] != "outside"}
        if any(documents.find(connection, self._namespace, source) is None for source in own):
            reason = lineage.GONE
            records.move(
                connection, self._namespace, identifier, "withdrawn", "withdrawn", sequence=sequence, reason=reason
            )


def _document(identifier: str, record: GeneratedRecord, text: str) -> Document:
    return Document(
        id=identifier,
        kind="generated",
        status=record.status,
        title=" ".join(clean(record.question).split()),
        url=f"veridic:{identifier}",
        media_type="text/plain",
        content_hash="",
        text=text,
        ingested_at=now(),
        lineage={"run_id": record.run_id, "question": clean(record.question), "scores": record.scores},
    )
