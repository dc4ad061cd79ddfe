"""PostgreSQL's failures in our words."""

import time

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from veridic.errors import StoreDamaged, StoreUnavailable, VeridicError, told_of
from veridic.knowledge.connection import too_late

_WAIT = "Wait until it has finished, and try again."
_PERMISSION = "Give the role of VERIDIC_KB its rights: docs/how-to/postgres.md says which."
_UNAVAILABLE = {
    "53100": ("cannot grow: the server's disk is full.", "Free some space there and try again."),
    "53200": ("cannot answer: the server has no memory left.", "Give the server more memory, and try again."),
    "53300": ("takes no more connections.", "Raise the server's max_connections, or put a pooler before it."),
    "25006": ("is read-only.", "Name the primary server in VERIDIC_KB."),
    "28P01": ("does not take the password.", "Correct the password in VERIDIC_KB, PGPASSWORD or ~/.pgpass."),
    "28000": ("does not let this role in.", _PERMISSION),
    "3D000": ("is not there: the server has no database of this name.", "Make it with `createdb`."),
    "42501": ("may not be used so by this role.", _PERMISSION),
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
            f"The server of the knowledge base {place} does not answer ({told_of(error)}).",
            "See that PostgreSQL runs there and that VERIDIC_KB names it, and try again.",
        )
    return None
