"""The tables in PostgreSQL, by Alembic: one revision a step, all or none, and a row that says which was the last."""

from pathlib import Path
from typing import Any

import psycopg
from psycopg import Connection

from veridic.errors import StoreDamaged
from veridic.knowledge.postgres.partitions import LOCK
from veridic.knowledge.postgres.roles import SCHEMA

HEAD = "0002"
"""The newest revision that this version knows."""


def version_of(connection: Connection[Any], place: str) -> str:
    """The revision of the tables; empty where there are none. Raises `StoreDamaged` where a newer version made them."""
    query = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = 'alembic_version'"
    if not connection.execute(query, (SCHEMA,)).fetchone():
        return ""
    rows = connection.execute(f"SELECT version_num FROM {SCHEMA}.alembic_version").fetchall()
    version = max((str(row["version_num"]) for row in rows), default="")
    if version > HEAD:
        raise StoreDamaged(
            f"{place} was made by a newer Veridic (its tables are of revision {version}, this one knows {HEAD}).",
            "Upgrade with `pip install -U veridic`, or choose another database with --kb or VERIDIC_KB.",
        )
    return version


def upgrade(url: str, role: str, path: str) -> None:
    """Bring the tables to the newest revision, as this role, in one transaction; who comes meanwhile waits for it."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with engine.begin() as connection:
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        connection.exec_driver_sql(
            "SELECT set_config('role', %s, true), set_config('search_path', %s, true)", (role, path)
        )
        connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
