"""Rows of documents, chunks and lineage: what one open transaction does to them."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import PurePath
from typing import Any, Literal, get_args

from veridic.knowledge.connection import SEQUENCE, Connection, Members, Row, clause
from veridic.knowledge.experience import forget_document
from veridic.knowledge.scope import beneath
from veridic.ports.shapes import Kind
from veridic.text.questions import keywords

Status = Literal["active", "probation", "review", "rejected", "withdrawn"]
STATUSES: tuple[str, ...] = get_args(Status)
SAME_WORD = 80.0
"""From which likeness, in per cent, two words are the same but for a slip."""

SAME = 85.0
"""From which likeness two names are the same."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a document: `text` is the document's stored text from `start` to `end`."""

    start: int
    end: int
    heading: str
    location: str
    text: str


@dataclass(frozen=True)
class Document:
    """A stored document; `text` is what all offsets count in."""

    id: str
    kind: Kind
    status: Status
    title: str
    url: str
    media_type: str
    content_hash: str
    text: str
    ingested_at: str
    """ISO 8601, UTC."""
    lineage: dict[str, Any] = field(default_factory=dict)
    """Of a generated record: `run_id`, `question`, `scores`."""


@dataclass(frozen=True)
class DocumentSummary:
    """A document without its text."""

    id: str
    kind: Kind
    status: Status
    title: str
    url: str
    media_type: str
    characters: int
    chunks: int
    ingested_at: str


def document_id(namespace: str, key: str, kind: Kind = "human") -> str:
    """The id of a document, the same each time: `key` is its url, of a record the run, of an outside passage the id."""
    prefix = {"human": "doc", "generated": "gen", "outside": "out"}[kind]
    return f"{prefix}-" + hashlib.sha256(f"{namespace}\0{key}".encode(errors="replace")).hexdigest()[:16]


_CHANGED = f"""
    UPDATE documents SET
        kind = :kind, status = :status, sequence = {SEQUENCE}, title = :title, media_type = :media_type,
        content_hash = :content_hash, text = :text, ingested_at = :ingested_at, lineage = :lineage
    WHERE id = :id
"""
_MADE = f"""
    INSERT INTO documents VALUES (
        :id, :namespace, :kind, :status, {SEQUENCE}, :title, :url, :media_type, :content_hash, :text, :ingested_at,
        :lineage
    )
"""


def put(connection: Connection, document: Document, chunks: Sequence[Chunk], embeddings: Iterable[bytes]) -> None:
    """Store a document with its chunks; one of the same id is replaced."""
    drop_chunks(connection, document.id)
    lineage = json.dumps(document.lineage, ensure_ascii=False, sort_keys=True)
    values = {**vars(document), "namespace": connection.namespace, "lineage": lineage}
    if not connection.execute(_CHANGED, values).rowcount:
        connection.execute(_MADE, values)
    connection.executemany(
        f"""
        INSERT INTO chunks (
            document_id, namespace, kind, status, sequence, ordinal, start, "end", title, heading, location, text,
            embedding
        )
        SELECT id, namespace, kind, status, {SEQUENCE}, :ordinal, :start, :end, title, :heading, :location, :text,
            :embedding
        FROM documents WHERE id = :document_id
        """,
        (
            {**vars(chunk), "document_id": document.id, "ordinal": ordinal, "embedding": embedding}
            for ordinal, (chunk, embedding) in enumerate(zip(chunks, embeddings, strict=True))
        ),
    )


def renewed(connection: Connection, document: Document, chunks: Sequence[Chunk]) -> bool:
    """Give a stored document its new content hash, if its title, text, status and chunks are these; whether it did."""
    stored = connection.execute(
        'SELECT start, "end", heading, location, text FROM chunks WHERE document_id = ? ORDER BY ordinal',
        (document.id,),
    )
    if [Chunk(**dict(row)) for row in stored] != list(chunks):
        return False
    done = connection.execute(
        "UPDATE documents SET content_hash = ? WHERE id = ? AND title = ? AND text = ? AND status = ?",
        (document.content_hash, document.id, document.title, document.text, document.status),
    )
    return done.rowcount > 0


def remove(connection: Connection, identifier: str) -> None:
    """Delete a document."""
    drop_chunks(connection, identifier)
    connection.execute("DELETE FROM documents WHERE id = ?", (identifier,))


def set_status(connection: Connection, identifier: str, status: Status) -> None:
    """Give a document and its chunks another status."""
    for table, key in (("documents", "id"), ("chunks", "document_id")):
        connection.execute(
            f"UPDATE {table} SET status = ?, sequence = {SEQUENCE} WHERE {key} = ?", (status, identifier)
        )


def find(connection: Connection, reference: str) -> Document | None:
    """The document with this id or, failing that, this url."""
    row = connection.execute(
        "SELECT * FROM documents WHERE namespace = ? AND (id = ? OR url = ?) ORDER BY id = ? DESC",
        (connection.namespace, reference, reference, reference),
    ).fetchone()
    if row is None:
        return None
    columns = {**dict(row), "lineage": json.loads(row["lineage"])}
    return Document(**{field.name: columns[field.name] for field in fields(Document)})


def content_hashes(connection: Connection, urls: Iterable[str] | None = None) -> dict[str, str]:
    """Content hash by url, of every document that people wrote, or of those of these urls."""
    asked, given = "documents WHERE", [connection.namespace]
    if urls is not None:
        asked = "json_each(?) AS asked CROSS JOIN documents WHERE documents.url = asked.value AND"
        given = [json.dumps([*urls]), connection.namespace]
    rows = connection.execute(f"SELECT url, content_hash FROM {asked} namespace = ? AND kind = 'human'", given)
    return {row["url"]: row["content_hash"] for row in rows}


