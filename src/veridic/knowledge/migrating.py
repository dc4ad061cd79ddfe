"""All of a knowledge base taken over into another store: row by row as it is, by key, so that it can be gone on with.

Each namespace is read in one snapshot and written in batches. What the target has of a table by then tells where to go
on. A mark in the target says whose copy it is, and when it is whole.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from veridic.errors import StoreDamaged, StoreMissing, UsageError
from veridic.knowledge.base import is_held, open_store
from veridic.knowledge.connection import Connection, KnowledgeStore, last_sequence, said_of, say_of
from veridic.settings import shown_kb

BATCH = 500
"""Rows that are written together."""

_OF_DOCUMENTS = "document_id IN (SELECT id FROM documents WHERE namespace = ?)"
_OF_DECISIONS = "decision_id IN (SELECT id FROM decisions WHERE namespace = ?)"


@dataclass(frozen=True)
class _Table:
    """A table: what names a row, all columns, and which rows are a namespace's."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    owned: str = "namespace = ?"


def _table(name: str, key: str, columns: str, owned: str = _Table.owned) -> _Table:
    names = (f'"{one}"' for one in f"{key} {columns}".split())
    return _Table(name, tuple(key.split()), tuple(names), owned)


_TABLES = (
    _table(
        "documents",
        "id",
        "namespace kind status sequence title url media_type content_hash text ingested_at lineage",
    ),
    _table(
        "chunks",
        "id",
        "document_id namespace kind status sequence ordinal start end title heading location text embedding",
    ),
    _table("removed_chunks", "id", "namespace sequence"),
    _table(
        "lineage",
        "rowid",
        "document_id source_document_id kind title url location start end quote retrieved_at",
        _OF_DOCUMENTS,
    ),
    _table(
        "records",
        "rowid",
        "document_id namespace sequence run_id question short_answer sentences scores fingerprints scope written_at "
        "expires_at seen embedding",
    ),
    _table("record_events", "id", "namespace record_id sequence happened_at run_id event status reason sources"),
    _table(
        "experience",
        "id",
        "namespace run_id sequence learned_at question action outcome reason query embedding source form objection "
        "verdict",
    ),
    _table("lesson_places", "rowid", "lesson_id namespace role document_id start end"),
    _table("decisions", "id", "namespace run_id sequence decided_at outcome result"),
    _table("decision_documents", "document_id decision_id", "", _OF_DECISIONS),
    _table("feedback", "id", "namespace run_id sequence given_at verdict correction"),
    _table("thread_runs", "decision_id thread", "namespace"),
)
"""In an order in which what is referred to comes first."""

Told = Callable[[int, int, str], None]
"""Called with how many rows of how many are there, and the table's name."""


def migrate(source: str, target: str, *, progress: Told = lambda *_: None) -> dict[str, int]:
    """Copy all namespaces of a knowledge base, at a path or an address, to another one; how many rows of each table.

    The target is empty, or holds what an earlier copy of the same source left. Raises `StoreMissing` without a source,
    `UsageError` where the target holds something else, `StoreDamaged` where something is not there in the end,
    `StoreUnavailable`.
    """
    if not is_held(source):
        raise StoreMissing(f"There is no knowledge base at {shown_kb(source)}.", "Name the path or address of one.")
    if _same(source, target):
        raise UsageError("Source and target are the same knowledge base.", "Name another target.")
    with open_store(source) as first:
        namespaces, secret = first.namespaces(), first.secret()
    counts = dict.fromkeys((one.name for one in _TABLES), 0)
    for namespace in namespaces:
        with open_store(source, namespace) as old, open_store(target, namespace) as new:
            for name, count in _Copy(old, new, progress).run().items():
                counts[name] += count
            if set(new.namespaces()) <= set(namespaces):
                new.keep_secret(secret)
    return counts


def _same(source: str, target: str) -> bool:
    return source == target or Path(source).expanduser().absolute() == Path(target).expanduser().absolute()


