"""One file: whose it is, what it refuses, what several users of it see."""

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import lesson, record, result, soon
from veridic.errors import DeadlineExceeded, DocumentMissing, StoreDamaged, StoreUnavailable
from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.schema import APPLICATION_ID, SCHEMA_VERSION
from veridic.knowledge.store import Store


def add(knowledge: Knowledge, url: str, text: str) -> None:
    ingest_texts([Text(url=url, title=url, text=text)], knowledge.corpus)


def urls(knowledge: Knowledge, query: str) -> list[str]:
    [found] = knowledge.corpus.search([query], limit=9, deadline=soon())
    return [passage["url"] for passage in found]


def test_the_file_says_what_it_is(knowledge: Knowledge, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    connection.close()
    assert knowledge.corpus.store.problems() == []


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match=r"not a knowledge base.* --kb"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.sqlite
def test_a_garbled_text_is_damage_and_a_backup_is_named(knowledge: Knowledge) -> None:
    add(knowledge, "bridge", "The Alder Bridge was opened in 1932.")
    with knowledge.corpus.store.writing() as connection:
        connection.execute("DROP TRIGGER chunk_deleted")
        connection.execute("UPDATE chunks SET text = CAST(x'c328fffe' AS TEXT)")
    with pytest.raises(StoreDamaged, match="a text in it is garbled") as raised:
        urls(knowledge, "bridge")
    assert "backup" in raised.value.mend


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"Dear diary, " * 500)
    with pytest.raises(StoreDamaged, match="broken or is not"):
        Store(path)


def test_a_newer_schema_is_refused(knowledge: Knowledge, path: Path) -> None:
    with knowledge.corpus.store.writing() as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StoreDamaged, match="newer Veridic"):
        Store(path)


def test_a_broken_page_is_damage(knowledge: Knowledge, path: Path) -> None:
    add(knowledge, "a", "alpha beta " * 3000)
    knowledge.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(bytes(content))
    with pytest.raises(StoreDamaged, match="backup"):
        Store(path)


def test_a_path_that_cannot_be_made_or_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="--kb"):
        Store(tmp_path / "file" / "kb.sqlite")
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        Store(tmp_path)


@pytest.mark.sqlite
def test_a_full_disk_keeps_what_was_committed(knowledge: Knowledge, opener: Opener) -> None:
    add(knowledge, "small", "alpha beta gamma")
    store = knowledge.corpus.store
    with store.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 4}")
    with pytest.raises(StoreUnavailable, match=r"disk is full.*Free some space"):
        add(knowledge, "large", "delta epsilon " * 20_000)
    assert [held.url for held in knowledge.corpus.documents()] == ["small"]
    again = opener()
    assert urls(again, "alpha delta") == ["small"]
    add(again, "large", "delta epsilon " * 20_000)
    assert "large" in urls(again, "delta")


@pytest.mark.sqlite
def test_a_read_only_file_is_told(knowledge: Knowledge) -> None:
    with knowledge.corpus.store.reading() as connection:
        connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreUnavailable, match=r"read-only.*write permission"):
        knowledge.decisions.write(result("1", "a"), deadline=soon())


