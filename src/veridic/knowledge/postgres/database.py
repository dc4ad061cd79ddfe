"""One database that holds a knowledge base: made ready once a process, and connections that its namespaces share."""

from functools import partial
from threading import RLock
from typing import Any

import psycopg
from psycopg import Connection, errors, sql
from psycopg_pool import ConnectionPool

from veridic.errors import StoreUnavailable
from veridic.knowledge.postgres import migrations
from veridic.knowledge.postgres.roles import SCHEMA, role_of
from veridic.knowledge.postgres.values import adapt, named_rows

CONNECT_SECONDS = 10
"""How long a server may take to let in."""
MOST = 16
"""Connections of a process to one database."""
WAIT_SECONDS = 5.0
"""How long who needs a connection waits for one: a server that is away is told of so soon."""
AGAIN_SECONDS = 2.0
"""How long a connection is tried again by itself. Then who asks next tries: one comes as soon as the server is back."""
IDLE_SECONDS = 120.0
"""After which a connection that nobody uses is closed."""
LEAST_VECTOR = (0, 8)
"""The version of pgvector from which a scan goes on under a filter."""


class Database:
    """A database with its tables, and a pool of connections. Raises psycopg's errors, and ours."""

    def __init__(self, url: str, place: str) -> None:
        with psycopg.connect(url, connect_timeout=CONNECT_SECONDS, autocommit=True, row_factory=named_rows) as first:
            vectors = _vectors(first, place)
            self.role = role_of(first, place)
            self.path = f"{SCHEMA}, {vectors}"
            if migrations.version_of(first, place) != migrations.HEAD:
                migrations.upgrade(url, self.role, self.path)
        self.pool: ConnectionPool[Connection[Any]] = ConnectionPool(
            url,
            # A pooler between may give each transaction another session: nothing is prepared in one for the next.
            kwargs={"autocommit": True, "connect_timeout": CONNECT_SECONDS, "prepare_threshold": None},
            min_size=0,
            max_size=MOST,
            timeout=WAIT_SECONDS,
            max_idle=IDLE_SECONDS,
            reconnect_timeout=AGAIN_SECONDS,
            configure=partial(adapt, vector_type=f"{vectors}.vector"),
            check=ConnectionPool.check_connection,
            open=True,
        )
        self.users = 0

    def begin(self, connection: Connection[Any], mode: str, **local: str) -> None:
        """Begin a transaction of the schema's owner, in this mode, with these settings for itself."""
        values = {"role": self.role, "search_path": self.path, **local}
        calls = sql.SQL(", ").join(
            sql.SQL("set_config({}, {}, true)").format(name, value) for name, value in values.items()
        )
        connection.execute(sql.SQL("BEGIN {}; SELECT {}").format(sql.SQL(mode), calls))


def _vectors(connection: Connection[Any], place: str) -> str:
    """The schema of pgvector, which is made where it is not there. Raises `StoreUnavailable`."""
    query = """
        SELECT extversion, quote_ident(nspname) AS schema
        FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'
    """
    try:
        if not connection.execute(query).fetchone():
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        [found] = connection.execute(query).fetchall()
    except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege) as error:
        raise StoreUnavailable(
            f"{place} has no pgvector, and this role cannot make it.",
            "Install pgvector on the server, and let an administrator run `CREATE EXTENSION vector` in the database.",
        ) from error
    if tuple(map(int, found["extversion"].split(".")[:2])) < LEAST_VECTOR:
        raise StoreUnavailable(
            f"The pgvector of {place} is {found['extversion']}; 0.8 or newer is needed.",
            "Install a newer pgvector on the server and run `ALTER EXTENSION vector UPDATE`.",
        )
    return str(found["schema"])


_LOCK = RLock()
"""One that its holder may take again: while it opens a database, a store may be collected that lets go of another."""
_OPEN: dict[str, Database] = {}


def taken(url: str, place: str) -> Database:
    """The process's own database at an address, opened for the first who takes it; each gives it back."""
    with _LOCK:
        if url not in _OPEN:
            _OPEN[url] = Database(url, place)
        _OPEN[url].users += 1
        return _OPEN[url]


def given_back(url: str) -> None:
    """Let go of a database that was taken; the last who does so closes its connections."""
    with _LOCK:
        _OPEN[url].users -= 1
        if not _OPEN[url].users:
            _OPEN.pop(url).pool.close()
