"""What was learned, from Python: listed, shown, approved, rejected, audited, verified.

A record is named by its id or by the id of the run that wrote or refreshed it, or the first eight characters of that
or more. Every function but `people_said` opens the knowledge base that the settings name, without `settings` the
process's own, sees one namespace of it, and raises `StoreMissing` where none is there, and `KnowledgeError`.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from veridic.errors import UsageError
from veridic.knowledge import integrity, record_rows, reviewing
from veridic.knowledge.document_rows import STATUSES, Status
from veridic.knowledge.reviewing import Decided, HeldRecord, people_said
from veridic.resources import held_knowledge_base
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.api.auditing import Audit

__all__ = ["approve", "audit", "list_records", "people_said", "reject", "show_record", "verify_memory"]

AUDITABLE: tuple[str, ...] = ("probation", "active")
LISTED: tuple[str, ...] = tuple(one for one in STATUSES if one != "withdrawn")


@dataclass
class Settled:
    """What became of references to records that a person decided about."""

    done: dict[str, Status] = field(default_factory=dict)
    """The records with their statuses from now on."""
    unchanged: dict[str, Status] = field(default_factory=dict)
    """Records that stay as they are with their statuses: they have this one, or count no more."""
    unknown: list[str] = field(default_factory=list)
    """References by which no record is known."""


def list_records(*, statuses: Sequence[str] = LISTED, settings: Settings | None = None) -> list[HeldRecord]:
    """Every record with one of these statuses, newest first; those that were withdrawn are left out unless asked for.

    Raises `UsageError` for a status that there is not.
    """
    _check(statuses, STATUSES)
    with closing(held_knowledge_base(settings)) as knowledge, knowledge.corpus.store.reading() as connection:
        held = record_rows.listed(connection, statuses)
        return [reviewing.held(connection, one.id) for one in reversed(held)]


def _check(statuses: Sequence[str], known: Sequence[str]) -> None:
    wrong = [one for one in statuses if one not in known]
    if wrong or not statuses:
        raise UsageError(
            f"No such status: {', '.join(map(repr, wrong)) or 'none given'}.", f"Here: {', '.join(known)}."
        )


def show_record(reference: str, *, settings: Settings | None = None) -> HeldRecord:
    """The record with this id, or of this run. Raises `DocumentMissing`."""
    with closing(held_knowledge_base(settings)) as knowledge, knowledge.corpus.store.reading() as connection:
        return reviewing.held(connection, reference)


def approve(*references: str, settings: Settings | None = None) -> Settled:
    """Make records active that waited for review or on probation, as confirmed by a person."""
    return _settle(references, "active", "", settings)


def reject(*references: str, reason: str = "", settings: Settings | None = None) -> Settled:
    """Reject records: the same answer to their questions is not learned again; what rests on them is withdrawn."""
    return _settle(references, "rejected", reason, settings)


def _settle(references: Sequence[str], status: Decided, reason: str, settings: Settings | None) -> Settled:
    settled = Settled()
    with closing(held_knowledge_base(settings)) as knowledge:
        corpus = knowledge.corpus
        for reference in dict.fromkeys(references):
            with corpus.store.reading() as connection:
                record = record_rows.read(connection, reviewing.named(connection, reference) or "")
            if record is None:
                settled.unknown.append(reference)
                continue
            became = corpus.settle(record.id, status, "", reason=reason, deadline=inf)
            (settled.unchanged if became == record.status else settled.done)[record.id] = became
    return settled


def audit(
    *,
    most: int | None = None,
    statuses: Sequence[str] = AUDITABLE,
    resume: bool = False,
    seconds: float = inf,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> "Audit":
    """Verify records anew, at most `most`, the one audited longest ago first; see `veridic.api.auditing.audited`.

    None is begun after `seconds`. With `resume` earlier audits count no more, so that write-back may go on. Raises
    `UsageError` for another status than active and probation.
    """
    # langgraph and the judges are loaded for this alone
    from veridic.api.asking_again import resources_for
    from veridic.api.auditing import audited

    _check(statuses, AUDITABLE)
    chosen = settings or Settings.load()
    with closing(held_knowledge_base(chosen)) as knowledge:
        corpus = knowledge.corpus
        if resume:
            with corpus.store.writing() as connection:
                record_rows.forget_audits(connection)
        resources = resources_for(chosen)
        return audited(corpus, resources, most=most, statuses=statuses, seconds=seconds, progress=progress)


def verify_memory(*, settings: Settings | None = None) -> list[str]:
    """What is wrong with the knowledge base, a sentence each; nothing where it holds together."""
    with closing(held_knowledge_base(settings)) as knowledge:
        return integrity.problems(knowledge.corpus)
