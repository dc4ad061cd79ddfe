"""The tables of a knowledge base: one SQLite file, which is the truth.

`PRAGMA application_id` says that a file is ours, `PRAGMA user_version` is the schema version.
Every row that belongs to someone names its `namespace`; every row that a view is derived from
carries the `sequence` of the transaction that last touched it. Sequences grow in commit order,
so "all above the last one I saw" is exactly what is new.
"""

APPLICATION_ID = 0x56524443
"""`VRDC`."""

SCHEMA_VERSION = 1

STATEMENTS: tuple[str, ...] = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE counter (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL)",
    "INSERT INTO counter VALUES (1, 0)",
    """
    CREATE TABLE documents (
        id TEXT PRIMARY KEY,
        namespace TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('human', 'generated', 'outside')),
        status TEXT NOT NULL CHECK (status IN ('active', 'probation', 'review', 'rejected', 'withdrawn')),
        sequence INTEGER NOT NULL,
        title TEXT NOT NULL,
        url TEXT NOT NULL,
        media_type TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        text TEXT NOT NULL,
        ingested_at TEXT NOT NULL,
        lineage TEXT NOT NULL,
        UNIQUE (namespace, url)
    )
    """,
    """
    CREATE TABLE chunks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        namespace TEXT NOT NULL,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,
        start INTEGER NOT NULL,
        end INTEGER NOT NULL,
        title TEXT NOT NULL,
        heading TEXT NOT NULL,
        location TEXT NOT NULL,
        text TEXT NOT NULL,
        embedding BLOB NOT NULL,
        UNIQUE (document_id, ordinal)
    )
    """,
    "CREATE INDEX chunks_by_status ON chunks (namespace, status, kind)",
    "CREATE INDEX chunks_by_sequence ON chunks (namespace, sequence)",
    "CREATE TABLE removed_chunks (id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, sequence INTEGER NOT NULL)",
    "CREATE INDEX removed_by_sequence ON removed_chunks (namespace, sequence)",
    """
    CREATE VIRTUAL TABLE chunk_words USING fts5 (
        title, heading, text, content = 'chunks', content_rowid = 'id',
        tokenize = 'porter unicode61 remove_diacritics 2'
    )
    """,
    """
    CREATE TRIGGER chunk_inserted AFTER INSERT ON chunks BEGIN
        INSERT INTO chunk_words (rowid, title, heading, text) VALUES (new.id, new.title, new.heading, new.text);
    END
    """,
    """
    CREATE TRIGGER chunk_deleted AFTER DELETE ON chunks BEGIN
        INSERT INTO chunk_words (chunk_words, rowid, title, heading, text)
        VALUES ('delete', old.id, old.title, old.heading, old.text);
    END
    """,
    """
    CREATE TABLE lineage (
        document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        source_document_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        url TEXT NOT NULL,
        location TEXT NOT NULL,
        start INTEGER NOT NULL,
        end INTEGER NOT NULL,
        quote TEXT NOT NULL,
        retrieved_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX lineage_of ON lineage (document_id)",
    "CREATE INDEX lineage_from ON lineage (source_document_id)",
    """
    CREATE TABLE experience (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace TEXT NOT NULL,
        run_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        learned_at TEXT NOT NULL,
        question TEXT NOT NULL,
        action TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        query TEXT NOT NULL,
        embedding BLOB NOT NULL,
        UNIQUE (namespace, run_id)
    )
    """,
    "CREATE INDEX experience_by_sequence ON experience (namespace, sequence)",
    """
    CREATE TABLE decisions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace TEXT NOT NULL,
        run_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        decided_at TEXT NOT NULL,
        outcome TEXT NOT NULL,
        result TEXT NOT NULL,
        UNIQUE (namespace, run_id)
    )
    """,
)
