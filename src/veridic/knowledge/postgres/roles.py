"""With whose rights a knowledge base is used: those of the owner of its schema, who is bound by row-level security.

A superuser is not, whatever the tables say. One who opens a database for the first time makes the role `veridic`, which
owns the schema and cannot log in; every transaction is that role's. Any other role owns the schema itself.
"""

from contextlib import suppress
from typing import Any

from psycopg import Connection, errors, sql

from veridic.errors import StoreUnavailable

SCHEMA = "veridic"
"""Where the tables are."""
OWNER = "veridic"
"""The role that a superuser makes."""

_WHO = f"""
    SELECT current_user AS login, login.rolsuper AS super, login.rolbypassrls AS bypasses,
        coalesce(owner.rolname, '') AS owner, coalesce(owner.rolsuper OR owner.rolbypassrls, false) AS unbound,
        coalesce(pg_has_role(owner.oid, 'MEMBER'), true) AS member
    FROM pg_roles AS login
    LEFT JOIN pg_namespace AS schema ON schema.nspname = '{SCHEMA}'
    LEFT JOIN pg_roles AS owner ON owner.oid = schema.nspowner
    WHERE login.rolname = current_user
"""


def role_of(connection: Connection[Any], place: str) -> str:
    """The role that transactions take; it is made where a superuser comes first.

    Raises `StoreUnavailable` where row-level security would not bind it, or the login may not take it.
    """
    [who] = connection.execute(_WHO).fetchall()
    if who["owner"] and not who["member"]:
        raise StoreUnavailable(
            f"The knowledge base {place} belongs to the role {who['owner']}, which {who['login']} is no member of.",
            f"Run `GRANT {who['owner']} TO {who['login']}` there.",
        )
    if who["unbound"] or (not who["owner"] and who["bypasses"] and not who["super"]):
        raise StoreUnavailable(
            f"Row-level security does not bind the role {who['owner'] or who['login']} of {place}.",
            "Let a role own the schema that is no superuser and has NOBYPASSRLS: see docs/how-to/postgres.md.",
        )
    if not who["owner"] and who["super"]:
        _make_owner(connection)
        return OWNER
    return str(who["owner"] or who["login"])


def _make_owner(connection: Connection[Any]) -> None:
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (OWNER,)).fetchone():
        with suppress(errors.DuplicateObject, errors.UniqueViolation):  # one that opens another database was first
            connection.execute(f"CREATE ROLE {OWNER} NOLOGIN NOSUPERUSER NOBYPASSRLS")
    grant = sql.SQL("GRANT CREATE ON DATABASE {} TO {}")
    connection.execute(grant.format(sql.Identifier(connection.info.dbname), sql.Identifier(OWNER)))
