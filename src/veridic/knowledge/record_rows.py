"""Rows of what was learned, and what became of each record: what one open transaction does to them.

Nothing of a record disappears without a trace: every change of its status is an event, and events stay when it goes.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from veridic.errors import DocumentMissing
from veridic.knowledge.connection import SEQUENCE, Connection, Row, now, say_of
from veridic.knowledge.document_rows import Status, set_status
from veridic.ports.memory import GeneratedRecord
from veridic.ports.shapes import Citation, Sentence
from veridic.text.hidden import clean, storable

EventName = Literal[
    "written", "refreshed", "confirmed", "rechecked", "audited", "contested", "approved", "rejected", "withdrawn",
    "expired", "rolled back",
]  # fmt: skip


@dataclass(frozen=True)
class RecordEvent:
    """One thing that happened to a record."""

    record_id: str
    happened_at: str
    """ISO 8601, UTC."""
    event: EventName
    status: Status
    """The record's, from then on."""
    reason: str
    run_id: str
    sources: tuple[str, ...]
    """Of a confirmation the documents that it rests on."""


@dataclass(frozen=True)
class Record:
    """An answer that was learned, as it is stored."""

    id: str
    status: Status
    run_id: str
    question: str
    short_answer: str
    sentences: list[Sentence]
    """Empty of one that was learned before records kept them, or whose source was removed."""
    scores: dict[str, float]
    fingerprints: dict[str, str]
    """Of the judges that verified it."""
    scope: tuple[str, ...] | None
    """The places the question was asked of; None: the whole knowledge base."""
    written_at: str
    expires_at: str
    """When it leaves, unless it is confirmed by then; empty: never. ISO 8601, UTC."""
    seen: int
    """The number of the last transaction that it takes account of."""
    sources: list[Citation]


def put_record(connection: Connection, identifier: str, record: GeneratedRecord, embedding: bytes) -> None:
    """Store what a generated document, which is stored already, is made of."""
    lists = {name: json.dumps(getattr(record, name)) for name in _LISTS}
    said = {"question": clean(record.question), "short_answer": clean(record.short_answer)}
    own = {"id": identifier, "namespace": connection.namespace, "written_at": now(), "embedding": embedding}
    connection.execute(
        f"""
        INSERT INTO records VALUES (
            :id, :namespace, {SEQUENCE}, :run_id, :question, :short_answer, :sentences, :scores, :fingerprints, :scope,
            :written_at, :expires_at, :seen, :embedding
        )
        """,
        {"run_id": record.run_id, "expires_at": record.expires_at, "seen": record.seen, **lists, **said, **own},
    )


def read(connection: Connection, identifier: str) -> Record | None:
    """The record with this id; None when there is none."""
    row = connection.execute(
        f"{_SELECTED} WHERE records.namespace = ? AND document_id = ?", (connection.namespace, identifier)
    ).fetchone()
    return _record(connection, row) if row else None


def found(connection: Connection, identifier: str) -> Record:
    """The record with this id. Raises `DocumentMissing`."""
    record = read(connection, identifier)
    if record is None:
        raise DocumentMissing(
            f"No answer with the id {identifier!r} was learned.", "List them with `veridic memory list`."
        )
    return record


def listed(connection: Connection, statuses: Sequence[str]) -> list[Record]:
    """The records of a namespace with one of these statuses, oldest first."""
    rows = connection.execute(
        f"""
        {_SELECTED} WHERE records.namespace = ? AND documents.status IN (SELECT value FROM json_each(?))
        ORDER BY records.written_at, records.rowid
        """,
        (connection.namespace, json.dumps(list(statuses))),
    )
    return [_record(connection, row) for row in rows.fetchall()]


_LISTS = ("sentences", "scores", "fingerprints", "scope")
"""Columns that hold JSON."""
_SELECTED = """
    SELECT document_id AS id, documents.status, run_id, question, short_answer, sentences, scores, fingerprints, scope,
        written_at, expires_at, seen
    FROM records JOIN documents ON documents.id = document_id
"""


def _record(connection: Connection, row: Row) -> Record:
    lists = {name: json.loads(row[name]) for name in _LISTS}
    scope = None if lists["scope"] is None else tuple(lists["scope"])
    return Record(**{**dict(row), **lists, "scope": scope, "sources": sources_of(connection, row["id"])})


def move(
    connection: Connection, identifier: str, status: Status, event: EventName, *, reason: str = "", run_id: str = ""
) -> None:
    """Give a record another status, and note why."""
    set_status(connection, identifier, status)
    touch(connection, identifier)
    note(connection, identifier, event, reason=reason, run_id=run_id)


def touch(connection: Connection, identifier: str) -> None:
    """Let other processes see that a record changed."""
    connection.execute(f"UPDATE records SET sequence = {SEQUENCE} WHERE document_id = ?", (identifier,))