@pytest.mark.sqlite
def test_a_file_in_a_folder_that_is_closed_to_writing_is_read(
    knowledge: Knowledge, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(knowledge, "small", "alpha delta")
    knowledge.close()
    monkeypatch.setattr("veridic.knowledge.store.os.access", lambda *_: False)
    closed = opener()
    assert urls(closed, "alpha delta") == ["small"]
    with pytest.raises(StoreUnavailable, match=r"read-only.*write permission"):
        closed.decisions.write(result("1", "a"), deadline=soon())


def test_a_locked_file_is_unavailable_or_too_late(
    knowledge: Knowledge, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridic.knowledge.store.BUSY_SECONDS", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked by another process"):
        knowledge.corpus.remember(record(), deadline=soon())
    monkeypatch.undo()
    with pytest.raises(DeadlineExceeded):
        knowledge.corpus.remember(record(), deadline=time.time() + 0.05)
    assert knowledge.corpus.status().documents == 0
    other.execute("ROLLBACK")
    other.close()
    knowledge.corpus.remember(record(), deadline=soon())


def test_a_passed_deadline_is_told(knowledge: Knowledge) -> None:
    past = time.time() - 1
    calls = [
        lambda: knowledge.corpus.search(["a"], limit=1, deadline=past),
        lambda: knowledge.corpus.similarity("a", deadline=past),
        lambda: knowledge.corpus.remember(record(), deadline=past),
        lambda: knowledge.experience.recall("a", limit=1, deadline=past),
        lambda: knowledge.experience.learn("1", lesson("a"), deadline=past),
        lambda: knowledge.decisions.write(result("1", "a"), deadline=past),
    ]
    for call in calls:
        with pytest.raises(DeadlineExceeded):
            call()


def test_a_long_query_is_stopped_at_the_deadline(knowledge: Knowledge) -> None:
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(DeadlineExceeded), knowledge.corpus.store.reading(time.time() + 0.1) as connection:
        connection.execute(endless).fetchone()
    with knowledge.corpus.store.reading() as connection:
        assert connection.execute("SELECT 1").fetchone()[0] == 1


def test_namespaces_do_not_see_one_another(opener: Opener) -> None:
    ours, theirs = opener(namespace="ours"), opener(namespace="theirs")
    add(ours, "a", "alpha beta")
    add(theirs, "a", "alpha gamma")
    ours.experience.learn("1", lesson("alpha"), deadline=soon())
    ours.decisions.write(result("1", "ours"), deadline=soon())
    [[passage]] = ours.corpus.search(["alpha gamma"], limit=9, deadline=soon())
    assert passage["text"] == "alpha beta"
    assert theirs.corpus.status().documents == 1
    assert theirs.experience.recall("alpha", limit=1, deadline=soon()) == []
    assert theirs.decisions.read("1") is None
    with pytest.raises(DocumentMissing):
        theirs.corpus.text_of(passage["document_id"])


def test_another_process_s_writes_are_seen_at_the_next_question(opener: Opener) -> None:
    one, other = opener(), opener()
    add(one, "a", "alpha beta")
    assert urls(other, "alpha") == ["a"]
    add(other, "b", "alpha gamma")
    assert sorted(urls(one, "alpha")) == ["a", "b"]
    add(other, "a", "delta epsilon")
    assert urls(one, "alpha gamma")[0] == "b"
    [[best, *_]] = one.corpus.search(["delta epsilon"], limit=1, deadline=soon())
    assert best["text"] == "delta epsilon"
    other.corpus.remove("b")
    assert urls(one, "alpha gamma") == ["a"]
    other.experience.learn("1", lesson("what is tea"), deadline=soon())
    assert len(one.experience.recall("what is tea", limit=5, deadline=soon())) == 1


def test_threads_share_one_knowledge_base(knowledge: Knowledge) -> None:
    failures: list[Exception] = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                add(knowledge, f"{number}-{step}", f"alpha number{number} step{step}")
                assert urls(knowledge, f"number{number}")
                knowledge.decisions.write(result(f"{number}-{step}", "x"), deadline=soon())
        except Exception as failure:  # noqa: BLE001 - told in the test's own thread
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    status = knowledge.corpus.status()
    assert (status.documents, status.active_chunks) == (20, 20)
    assert len(list(knowledge.decisions)) == 20


@pytest.mark.parametrize("attempt", range(3))
def test_many_openers_make_one_file(path: Path, attempt: int) -> None:
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: Store(path), range(8)))
    assert len({store.store_id for store in stores}) == 1
    for store in stores:
        store.close()


def test_every_decision_is_read_back_in_order(knowledge: Knowledge) -> None:
    for number in range(300):
        knowledge.decisions.write(result(str(number), "x"), deadline=soon())
    assert [row["run_id"] for row in knowledge.decisions] == [str(number) for number in range(300)]
    assert [run.run_id for run in knowledge.decisions.listed(2)] == ["299", "298"]


def test_no_text_is_found_twice(knowledge: Knowledge) -> None:
    for url in ("a", "b", "c"):
        add(knowledge, f"bridge {url}", "The Alder Bridge was opened in 1932.")
        add(knowledge, f"toll {url}", "The toll of the bridge was abolished.")
    found = urls(knowledge, "when was the alder bridge opened")
    assert [url.split()[0] for url in found] == ["bridge", "toll"]
