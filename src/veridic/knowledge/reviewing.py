"""What people and audits decide about records: what one open transaction does to them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from veridic.knowledge import document_rows, lineage, record_rows
from veridic.knowledge.connection import Connection
from veridic.knowledge.decisions import run_meant
from veridic.knowledge.document_rows import Status
from veridic.knowledge.record_rows import EventName, Record, RecordEvent
from veridic.ports.shapes import Vote
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.knowledge.base import Knowledge

Decided = Literal["active", "rejected"]

LIVE: tuple[Status, ...] = ("active", "probation", "review")
"""Statuses of a record that rests on documents as they are now."""

OUT: tuple[Status, ...] = ("rejected", "withdrawn")

UNTELLING: tuple[EventName, ...] = ("refreshed", "confirmed", "rechecked")
"""Events that leave a record as it is."""

APPROVED, REJECTED = "A person approved it.", "A person rejected it."
REST = "A record it rests on waits for review."
SAID: dict[Vote, str] = {
    "up": "A person said that it is right.",
    "down": "A person said that it is wrong.",
    "correction": "A person corrected it.",
}


def named(connection: Connection, reference: str) -> str | None:
    """The id of the record that has this id, or that the run called so wrote or refreshed; so too of one that is gone.

    A run is called as `decisions.run_meant` has it; the log may have forgotten it.
    """
    meant = run_meant(connection, reference, "record_events")
    for column in ("record_id", "run_id") if reference else ():
        query = f"SELECT record_id FROM record_events WHERE namespace = ? AND {column} = ? ORDER BY id DESC"
        if row := connection.execute(query, (connection.namespace, meant)).fetchone():
            return str(row["record_id"])
    return None


def learned_by(connection: Connection, run_ids: Sequence[str]) -> dict[str, tuple[str, Status]]:
    """Of the runs that wrote, refreshed or spoke of a record: its id, and its status now."""
    rows = connection.execute(
        """
        SELECT run_id, record_id, coalesce(documents.status, 'withdrawn') AS status
        FROM record_events LEFT JOIN documents ON documents.id = record_id
        WHERE record_events.namespace = ? AND run_id IN (SELECT value FROM json_each(?)) ORDER BY record_events.id
        """,
        (connection.namespace, json.dumps(list(run_ids))),
    )
    return {row["run_id"]: (row["record_id"], row["status"]) for row in rows}


@dataclass(frozen=True)
class HeldRecord:
    """A record, or what is known of one that was removed."""

    id: str
    record: Record | None
    """None: it was removed, and what became of it is all there is."""
    answer: str
    """The whole answer; empty where a document it rested on was removed."""
    confirmed: int
    """How often it was confirmed by documents that it does not rest on, or by people."""
    events: list[RecordEvent]
    """What became of it, in order."""


def held(connection: Connection, reference: str) -> HeldRecord:
    """The record with this id, or of this run, with what became of it. Raises `DocumentMissing`."""
    identifier = named(connection, reference) or reference
    events = record_rows.events_of(connection, identifier)
    known = record_rows.read if events else record_rows.found
    record = known(connection, identifier)
    document = document_rows.find(connection, identifier)
    return HeldRecord(
        id=identifier,
        record=record,
        answer=document.text if document else "",
        confirmed=record_rows.confirmations(connection, identifier),
        events=events,
    )


def settle(connection: Connection, identifier: str, status: Decided, *, run_id: str, reason: str) -> Status:
    """A person approves or rejects a record; see `KnowledgeBase.settle`. Raises `DocumentMissing`."""
    record = record_rows.found(connection, identifier)
    if record.status == status or (status == "active" and record.status not in LIVE):
        return record.status
    if status == "active":
        record_rows.note(connection, identifier, "confirmed", reason=APPROVED, run_id=run_id)
    told = reason or (APPROVED if status == "active" else REJECTED)
    event: EventName = "approved" if status == "active" else "rejected"
    give(connection, identifier, status, event, reason=told, run_id=run_id)
    return status


def give(
    connection: Connection, identifier: str, status: Status, event: EventName, *, reason: str, run_id: str = ""
) -> list[str]:
    """Give a record a status; what rests on it waits for review with it, or is withdrawn where it counts no more.

    Returns the ids of the records that rested on it.
    """
    record_rows.move(connection, identifier, status, event, reason=reason, run_id=run_id)
    if status in OUT:
        return lineage.withdraw_resting_on(connection, identifier)
    resting = lineage.resting_on(connection, identifier) if status == "review" else []
    for one in resting:
        record_rows.move(connection, one, "review", "contested", reason=REST)
    return resting


def people_said(knowledge: "Knowledge", run_id: str, verdict: Vote, *, enough: int | None = None) -> Record | None:
    """Take what a person said of a run's answer for the record it wrote or refreshed; the record from then on.

    `up` confirms it, once, and `enough` confirmations make one on probation active: the setting's default unless given.
    `down` and `correction` let it wait for review. None where the run wrote and refreshed none. Raises
    `StoreUnavailable`, `StoreDamaged`.
    """
    with knowledge.corpus.store.writing() as connection:
        record = record_rows.read(connection, named(connection, run_id) or "")
        if record is None or record.status not in LIVE:
            return record
        if verdict == "up":
            record_rows.note(connection, record.id, "confirmed", reason=SAID[verdict], run_id=run_id)
            needed = Settings.model_fields["confirmations"].default if enough is None else enough
            record_rows.promote(connection, record.id, enough=needed)
        else:
            give(connection, record.id, "review", "contested", reason=SAID[verdict], run_id=run_id)
        return record_rows.read(connection, record.id)


def to_audit(connection: Connection, statuses: Sequence[str]) -> list[Record]:
    """The records with one of these statuses, first those never audited, then the one audited longest ago."""
    rows = connection.execute(
        "SELECT record_id, max(id) FROM record_events WHERE namespace = ? AND event = 'audited' GROUP BY record_id",
        (connection.namespace,),
    )
    last = dict(tuple(row) for row in rows)
    return sorted(record_rows.listed(connection, statuses), key=lambda one: last.get(one.id, 0))


def audited(connection: Connection, record: Record, status: Status, *, reason: str) -> list[str] | None:
    """Give a record the status an audit found for it; returns the ids of what rested on it.

    None where it is no more the record that was audited: then nothing is changed.
    """
    if record_rows.read(connection, record.id) != record:
        return None
    return give(connection, record.id, status, "audited", reason=reason)
