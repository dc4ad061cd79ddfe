"""Making a knowledge base's tables (`schema.sql`) in one SQLite file, which is the truth, and knowing its version.

`PRAGMA application_id` says that a file is ours, `PRAGMA user_version` is the schema version. Every row that belongs to
someone names its `namespace`; every row that a view is derived from carries the `sequence` of the transaction that last
touched it. Sequences grow in commit order, so "all above the last one I saw" is exactly what is new.
"""

import sqlite3
import time
import uuid
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from secrets import token_hex

from veridic.errors import StoreDamaged
from veridic.knowledge.connection import BUSY_SECONDS

APPLICATION_ID = 0x56524443
"""`VRDC`."""

SCHEMA_VERSION = 3
"""That of Veridic 0.2.0. Files of older versions are refused."""

FALSE_ALARM = "NULL value in thread_runs.namespace"
"""SQLite 3.40's quick check says so wherever there is a thread: that column stands between those of the table's key."""


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables in an empty file, all or none; refuse a file that is not ours, or of another version.

    Raises `StoreDamaged`.
    """
    if _is_made(connection, path):
        return
    _enter_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    if not _is_made(connection, path):  # another process may have been first
        for statement in _statements():
            connection.execute(statement)
        own = (("store_id", uuid.uuid4().hex), ("secret", token_hex(32)))
        connection.executemany("INSERT INTO meta VALUES (?, ?)", own)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _statements() -> Iterator[str]:
    """The statements of `schema.sql`, one after another: `executescript` would end the transaction."""
    statement = ""
    for line in resources.files(__package__).joinpath("schema.sql").read_text(encoding="utf-8").splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


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


def _is_made(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether a file is a knowledge base; False of an empty one. Raises `StoreDamaged` for anything else."""
    application, version, tables = connection.execute(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
        "FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if application == APPLICATION_ID and version > SCHEMA_VERSION:
        raise StoreDamaged(
            f"{path} was made by a newer Veridic (its schema is {version}, this one reads {SCHEMA_VERSION}).",
            "Upgrade with `pip install -U veridic`, or choose another path with --kb or VERIDIC_KB.",
        )
    if application == APPLICATION_ID and 0 < version < SCHEMA_VERSION:
        raise StoreDamaged(
            f"{path} was made by a Veridic before 0.2.0 (its schema is {version}, this one reads {SCHEMA_VERSION}).",
            "Open it once with `pip install veridic==0.2.0`, or choose another path with --kb or VERIDIC_KB.",
        )
    if (application, version) != (APPLICATION_ID, SCHEMA_VERSION) and (tables or application or version):
        raise StoreDamaged(
            f"{path} is not a knowledge base of Veridic.", "Choose another path with --kb or VERIDIC_KB."
        )
    return bool(version)