def urls_beneath(connection: Connection, paths: Iterable[str]) -> list[str]:
    """Urls of the documents that people wrote, at or beneath these absolute paths, each once."""
    query = """
        SELECT url FROM documents
        WHERE namespace = ? AND kind = 'human' AND (url = ? OR (url >= ? AND url < ?)) ORDER BY url
    """
    found = (connection.execute(query, (connection.namespace, path, *beneath(path))) for path in paths)
    return list(dict.fromkeys(row["url"] for rows in found for row in rows))


def listed(connection: Connection, *, kind: Kind | None, members: Members | None) -> list[DocumentSummary]:
    """Every document of a namespace, or of these members, oldest first, of one kind if given."""
    inside, values = clause("id", members)
    rows = connection.execute(
        f"""
        SELECT id, kind, status, title, url, media_type, length(text) AS characters, ingested_at,
            (SELECT count(*) FROM chunks WHERE document_id = documents.id) AS chunks
        FROM documents
        WHERE namespace = ? AND (CAST(? AS TEXT) IS NULL OR kind = ?) {inside}
        ORDER BY ingested_at, url
        """,
        (connection.namespace, kind, kind, *values),
    )
    return [DocumentSummary(**dict(row)) for row in rows]


@dataclass(frozen=True)
class Count:
    """How many documents of one kind and status there are, and their chunks."""

    kind: Kind
    status: Status
    documents: int
    chunks: int


def counted(connection: Connection) -> list[Count]:
    """What a namespace holds, by kind and status, the most documents first."""
    rows = connection.execute(
        """
        SELECT documents.kind, documents.status, count(DISTINCT documents.id) AS documents, count(chunks.id) AS chunks
        FROM documents LEFT JOIN chunks ON chunks.document_id = documents.id
        WHERE documents.namespace = ? GROUP BY documents.kind, documents.status
        ORDER BY count(DISTINCT documents.id) DESC, documents.kind, documents.status
        """,
        (connection.namespace,),
    )
    return [Count(**dict(row)) for row in rows]


def chunks_of(connection: Connection, identifiers: Sequence[str]) -> set[int]:
    """The ids of the chunks of some documents."""
    query = "SELECT id FROM chunks WHERE document_id IN (SELECT value FROM json_each(?))"
    return {row["id"] for row in connection.execute(query, (json.dumps(list(identifiers)),))}


def last_ingested(connection: Connection) -> str | None:
    """When a document that people wrote was last taken in, ISO 8601, UTC; None when there is none."""
    query = "SELECT max(ingested_at) FROM documents WHERE namespace = ? AND kind = 'human'"
    last: str | None = connection.execute(query, (connection.namespace,)).fetchone()[0]
    return last


def names(connection: Connection, members: Members | None = None) -> list[Row]:
    """Id, title and url of the active documents that people wrote, of these members, in alphabetical order."""
    inside, values = clause("id", members)
    return connection.execute(
        f"""
        SELECT id, title, url FROM documents WHERE namespace = ? AND kind = 'human' AND status = 'active' {inside}
        ORDER BY lower(title), url
        """,
        (connection.namespace, *values),
    ).fetchall()


def passages(connection: Connection, most: int, members: Members | None = None) -> int:
    """The number of active chunks of a namespace, or of these members, counted up to `most`."""
    inside, values = clause("document_id", members)
    query = f"SELECT 1 FROM chunks WHERE namespace = ? AND status = 'active' {inside} LIMIT ?"
    counted: int = connection.execute(
        f"SELECT count(*) FROM ({query}) AS counted", (connection.namespace, *values, most)
    ).fetchone()[0]
    return counted


def drop_chunks(connection: Connection, identifier: str) -> None:
    """Delete the chunks of a document, so that views of them learn of it."""
    connection.execute(
        f"INSERT INTO removed_chunks SELECT id, namespace, {SEQUENCE} FROM chunks WHERE document_id = ?", (identifier,)
    )
    connection.execute("DELETE FROM chunks WHERE document_id = ?", (identifier,))
    forget_document(connection, identifier)


def document_meant(said: str, documents: Sequence[Row], *, exactly: bool) -> str:
    """The id of the document meant; of several the one whose name has least besides. Empty when there is none.

    A document is called by its id, its title, and its file name with and without the extension.
    """
    path = PurePath(said)
    said = path.name if path.suffix else said
    files = {row["id"]: PurePath(row["url"]) for row in documents}
    names = ((row["id"], row["title"], files[row["id"]].name, files[row["id"]].stem) for row in documents)
    called = [(one[0], name) for one in names for name in one]
    found = {one: likeness for one in called if (likeness := _likeness(said, one[1], exactly=exactly))}
    return max(found, key=found.__getitem__)[0] if found else ""


def _likeness(said: str, name: str, *, exactly: bool) -> float:
    """In per cent, of the words that carry them; 0 when the name lacks a word, or `exactly` is asked and it is not."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.utils import default_process

    words, others = (keywords(default_process(text)) for text in (said, name))
    if not all(process.extractOne(word, others, scorer=fuzz.ratio, score_cutoff=SAME_WORD) for word in words):
        return 0.0
    return fuzz.token_sort_ratio(" ".join(words), " ".join(others), score_cutoff=SAME if exactly else 0.0)
