"""Which documents a question is asked of: those at or beneath given places."""

import json
import os
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridic.knowledge.connection import Connection, Members
from veridic.text.hidden import storable


@dataclass(frozen=True)
class Place:
    """A file, a folder or an id, as it was named and as paths of documents are stored."""

    named: str
    paths: tuple[str, ...]
    """Real paths: the last link followed, and not; a folder that was walked may hold a link."""

    @classmethod
    def of(cls, named: str) -> "Place":
        """A place as people write it; a blank one holds nothing."""
        named = storable(named)
        if not named.strip():
            return cls("", ())
        path = os.path.expanduser(named)
        folder, name = os.path.split(os.path.abspath(path))
        return cls(named, tuple({os.path.realpath(path): None, os.path.join(os.path.realpath(folder), name): None}))

    def holds(self, identifier: str, url: str) -> bool:
        """Whether a document with this id and address is at it or beneath it."""
        beneath = (os.path.join(path, "") for path in self.paths)
        return self.named in (identifier, url) or url in self.paths or any(map(url.startswith, beneath))


Groups = tuple[tuple[Place, ...], ...]


class Scope:
    """Documents at or beneath one of each group of places; without any group, all. Safe for threads."""

    def __init__(self, groups: Groups = ()) -> None:
        self._groups = groups
        self._known: tuple[int, Members] | None = None
        """Its members with the sequence number they were found at."""

    def narrowed(self, places: Sequence[str]) -> "Scope":
        """What of this scope is at or beneath one of these places; of none, nothing."""
        return Scope((*self._groups, tuple(Place.of(place) for place in places)))

    def members(self, connection: Connection) -> Members | None:
        """Its documents in this snapshot; None: all."""
        if not self._groups:
            return None
        sequence, known = self._changed(connection), self._known
        if known is None or known[0] != sequence:
            self._known = known = sequence, self._found(connection)
        return known[1]

    def _changed(self, connection: Connection) -> int:
        """The number of the last transaction that added, changed or removed a document."""
        last = "SELECT coalesce(max(sequence), 0) AS last FROM {} WHERE namespace = :namespace"
        query = f"SELECT max(last) FROM ({last.format('chunks')} UNION ALL {last.format('removed_chunks')}) AS changes"
        return int(connection.execute(query, {"namespace": connection.namespace}).fetchone()[0])

    def _found(self, connection: Connection) -> Members:
        first, *others = [at_or_beneath(connection, group) for group in self._groups]
        written = first.intersection(*others)
        documents = json.dumps(sorted(written | resting_on(connection, written)))
        # What is added to columns keeps SQLite from going through all active chunks once for each member.
        chunks = connection.execute(
            """
            SELECT chunks.id FROM json_each(?) AS member CROSS JOIN chunks
            WHERE chunks.document_id = member.value AND chunks.namespace || '' = ? AND chunks.status || '' = 'active'
                AND chunks.kind != 'outside'
            """,
            (documents, connection.namespace),
        )
        return Members(documents, array("q", (row[0] for row in chunks)))


def at_or_beneath(connection: Connection, places: Iterable[Place]) -> set[str]:
    """Ids of the documents that were not generated, at or beneath one of these places or named by id or url."""
    found: set[str] = set()
    for place in places:
        found.update(_ids(connection, "(id = ? OR url = ?)", (place.named, place.named)))
        for path in place.paths:
            found.update(_ids(connection, "(url = ? OR (url >= ? AND url < ?))", (path, *beneath(path))))
    return found


def beneath(path: str) -> tuple[str, str]:
    """From where on, and before what, the urls beneath a folder stand: from `/a/b/` to before `/a/b0`."""
    inside = os.path.join(path, "")
    return inside, inside[:-1] + chr(ord(inside[-1]) + 1)


def _ids(connection: Connection, condition: str, values: tuple[str, ...]) -> Iterable[str]:
    query = f"SELECT id FROM documents WHERE namespace = ? AND kind != 'generated' AND {condition}"
    return (row[0] for row in connection.execute(query, (connection.namespace, *values)))


def resting_on(connection: Connection, written: set[str]) -> set[str]:
    """Ids of the generated records all of whose sources, but those outside, are among these documents and records."""
    sources: dict[str, set[str]] = {}
    for record, source in connection.execute(
        """
        SELECT lineage.document_id, lineage.source_document_id
        FROM lineage JOIN documents ON documents.id = lineage.document_id
        WHERE documents.namespace = ? AND lineage.kind != 'outside'
        """,
        (connection.namespace,),
    ):
        sources.setdefault(record, set()).add(source)
    found: set[str] = set()
    while more := {record for record, rests in sources.items() if record not in found and rests <= written | found}:
        found |= more
    return found
