-- The tables of a knowledge base, version 3: that of Veridic 0.2.0. What owns them: `schema.py`.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE counter (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL);

INSERT INTO counter VALUES (1, 0);

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
);

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
);
CREATE INDEX chunks_by_status ON chunks (namespace, status, kind);
CREATE INDEX chunks_by_sequence ON chunks (namespace, sequence);

CREATE TABLE removed_chunks (id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, sequence INTEGER NOT NULL);
CREATE INDEX removed_by_sequence ON removed_chunks (namespace, sequence);

CREATE VIRTUAL TABLE chunk_words USING fts5 (
    title, heading, text, content = 'chunks', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER chunk_inserted AFTER INSERT ON chunks BEGIN
    INSERT INTO chunk_words (rowid, title, heading, text) VALUES (new.id, new.title, new.heading, new.text);
END;

CREATE TRIGGER chunk_deleted AFTER DELETE ON chunks BEGIN
    INSERT INTO chunk_words (chunk_words, rowid, title, heading, text)
    VALUES ('delete', old.id, old.title, old.heading, old.text);
END;

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
);
CREATE INDEX lineage_of ON lineage (document_id);
CREATE INDEX lineage_from ON lineage (source_document_id);

CREATE TABLE records (
    document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    namespace TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    run_id TEXT NOT NULL,
    question TEXT NOT NULL,
    short_answer TEXT NOT NULL,
    sentences TEXT NOT NULL,
    scores TEXT NOT NULL,
    fingerprints TEXT NOT NULL,
    scope TEXT NOT NULL,
    written_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    seen INTEGER NOT NULL,
    embedding BLOB
);
CREATE INDEX records_by_sequence ON records (namespace, sequence);

CREATE TABLE record_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    namespace TEXT NOT NULL,
    record_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    happened_at TEXT NOT NULL,
    run_id TEXT NOT NULL,
    event TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    sources TEXT NOT NULL
);
CREATE INDEX record_events_of ON record_events (namespace, record_id);

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
    source TEXT NOT NULL DEFAULT '',
    form TEXT NOT NULL DEFAULT '',
    objection TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '',
    UNIQUE (namespace, run_id)
);
CREATE INDEX experience_by_sequence ON experience (namespace, sequence);

CREATE TABLE lesson_places (
    lesson_id INTEGER NOT NULL REFERENCES experience (id) ON DELETE CASCADE,
    namespace TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('worked', 'misled')),
    document_id TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL
);
CREATE INDEX lesson_places_of ON lesson_places (lesson_id);
CREATE INDEX lesson_places_in ON lesson_places (document_id);

CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    namespace TEXT NOT NULL,
    run_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    decided_at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    result TEXT NOT NULL,
    UNIQUE (namespace, run_id)
);

CREATE TABLE decision_documents (
    document_id TEXT NOT NULL,
    decision_id INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    PRIMARY KEY (document_id, decision_id)
) WITHOUT ROWID;
CREATE INDEX decision_documents_of ON decision_documents (decision_id);

CREATE TABLE feedback (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    namespace TEXT NOT NULL,
    run_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    given_at TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('up', 'down', 'correction')),
    correction TEXT NOT NULL
);
CREATE INDEX feedback_of ON feedback (namespace, run_id);

CREATE TABLE thread_runs (
    decision_id INTEGER NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
    namespace TEXT NOT NULL,
    thread TEXT NOT NULL,
    PRIMARY KEY (decision_id, thread)
) WITHOUT ROWID;
CREATE INDEX thread_runs_of ON thread_runs (namespace, thread, decision_id);
