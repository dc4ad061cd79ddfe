"""Statements with `?` and `:name`, as SQLite takes them, in the form that psycopg takes."""

import re
from functools import lru_cache

_PARTS = re.compile(r"""'[^']*'|"[^"]*"|::|%|\?|:(?P<name>\w+)""")
"""What is quoted, a cast, a percent sign, a value by place, one by name."""


@lru_cache(maxsize=1024)
def translated(sql: str) -> str:
    """A statement with `%s` for `?` and `%(name)s` for `:name`, outside of what is quoted."""
    return _PARTS.sub(_part, sql)


def _part(found: re.Match[str]) -> str:
    if found["name"]:
        return f"%({found['name']})s"
    return "%s" if found.group() == "?" else found.group().replace("%", "%%")
