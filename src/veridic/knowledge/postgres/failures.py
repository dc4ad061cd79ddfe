"""PostgreSQL's failures in our words."""

import time

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from veridic.errors import StoreDamaged, StoreUnavailable, VeridicError, told_of
from veridic.knowledge.connection import too_late

_WAIT = "Wait until it has finished, and try again."
_UNAVAILABLE = {
    "53100": ("cannot grow: the server's disk is full.", "Free some space there and try again."),
    "53200": ("cannot answer: the server has no memory left.", "Give the server more memory, and try again."),
    "25P03": ("gave up a writer that did nothing for too long.", "Try again."),
    "25006": ("is read-only.", "Name the primary server in VERIDIC_KB."),
    "42501": ("may not be used so by this role.", "Give the role of VERIDIC_KB its rights: docs/how-to/postgres.md."),
    "40001": ("was changed by another writer meanwhile.", "Try again."),
    "40P01": ("is locked by another writer.", _WAIT),
    "55P03": ("is locked by another writer.", _WAIT),
    "57014": ("was told to stop answering.", "Try again."),
}
"""By SQLSTATE: the problem, what to do."""

_DAMAGED = frozenset(("XX001", "XX002"))
"""SQLSTATEs of damage on the disk."""


def told(place: str, deadline: float | None, error: psycopg.Error) -> VeridicError | None:
    """A failure as ours; None for one that means a fault of ours."""
    state = error.sqlstate or ""
    late = deadline is not None and time.time() >= deadline
    if late and isinstance(error, errors.QueryCanceled | errors.LockNotAvailable | PoolTimeout):
        return too_late()
    if state in _DAMAGED:
        return StoreDamaged(
            f"The knowledge base {place} is broken ({told_of(error)}).", "Restore the database from a backup."
        )
    if state in _UNAVAILABLE:
        problem, mend = _UNAVAILABLE[state]
        return StoreUnavailable(f"The knowledge base {place} {problem}", mend)
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return StoreUnavailable(
            f"The knowledge base {place} cannot be reached ({told_of(error)}).",
            "See that PostgreSQL runs and has this database, and that VERIDIC_KB has the right role and password.",
        )
    return None
