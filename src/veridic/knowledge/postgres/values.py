"""Values and rows as the modules above know them: rows by name, and vectors as little-endian float32."""

import struct
from collections.abc import Callable, Iterator, KeysView, Sequence
from functools import cache
from typing import Any

import numpy as np
from psycopg import Connection, Cursor
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo
from psycopg.types.string import StrBinaryDumper, StrDumper

_HEAD = struct.Struct(">HH")
"""Of a vector on the wire: its dimension, and nothing."""


class NamedRow:
    """A row: its values in order, and by name or place."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: dict[str, int], values: Sequence[Any]) -> None:
        self._names = names
        self._values = values

    def keys(self) -> KeysView[str]:
        """The names of the columns, in order."""
        return self._names.keys()

    def __getitem__(self, key: str | int) -> Any:  # noqa: ANN401 - a value of any column
        return self._values[key if isinstance(key, int) else self._names[key]]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def named_rows(cursor: Cursor[Any]) -> Callable[[Sequence[Any]], NamedRow]:
    """Make what makes a cursor's rows."""
    names = {column.name: place for place, column in enumerate(cursor.description or ())}
    return lambda values: NamedRow(names, values)


class _Text(StrDumper):
    """Text is text, whatever it is compared with; the one character that PostgreSQL's cannot hold is replaced."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))


class _CopiedText(StrBinaryDumper):
    """As `_Text`, for COPY."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))


class _FromFloats(Dumper):
    """Bytes of little-endian float32 as a vector: bit for bit."""

    format = Format.BINARY

    def dump(self, obj: bytes) -> Buffer | None:
        floats = np.frombuffer(obj, dtype="<f4")
        return _HEAD.pack(len(floats), 0) + floats.astype(">f4").tobytes()


class _ToFloats(Loader):
    """A vector as bytes of little-endian float32."""

    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return np.frombuffer(data, dtype=">f4", offset=_HEAD.size).astype("<f4").tobytes()


@cache
def _dumper(oid: int) -> type[Dumper]:
    return type("_FromFloats", (_FromFloats,), {"oid": oid})


def adapt(connection: Connection[Any], vector_type: str) -> None:
    """Let a connection give rows by name, and take and give vectors, a type with this name, as bytes."""
    connection.row_factory = named_rows
    connection.adapters.register_dumper(str, _CopiedText)
    connection.adapters.register_dumper(str, _Text)
    vector = TypeInfo.fetch(connection, vector_type)
    if vector is not None:
        connection.adapters.register_dumper(bytes, _dumper(vector.oid))
        connection.adapters.register_loader(vector.oid, _ToFloats)
