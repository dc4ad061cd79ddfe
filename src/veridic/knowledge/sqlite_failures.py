"""SQLite's failures in our words."""

import os
import sqlite3
import time
from pathlib import Path

from veridic.errors import StoreDamaged, StoreUnavailable, VeridicError
from veridic.knowledge.connection import too_late

_GARBLED = "Could not decode"
"""How Python's sqlite3 begins to say, without a code, that a text is no UTF-8; the bytes follow."""

_UNAVAILABLE = {
    sqlite3.SQLITE_BUSY: ("is locked by another process.", "Wait until it has finished, or stop it, and try again."),
    sqlite3.SQLITE_LOCKED: ("is locked by another process.", "Wait until it has finished, or stop it, and try again."),
    sqlite3.SQLITE_FULL: ("cannot grow: the disk is full.", "Free some space and run the same command again."),
    sqlite3.SQLITE_READONLY: ("is read-only.", "Give yourself write permission on the file and its folder."),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened.", "See that its folder exists and that you may write there."),
    sqlite3.SQLITE_PERM: ("may not be opened.", "Give yourself permission on the file and its folder."),
    sqlite3.SQLITE_IOERR: ("cannot be read or written.", "See that the disk is healthy and not full, and try again."),
    sqlite3.SQLITE_NOMEM: ("does not fit into memory.", "Close other programs and try again."),
}


def told(path: Path, deadline: float | None, error: sqlite3.Error) -> VeridicError | None:
    """SQLite's failure as ours; None for one that means a fault of ours."""
    # The low byte is the primary code; the rest refines it.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    late = deadline is not None and time.time() >= deadline
    if code == sqlite3.SQLITE_INTERRUPT or (late and code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}):
        return too_late()
    garbled = str(error).startswith(_GARBLED)
    if garbled or code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        why = "a text in it is garbled" if garbled else str(error)
        return StoreDamaged(
            f"{path} is broken or is not a knowledge base of Veridic ({why}).",
            "Restore it from a backup, or move it away and run `veridic ingest` again.",
        )
    if code in _UNAVAILABLE:
        problem, mend = _UNAVAILABLE[code]
        return StoreUnavailable(f"The knowledge base {os.fspath(path)} {problem}", mend)
    return None