def note(
    connection: Connection,
    identifier: str,
    event: EventName,
    *,
    reason: str = "",
    run_id: str = "",
    sources: Sequence[str] = (),
) -> None:
    """Write down what happened to a record, with the status it has now."""
    connection.execute(
        f"""
        INSERT INTO record_events (
            namespace, record_id, sequence, happened_at, run_id, event, status, reason, sources
        ) VALUES (?, ?, {SEQUENCE}, ?, ?, ?, coalesce((SELECT status FROM documents WHERE id = ?), 'withdrawn'), ?, ?)
        """,
        (connection.namespace, identifier, now(), run_id, event, identifier, reason, json.dumps(list(sources))),
    )


def events_of(connection: Connection, identifier: str | None = None) -> list[RecordEvent]:
    """What happened to a record, or to all of a namespace, in order."""
    of_one = "" if identifier is None else "AND record_id = :record"  # apart, so that the index is used
    rows = connection.execute(
        f"""
        SELECT record_id, happened_at, event, status, reason, run_id, sources FROM record_events
        WHERE namespace = :namespace {of_one} ORDER BY id
        """,
        {"namespace": connection.namespace, "record": identifier},
    )
    return [RecordEvent(**{**dict(row), "sources": tuple(json.loads(row["sources"]))}) for row in rows]


def confirmations(connection: Connection, identifier: str) -> int:
    """How often a record was confirmed by documents that neither it nor an earlier confirmation rests on.

    The same page met again confirms nothing; a person's word, which rests on no document, does once.
    """
    known = {source["document_id"] for source in sources_of(connection, identifier)}
    count, by_person = 0, False
    for event in events_of(connection, identifier):
        if event.event == "confirmed" and not event.sources:
            by_person = True
        elif event.event == "confirmed" and known.isdisjoint(event.sources):
            count, known = count + 1, known.union(event.sources)
    return count + by_person


def promote(connection: Connection, identifier: str, *, enough: int) -> Status:
    """Make a record on probation active where it was confirmed often enough; returns its status. It must be there."""
    status = found(connection, identifier).status
    often = confirmations(connection, identifier)
    if status != "probation" or often < enough:
        return status
    reason = f"{often} documents or people confirmed it independently."
    move(connection, identifier, "active", "approved", reason=reason)
    return "active"


def audits(connection: Connection) -> tuple[int, int]:
    """How many records were audited, each by its last audit, since write-back was last let go on; and how many failed.

    An audit fails where it takes the record's status away.
    """
    row = connection.execute(
        """
        SELECT count(*), count(*) FILTER (WHERE status NOT IN ('probation', 'active')) FROM record_events
        WHERE id IN (
            SELECT max(id) FROM record_events WHERE namespace = :namespace AND event = 'audited'
                AND id > coalesce(
                    (SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'audits after ' || :namespace), 0
                )
            GROUP BY record_id
        )
        """,
        {"namespace": connection.namespace},
    ).fetchone()
    return int(row[0]), int(row[1])


def forget_audits(connection: Connection) -> None:
    """Count audits from now on alone, so that write-back may go on."""
    last = connection.execute("SELECT coalesce(max(id), 0) FROM record_events").fetchone()[0]
    say_of(connection, f"audits after {connection.namespace}", str(last))


def expire(connection: Connection) -> list[str]:
    """Withdraw what waited on probation until its time was over; returns ids."""
    rows = connection.execute(
        f"{_SELECTED} WHERE records.namespace = ? AND status = 'probation' AND expires_at != '' AND expires_at < ?",
        (connection.namespace, now()),
    ).fetchall()
    for row in rows:
        reason = f"Nothing confirmed it until {row['expires_at']}."
        move(connection, row["id"], "withdrawn", "expired", reason=reason)
    return [row["id"] for row in rows]


def put_sources(connection: Connection, identifier: str, sources: Sequence[Citation]) -> None:
    """Record what a generated document rests on."""
    connection.executemany(
        """
        INSERT INTO lineage VALUES (
            :record, :document_id, :kind, :title, :url, :location, :start, :end, :quote, :retrieved_at
        )
        """,
        (
            {name: storable(value) if isinstance(value, str) else value for name, value in source.items()}
            | {"record": identifier}
            for source in sources
        ),
    )


def sources_of(connection: Connection, identifier: str) -> list[Citation]:
    """What a generated document rests on."""
    rows = connection.execute(
        """
        SELECT source_document_id AS document_id, kind, title, url, location, start, "end", quote, retrieved_at
        FROM lineage WHERE document_id = ? ORDER BY rowid
        """,
        (identifier,),
    )
    return [cast("Citation", dict(row)) for row in rows]
