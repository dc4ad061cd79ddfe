"""Many vectors: whatever is done, the index holds the active chunks, and finds the nearest of them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.statuses import give_status
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import soon
from tests.knowledge.test_store import add, urls
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.document_rows import STATUSES
from veridic.knowledge.ingest import Text, ingest_texts

MANY = 1500


def text(number: int) -> Text:
    """One of thirty topics' notes."""
    topic = number % 30
    return Text(f"/notes/{topic}/{number}", f"note{number}", f"topic{topic} topic{topic} topic{topic} item{number}")


@pytest.fixture
def many(opener: Opener) -> Knowledge:
    """Notes of thirty topics."""
    knowledge = opener()
    ingest_texts(map(text, range(MANY)), knowledge.corpus)
    return knowledge


def active(corpus: Corpus) -> set[int]:
    with corpus.store.reading() as connection:
        rows = connection.execute("SELECT id FROM chunks WHERE status = 'active' AND kind != 'outside'")
        return {row["id"] for row in rows}


def indexed(corpus: Corpus) -> list[int]:
    """Ids of all chunks the index holds."""
    with corpus.store.reading() as connection:
        [near] = corpus._index.search(connection, corpus.embedder.embed(["anything"]), 10_000)
    return [chunk for chunk, _ in near]


def test_each_is_found_by_its_own_words(many: Knowledge) -> None:
    for number in range(0, MANY, 50):
        assert urls(many, text(number).text)[0] == text(number).url


def test_what_changes_is_seen_at_once(many: Knowledge) -> None:
    add(many, "/new", "topic7 topic7 topic7 item7777")
    assert urls(many, "topic7 item7777")[0] == "/new"
    identifier = many.corpus.document("/new").id
    give_status(many.corpus, identifier, "review")
    assert "/new" not in urls(many, "topic7 item7777")
    give_status(many.corpus, identifier, "active")
    assert urls(many, "topic7 item7777")[0] == "/new"
    many.corpus.remove("/new")
    assert "/new" not in urls(many, "topic7 item7777")
    assert set(indexed(many.corpus)) == active(many.corpus)


def test_a_scope_is_searched_exactly(many: Knowledge) -> None:
    view = many.corpus.within(["/notes/3", "/notes/4"])
    vectors = many.corpus.embedder.embed(["topic3 item3", "topic29 item29"])
    with many.corpus.store.reading() as connection:
        members = view._scope.members(connection)
        assert members is not None
        near = many.corpus._index.search(connection, vectors, 5, members=members)
        rows = connection.execute("SELECT id, embedding FROM chunks").fetchall()
    stored = {row["id"]: np.frombuffer(row["embedding"], dtype="<f4") for row in rows}
    for vector, found in zip(vectors, near, strict=True):
        best = sorted((float(stored[chunk] @ vector) for chunk in members.chunks), reverse=True)[:5]
        assert [cosine for _, cosine in found] == pytest.approx(best, abs=1e-5)


def test_as_many_are_found_as_there_are(many: Knowledge) -> None:
    gone = [many.corpus.document(text(number).url).id for number in range(MANY) if number % 30 == 3]
    many.corpus.remove_all(gone)
    [near] = many.corpus.search(["topic3 topic3 topic3"], limit=9, deadline=soon())
    assert len(near) == 9
    assert sorted(indexed(many.corpus)) == sorted(active(many.corpus))


class Changes(RuleBasedStateMachine):
    """Whatever is done, and whoever opens it, the index holds the active chunks, each once."""

    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.path = self.folder / "knowledge.sqlite"
        for file in self.folder.iterdir():
            file.unlink()
        self.knowledge = self.opened()
        self.numbers: set[int] = set()

    def opened(self) -> Knowledge:
        return open_knowledge(self.path, "default", HashingEmbedder())

    @rule(first=st.integers(0, 20), many=st.integers(1, 15))
    def add(self, first: int, many: int) -> None:
        fresh = set(range(first, first + many))
        ingest_texts([text(number) for number in sorted(fresh)], self.knowledge.corpus)
        self.numbers |= fresh

    @precondition(lambda self: self.numbers)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.numbers)))
        self.knowledge.corpus.remove(text(number).url)
        self.numbers.remove(number)

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), status=st.sampled_from(STATUSES))
    def change(self, data: st.DataObject, status: str) -> None:
        number = data.draw(st.sampled_from(sorted(self.numbers)))
        corpus = self.knowledge.corpus
        give_status(corpus, corpus.document(text(number).url).id, status)  # type: ignore[arg-type]

    @rule()
    def open_again(self) -> None:
        self.knowledge.close()
        self.knowledge = self.opened()

    @invariant()
    def holds_the_active(self) -> None:
        found = indexed(self.knowledge.corpus)
        assert sorted(found) == sorted(active(self.knowledge.corpus))

    def teardown(self) -> None:
        self.knowledge.close()


def test_the_index_holds_what_is_active(tmp_path: Path) -> None:
    class Here(Changes):
        folder = tmp_path

    Here.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
    Here.TestCase("runTest").runTest()