class _Copy:
    """One namespace on its way."""

    def __init__(self, source: KnowledgeStore, target: KnowledgeStore, progress: Told) -> None:
        self._source = source
        self._target = target
        self._namespace = source.namespace
        self._tell = progress
        self._key = f"copy of {source.namespace}"

    def run(self) -> dict[str, int]:
        """Copy what is not there yet; how many rows each table has. Raises as `migrate`."""
        with self._source.reading() as source:
            mark = f"{self._source.store_id} {last_sequence(source)}"
            counts = {table.name: self._count(source, table) for table in _TABLES}
            if not self._is_whole(mark):
                for table in _TABLES:
                    self._copy(source, table, counts[table.name])
                self._end(source, mark, counts)
        return counts

    def _is_whole(self, mark: str) -> bool:
        """Whether the copy is there; else the target says from now on that it is being made. Raises `UsageError`."""
        with self._target.writing() as target:
            said = said_of(target, self._key)
            if said == f"{mark} whole":
                return True
            if said != mark and (said or any(self._count(target, table) for table in _TABLES)):
                raise UsageError(
                    f"{self._target.place} holds something in the namespace {self._namespace} that is no copy of "
                    f"{self._source.place} as it is now.",
                    "Name an empty target; where the source changed since the copy was begun, begin with a new one.",
                )
            say_of(target, self._key, mark)
        return False

    def _count(self, connection: Connection, table: _Table) -> int:
        query = f"SELECT count(*) FROM {table.name} WHERE {table.owned}"
        return int(connection.execute(query, (self._namespace,)).fetchone()[0])

    def _copy(self, source: Connection, table: _Table, total: int) -> None:
        """Copy a table from the row after the last that is there."""
        key, columns = ", ".join(table.key), ", ".join(table.columns)
        owned = f"FROM {table.name} WHERE {table.owned}"
        with self._target.reading() as target:
            done = self._count(target, table)
            last = f"SELECT {key} {owned} ORDER BY {', '.join(f'{one} DESC' for one in table.key)} LIMIT 1"
            after = target.execute(last, (self._namespace,)).fetchone()
        marks = ", ".join("?" * len(table.key))
        begin = f"SELECT {columns} {owned} ORDER BY {key} LIMIT {BATCH}"
        further = f"SELECT {columns} {owned} AND ({key}) > ({marks}) ORDER BY {key} LIMIT {BATCH}"
        while rows := source.execute(further if after else begin, (self._namespace, *(after or ()))).fetchall():
            with self._target.writing() as target:
                target.copy_in(table.name, table.columns, map(tuple, rows))
            after, done = tuple(rows[-1])[: len(table.key)], done + len(rows)
            self._tell(done, total, table.name)

    def _end(self, source: Connection, mark: str, counts: dict[str, int]) -> None:
        """Take over what is said of the namespace, and see that all is there. Raises `StoreDamaged`, `UsageError`."""
        with self._target.writing() as target:
            for table in _TABLES:
                if (found := self._count(target, table)) != counts[table.name]:
                    raise StoreDamaged(
                        f"Of {counts[table.name]} rows of {table.name} {found} are in {self._target.place}.",
                        "Something else writes to the target: stop it, and copy into an empty one.",
                    )
            for key in ("embedder", "embedded", f"audits after {self._namespace}"):
                self._take_over(key, said_of(source, key), target)
            sequence = max(last_sequence(source), last_sequence(target))
            target.execute("UPDATE counter SET sequence = ?", (sequence,))
            target.rows_came()
            say_of(target, self._key, f"{mark} whole")

    def _take_over(self, key: str, said: str, target: Connection) -> None:
        known = said_of(target, key)
        if said and known and known != said:
            raise UsageError(
                f"The {key} of the namespace {self._namespace} is {said}, that of {self._target.place} is {known}.",
                "A SQLite file has one embedder: run `veridic ingest --reembed` with one in each namespace first.",
            )
        if said:
            say_of(target, key, said)
