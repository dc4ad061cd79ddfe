"""Making a knowledge base's tables, and bringing those of an older version up to date."""

import sqlite3
import time
import uuid
from pathlib import Path
from secrets import token_hex

from veridic.errors import StoreDamaged
from veridic.knowledge.schema import APPLICATION_ID, SCHEMA_VERSION, VERSIONS

BUSY_SECONDS = 15.0
"""How long a writer waits for another process's transaction."""


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables in an empty file, add to an older one what it lacks; refuse a file that is not ours.

    Each version is added whole or not at all. Raises `StoreDamaged`.
    """
    connection.execute("BEGIN")
    version = _version(connection, path)
    connection.execute("COMMIT")
    if version == SCHEMA_VERSION:
        return
    if version == 0:
        _enter_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    version = _version(connection, path)  # another process may have been first
    for statements in VERSIONS[version:]:
        for statement in statements:
            connection.execute(statement)
    if version == 0:
        own = (("store_id", uuid.uuid4().hex), ("secret", token_hex(32)))
        connection.executemany("INSERT INTO meta VALUES (?, ?)", own)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _enter_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging; for this SQLite does not wait for another process by itself."""
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """In a transaction: the version of a knowledge base, 0 of an empty file; `StoreDamaged` for anything else."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == APPLICATION_ID and version > SCHEMA_VERSION:
        raise StoreDamaged(
            f"{path} was made by a newer Veridic (its schema is {version}, this one reads {SCHEMA_VERSION}).",
            "Upgrade with `pip install -U veridic`, or choose another path with --kb or VERIDIC_KB.",
        )
    if application == APPLICATION_ID and version > 0:
        return version
    if tables or application or version:
        raise StoreDamaged(
            f"{path} is not a knowledge base of Veridic.", "Choose another path with --kb or VERIDIC_KB."
        )
    return 0
