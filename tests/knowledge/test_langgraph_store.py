"""A LangGraph store that is out of order, late, or holds what another embedder embedded."""

import threading
import time
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.knowledge import passage
from tests.knowledge.test_conformance import lesson, result, soon
from veridic.errors import DeadlineExceeded, StoreUnavailable
from veridic.knowledge.langgraph_store import PAGE, StoredDecisions, StoredLessons


class BrokenStore(InMemoryStore):
    def batch(self, ops: Any) -> Any:
        raise ConnectionError("postgres://user:secret@host")


class WaitingStore(InMemoryStore):
    until = threading.Event()

    def batch(self, ops: Any) -> Any:
        self.until.wait(30)
        return super().batch(ops)


def test_whatever_a_store_raises_is_named() -> None:
    with pytest.raises(
        StoreUnavailable, match=r"handed-in store failed \(ConnectionError: postgres:..host\)"
    ) as raised:
        StoredDecisions(BrokenStore(), "default").write(result("1", "first"), deadline=soon())
    assert "secret" not in str(raised.value)
    assert raised.value.retryable


def test_one_that_is_late_is_left_behind() -> None:
    store = WaitingStore()
    with pytest.raises(DeadlineExceeded):
        StoredLessons(store, "default", HashingEmbedder()).recall("what is tea", limit=1, deadline=time.time() + 0.05)
    store.until.set()


def test_namespaces_do_not_see_one_another() -> None:
    store = InMemoryStore()
    for name in ("team.one", "team%2Eone"):
        StoredLessons(store, name, HashingEmbedder()).learn(name, lesson("what is tea", reason=name), deadline=soon())
        [found] = StoredLessons(store, name, HashingEmbedder()).recall("what is tea", limit=5, deadline=soon())
        assert found["reason"] == name


def test_what_another_embedder_embedded_is_not_compared() -> None:
    store = InMemoryStore()
    StoredLessons(store, "default", HashingEmbedder(32, "other")).learn("1", lesson("what is tea"), deadline=soon())
    assert StoredLessons(store, "default", HashingEmbedder()).recall("what is tea", limit=5, deadline=soon()) == []


class ExpiringStore(InMemoryStore):
    """One that says for how many minutes each item is kept."""

    supports_ttl = True

    def __init__(self) -> None:
        super().__init__()
        self.minutes: list[float | None] = []

    def put(self, *given: Any, ttl: float | None = None, **options: Any) -> None:
        self.minutes.append(ttl)
        super().put(*given, **options)


def test_rows_expire_where_a_store_lets_them() -> None:
    store = ExpiringStore()
    row: Any = {**result("1", "x"), "documents": [passage("tea", "Tea is steamed.")]}
    expiring = StoredDecisions(store, "default", 2)
    expiring.write(row, deadline=soon())
    expiring.redact(["tea"])
    assert store.minutes == [2 * 24 * 60] * 2
    plain = StoredDecisions(InMemoryStore(), "default", 2)
    plain.write(result("1", "x"), deadline=soon())
    assert plain.read("1") is not None


def test_of_many_rows_each_that_names_a_document_loses_its_words_and_only_here() -> None:
    store = InMemoryStore()
    for name in ("ours", "theirs"):
        for number in range(PAGE + 2):
            row: Any = {**result(str(number), "x"), "documents": [passage("tea", "Tea is steamed.")]}
            StoredDecisions(store, name).write(row, deadline=soon())
    ours, theirs = StoredDecisions(store, "ours"), StoredDecisions(store, "theirs")
    assert ours.redact(["tea"]) == PAGE + 2
    assert all("steamed" not in str(ours.read(str(number))) for number in range(PAGE + 2))
    assert "steamed" in str(theirs.read("1"))


def test_of_so_many_the_oldest_go_those_without_places_first() -> None:
    store = InMemoryStore()
    lessons = StoredLessons(store, "default", HashingEmbedder(), most=2)
    places = [{"role": "worked", "document_id": "a", "start": 3, "end": 9}]
    lessons.learn("placed", lesson("what is tea", places=places), deadline=soon())
    for number in range(3):
        lessons.learn(str(number), lesson(f"what is tea {number}"), deadline=soon())
    assert {item.key for item in store.search(("veridic", "default", "lessons"))} == {"placed", "2"}
    StoredLessons(store, "default", HashingEmbedder(), most=0).learn("3", lesson("what is tea"), deadline=soon())
    assert store.get(("veridic", "default", "lessons"), "3") is None
