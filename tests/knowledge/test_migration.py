"""A knowledge base of an older version is brought up to date when it is opened, whole or not at all."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import soon
from veridic.knowledge.embeddings import packed
from veridic.knowledge.schema import APPLICATION_ID, FIRST, SCHEMA_VERSION, VERSIONS

TEXT = "The Alder Bridge was opened in 1932."
DOCUMENT = """
INSERT INTO documents VALUES (
    :id, 'default', :kind, :status, 1, 'When?', :id, 'text/plain', '', :text, '2026-01-01', :lineage
)
"""
CHUNK = """
INSERT INTO chunks (
    document_id, namespace, kind, status, sequence, ordinal, start, end, title, heading, location, text, embedding
) VALUES (:id, 'default', :kind, :status, 1, 0, 0, 36, '', '', '', :text, :vector)
"""
LESSON = """
INSERT INTO experience (
    namespace, run_id, sequence, learned_at, question, action, outcome, reason, query, embedding
) VALUES ('default', 'run-1', 1, '2026-01-01', 'When?', 'correct', 'accepted', '', 'When?', ?)
"""
DECISION = """
INSERT INTO decisions (namespace, run_id, sequence, decided_at, outcome, result)
VALUES ('default', 'run-1', 1, '2026-01-01', 'accepted', ?)
"""
LINEAGE = json.dumps({"run_id": "run-1", "question": "When?", "scores": {"grounding": 0.9}})


def first_version(path: Path, *, result: str) -> None:
    """A file as version 1 wrote it: a document, a record, a lesson and a decision."""
    path.parent.mkdir(parents=True, exist_ok=True)
    embedder = HashingEmbedder()
    [text, question] = packed(embedder.embed([TEXT, "When?"]))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in FIRST:
            connection.execute(statement)
        meta = [("store_id", "s"), ("secret", "00"), ("embedder", embedder.fingerprint), ("embedded", "headed, alone")]
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta)
        for own in (
            {"id": "doc-1", "kind": "human", "status": "active", "lineage": "{}"},
            {"id": "gen-1", "kind": "generated", "status": "probation", "lineage": LINEAGE},
        ):
            connection.execute(DOCUMENT, {**own, "text": TEXT})
            connection.execute(CHUNK, {**own, "text": TEXT, "vector": text})
        connection.execute(LESSON, (question,))
        connection.execute(DECISION, (result,))
        connection.execute("UPDATE counter SET sequence = 1")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_what_was_there_is_there_and_what_is_new_is_filled(path: Path, opener: Opener) -> None:
    result = {"documents": [{"document_id": "doc-1", "text": TEXT}], "sentences": [{"document_id": "doc-1"}]}
    first_version(path, result=json.dumps(result))
    knowledge = opener()
    [[found]] = knowledge.corpus.search(["alder bridge"], limit=3, deadline=soon())
    assert found["document_id"] == "doc-1"
    [lesson] = knowledge.experience.recall("When?", limit=1, deadline=soon())
    assert lesson["question"] == "When?"
    assert rows(path, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    assert rows(path, "SELECT document_id, run_id, question FROM records") == [("gen-1", "run-1", "When?")]
    told = rows(path, "SELECT record_id, run_id, event, status FROM record_events")
    assert told == [("gen-1", "run-1", "written", "probation")]
    assert rows(path, "SELECT * FROM decision_documents") == [("doc-1", 1)]
    assert knowledge.corpus.store.problems() == []


def test_a_garbled_decision_stops_nothing(path: Path, opener: Opener) -> None:
    first_version(path, result="{not json")
    assert opener().corpus.status().documents == 2


def test_half_a_migration_is_none(path: Path, opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    first_version(path, result="{}")
    broken = (*VERSIONS[:1], (*VERSIONS[1], "SELECT no_such_column FROM records"))
    with monkeypatch.context() as patched:
        patched.setattr("veridic.knowledge.migration.VERSIONS", broken)
        with pytest.raises(sqlite3.OperationalError):
            opener()
    assert rows(path, "PRAGMA user_version") == [(1,)]
    assert opener().corpus.status().documents == 2
