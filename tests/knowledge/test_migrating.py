"""A knowledge base taken over into another store and back: nothing lost, and gone on with after a kill."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.postgres import fresh
from tests.knowledge.test_conformance import TEXTS, lesson, record, rests, result, soon
from veridic.errors import StoreMissing, UsageError
from veridic.knowledge.base import Knowledge, open_knowledge, open_store
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.integrity import problems
from veridic.knowledge.migrating import _TABLES, migrate

ROOT = Path(__file__).parents[2]
NAMESPACES = ("default", "théirs")

KILLED = """
import os, signal, sys
from veridic.knowledge import migrating

migrating.BATCH = 2
told = []

def progress(done, of, name):
    told.append(name)
    if len(told) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

migrating.migrate(sys.argv[1], sys.argv[2], progress=progress)
"""


def opened(place: Path | str, namespace: str = "default") -> Knowledge:
    return open_knowledge(place, namespace, HashingEmbedder())


def filled(place: Path) -> Path:
    """A file with rows in every table, in two namespaces."""
    for namespace in NAMESPACES:
        knowledge = opened(place, namespace)
        corpus = knowledge.corpus
        ingest_texts([Text(f"{namespace}/{name}", name, text) for name, text in TEXTS.items()], corpus)
        ingest_texts([Text(f"{namespace}/{number}", "note", f"Note {number} é.") for number in range(9)], corpus)
        [[bridge]] = corpus.search([TEXTS["bridge"]], limit=1, deadline=soon())
        learned = corpus.remember(record(sources=[rests(bridge)], status="active"), deadline=soon())
        corpus.remember(record(run_id="run-2", question="What else?", status="review"), deadline=soon())
        corpus.settle(learned, "rejected", "", deadline=soon())
        places: Any = [{"role": "worked", "document_id": bridge["document_id"], "start": 0, "end": 9}]
        knowledge.experience.learn("run-1", lesson("what is tea", places=places), deadline=soon())
        knowledge.decisions.write(
            {**result("run-1", "x \ud800"), "documents": [bridge], "question": "Q"}, deadline=soon()
        )
        knowledge.threads.add("a thread", "run-1")
        knowledge.feedback.give("run-1", "up")
        corpus.remove(f"{namespace}/8")
        knowledge.close()
    return place


def rows(place: Path | str) -> dict[tuple[str, str], list[tuple[Any, ...]]]:
    """All rows of each table and namespace, with what is said of a namespace."""
    found = {}
    for namespace in NAMESPACES:
        with open_store(place, namespace) as store, store.reading() as connection:
            for table in _TABLES:
                query = f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {table.owned}"
                held = connection.execute(f"{query} ORDER BY {', '.join(table.key)}", (namespace,))
                found[namespace, table.name] = [tuple(row) for row in held]
            said = connection.execute("SELECT key, value FROM meta WHERE key LIKE 'embed%' ORDER BY key")
            found[namespace, "meta"] = [tuple(row) for row in said]
    return found


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return filled(tmp_path / "from.sqlite")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return fresh(request.getfixturevalue("server")) if request.param == "postgres" else str(tmp_path / "to.sqlite")


def test_there_and_back_every_row_is_as_it_was(source: Path, target: str, tmp_path: Path) -> None:
    before = rows(source)
    assert all(before.values())
    counts = migrate(str(source), target)
    assert counts["documents"] == 2 * (len(TEXTS) + 8 + 2)
    assert rows(target) == before
    back = tmp_path / "back.sqlite"
    assert migrate(target, str(back)) == counts
    assert rows(back) == before
    with open_store(source) as old, open_store(target) as new, open_store(back) as last:
        assert old.secret() == new.secret() == last.secret()


def test_what_was_taken_over_is_asked_and_goes_on(source: Path, target: str) -> None:
    migrate(str(source), target)
    for namespace in NAMESPACES:
        knowledge = opened(target, namespace)
        [[best]] = knowledge.corpus.search(["who opened the alder bridge"], limit=1, deadline=soon())
        assert best["url"] == f"{namespace}/bridge"
        assert problems(knowledge.corpus) == []
        ingest_texts([Text(f"{namespace}/{name}", "new", f"New {name}.") for name in "ab"], knowledge.corpus)
        knowledge.corpus.remove(f"{namespace}/a")
        knowledge.decisions.write(result("run-3", "y"), deadline=soon())
        assert [run.run_id for run in knowledge.decisions.listed(1)] == ["run-3"]
        knowledge.close()


@pytest.mark.parametrize("after", [1, 6, 20, 40])
def test_one_that_was_killed_is_gone_on_with(source: Path, target: str, after: int) -> None:
    command = [sys.executable, "-c", KILLED, str(source), target, str(after)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert rows(target) != rows(source)
    migrate(str(source), target)
    assert rows(target) == rows(source)
    told: list[int] = []
    migrate(str(source), target, progress=lambda *_: told.append(1))
    assert told == []


def test_what_holds_something_else_is_left_alone(source: Path, target: str) -> None:
    other = opened(target)
    ingest_texts([Text("own", "own", "Its own.")], other.corpus)
    with pytest.raises(UsageError, match="no copy of"):
        migrate(str(source), target)
    assert [one.url for one in other.corpus.documents()] == ["own"]
    other.close()


def test_a_source_that_changed_since_is_told(source: Path, target: str) -> None:
    migrate(str(source), target)
    changed = opened(source)
    ingest_texts([Text("more", "more", "More.")], changed.corpus)
    changed.close()
    with pytest.raises(UsageError, match="as it is now"):
        migrate(str(source), target)


def test_there_is_a_source_and_it_is_another(source: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="no knowledge base at"):
        migrate(str(tmp_path / "none.sqlite"), str(source))
    with pytest.raises(UsageError, match="the same"):
        migrate(str(source), str(source))
