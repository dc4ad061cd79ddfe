"""What a killed process and a full disk leave behind; each in a process of its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.knowledge.conftest import Opener
from tests.knowledge.test_store import urls
from veridic.knowledge.ingest import ingest

ROOT = Path(__file__).parents[2]

INGEST = """
import os, resource, signal, sys
from pathlib import Path
from tests.fakes.embedder import HashingEmbedder
from veridic.errors import StoreUnavailable
from veridic.knowledge.ingest import ingest
from veridic.knowledge.base import open_knowledge

kb, folder, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
knowledge = open_knowledge(kb, "default", HashingEmbedder())
"""

KILLED_BETWEEN = """
def progress(done, of, name):
    if done == 2:
        os.kill(os.getpid(), signal.SIGKILL)

ingest([folder], knowledge.corpus, progress=progress)
"""

KILLED_WITHIN = """
from veridic.knowledge import document_rows
put = document_rows.put

def put_and_die(connection, namespace, document, chunks, embeddings):
    withdrawn = put(connection, namespace, document, chunks, embeddings)
    if document.url.endswith("library.txt"):
        os.kill(os.getpid(), signal.SIGKILL)
    return withdrawn

document_rows.put = put_and_die
ingest([folder], knowledge.corpus)
"""

FILE_LIMIT = """
(folder / "tea.md").write_text(("tea " * 100 + "\\n\\n") * 1000)
size = max(kb.stat().st_size, kb.with_name(kb.name + "-wal").stat().st_size)
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 200_000, size + 200_000))
try:
    ingest([folder], knowledge.corpus)
except StoreUnavailable as error:
    print(error)
    sys.exit(7)
"""

WRITER = """
ingest([folder / how], knowledge.corpus)
"""


def run(code: str, path: Path, folder: Path, how: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", INGEST + code, str(path), str(folder), how],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_killed_between_documents(path: Path, folder: Path, opener: Opener) -> None:
    assert run(KILLED_BETWEEN, path, folder).returncode == -signal.SIGKILL
    knowledge = opener()
    assert [Path(held.url).name for held in knowledge.corpus.documents()] == ["bridge.md", "library.txt"]
    assert urls(knowledge, "alder bridge")[0] == str(folder / "bridge.md")
    report = ingest([folder], knowledge.corpus)
    assert (len(report.unchanged), len(report.added)) == (2, 1)
    assert knowledge.corpus.store.problems() == []


def test_killed_within_a_document_leaves_no_half_of_it(path: Path, folder: Path, opener: Opener) -> None:
    assert run(KILLED_WITHIN, path, folder).returncode == -signal.SIGKILL
    knowledge = opener()
    assert [Path(held.url).name for held in knowledge.corpus.documents()] == ["bridge.md"]
    with knowledge.corpus.store.reading() as connection:
        chunks, words = connection.execute(
            "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM chunk_words WHERE chunk_words MATCH 'marsh')"
        ).fetchone()
    assert (chunks, words) == (1, 0)
    assert len(ingest([folder], knowledge.corpus).added) == 2
    assert urls(knowledge, "marsh library")[0] == str(folder / "library.txt")


def test_no_room_on_the_disk(path: Path, folder: Path, opener: Opener) -> None:
    done = run(FILE_LIMIT, path, folder)
    assert (done.returncode, done.stderr) == (7, "")
    assert done.stdout.count("\n") == 1
    assert "try again" in done.stdout
    knowledge = opener()
    assert [Path(held.url).name for held in knowledge.corpus.documents()] == ["bridge.md", "library.txt"]
    assert len(ingest([folder], knowledge.corpus).added) == 1
    assert knowledge.corpus.store.problems() == []


def test_another_process_writes_while_this_one_asks(path: Path, folder: Path, opener: Opener) -> None:
    knowledge = opener()
    assert urls(knowledge, "alder bridge") == []
    assert run(WRITER, path, folder, "bridge.md").returncode == 0
    assert urls(knowledge, "alder bridge") == [str(folder / "bridge.md")]
    ingest([folder], knowledge.corpus)
    assert knowledge.corpus.status().documents == 3
