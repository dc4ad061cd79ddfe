"""Beyond the size up to which every vector is compared: the same contract, by lists; the size is small here."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from numpy.typing import NDArray

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import soon
from tests.knowledge.test_store import add, urls
from veridic.knowledge import index_file, vector_index
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.documents import STATUSES
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.opening import Knowledge, open_knowledge
from veridic.knowledge.reembedding import reembed
from veridic.knowledge.vector_index import MIN_RECALL, Layout

UP_TO = 100
MANY = 1500


def text(number: int) -> Text:
    """One of thirty topics' notes."""
    topic = number % 30
    return Text(f"/notes/{topic}/{number}", f"note{number}", f"topic{topic} topic{topic} topic{topic} item{number}")


@pytest.fixture
def many(opener: Opener) -> Knowledge:
    """So many notes that the index has lists."""
    knowledge = opener(exact_up_to=UP_TO)
    ingest_texts(map(text, range(MANY)), knowledge.corpus)
    return knowledge


@pytest.fixture
def saved(many: Knowledge, path: Path) -> Path:
    return path.with_name(f"{path.name}.default.index")


def layout(path: Path) -> Layout:
    manifest = index_file.read_manifest(path)
    assert manifest is not None
    return manifest.layout


def active(corpus: Corpus) -> set[int]:
    with corpus.store.reading() as connection:
        rows = connection.execute("SELECT id FROM chunks WHERE status = 'active' AND kind != 'outside'")
        return {row["id"] for row in rows}


def indexed(corpus: Corpus) -> list[int]:
    """Ids of all chunks the index holds."""
    with corpus.store.reading() as connection:
        [near] = corpus._index.search(connection, corpus.embedder.embed(["anything"]), 10_000)
    return [chunk for chunk, _ in near]


def test_what_was_measured_is_kept_and_told(many: Knowledge, saved: Path, opener: Opener) -> None:
    measured = layout(saved)
    assert 0 < measured.probes <= measured.lists // 2
    assert MIN_RECALL <= measured.recall <= 1.0
    assert measured.chunks == MANY
    told = many.corpus.status()
    assert told.search == f"approximate, {measured.recall:.1%} of the 50 nearest found"
    again = opener(exact_up_to=UP_TO).corpus.status()
    assert (again.index, again.search) == ("ready", told.search)


def test_a_few_are_searched_exactly(opener: Opener) -> None:
    knowledge = opener(exact_up_to=UP_TO)
    ingest_texts(map(text, range(UP_TO)), knowledge.corpus)
    assert knowledge.corpus.status().search == "exact"


def test_each_is_found_by_its_own_words(many: Knowledge) -> None:
    for number in range(0, MANY, 50):
        assert urls(many, text(number).text)[0] == text(number).url
        assert many.corpus.similarity(text(number).text, deadline=soon()) == pytest.approx(1.0, abs=1e-5)


def test_what_changes_is_seen_at_once(many: Knowledge) -> None:
    add(many, "/new", "topic7 topic7 topic7 item7777")
    assert urls(many, "topic7 item7777")[0] == "/new"
    identifier = many.corpus.document("/new").id
    many.corpus.set_status(identifier, "review")
    assert "/new" not in urls(many, "topic7 item7777")
    many.corpus.set_status(identifier, "active")
    assert urls(many, "topic7 item7777")[0] == "/new"
    many.corpus.remove("/new")
    assert "/new" not in urls(many, "topic7 item7777")
    many.corpus.forget_index()
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
    """Also where all that lay in the lists nearest to the question was removed."""
    gone = [many.corpus.document(text(number).url).id for number in range(MANY) if number % 30 == 3]
    many.corpus.remove_all(gone)
    [near] = many.corpus.search(["topic3 topic3 topic3"], limit=9, deadline=soon())
    assert len(near) == 9
    assert sorted(indexed(many.corpus)) == sorted(active(many.corpus))


def test_a_search_does_not_wait_for_lists(opener: Opener, saved: Path, path: Path) -> None:
    """What has outgrown how it is searched is made anew by an ingestion or a look at the status."""
    large = opener(exact_up_to=10 * MANY)
    assert large.corpus.status().search == "exact"
    small = opener(exact_up_to=UP_TO)
    assert urls(small, text(7).text)[0] == text(7).url
    assert layout(saved).lists == 0
    assert small.corpus.status().search.startswith("approximate")
    assert layout(saved).lists > 0


def test_what_has_grown_is_made_anew_once(many: Knowledge, saved: Path) -> None:
    before = layout(saved)
    ingest_texts(map(text, range(MANY, 2 * MANY - 1)), many.corpus)
    assert layout(saved) == before
    ingest_texts([text(2 * MANY)], many.corpus)
    after = layout(saved)
    assert (after.chunks, after.lists > before.lists) == (2 * MANY, True)
    assert set(indexed(many.corpus)) == active(many.corpus)


def test_what_has_shrunk_is_exact_again(many: Knowledge, saved: Path) -> None:
    many.corpus.remove_all([many.corpus.document(text(number).url).id for number in range(UP_TO // 2, MANY)])
    assert many.corpus.status().search == "exact"
    assert layout(saved) == Layout()


def test_what_another_process_made_anew_is_taken(opener: Opener, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = opener(exact_up_to=UP_TO), opener(exact_up_to=UP_TO)
    add(here, "/first", "topic1 item1")
    assert urls(here, "topic1") == ["/first"]
    ingest_texts(map(text, range(MANY)), there.corpus)
    monkeypatch.setattr("veridic.knowledge.vectors.built", lambda *_: pytest.fail("made again"))
    assert here.corpus.status().search == there.corpus.status().search != "exact"
    assert set(indexed(here.corpus)) == active(here.corpus)


@pytest.mark.parametrize("damage", ["cut", "flipped", "no vectors", "older"])
def test_a_damaged_one_is_made_anew(saved: Path, opener: Opener, damage: str) -> None:
    content = saved.read_bytes()
    magic, line, payload = content.split(b"\n", 2)
    flipped = bytearray(content)
    flipped[-1] ^= 0xFF
    older = {name: value for name, value in json.loads(line).items() if name != "layout"}
    saved.write_bytes(
        {
            "cut": content[: len(content) // 2],
            "flipped": bytes(flipped),
            "no vectors": magic + b"\n" + line + b"\n",
            "older": b"veridic dense index 1\n" + json.dumps(older).encode() + b"\n" + payload,
        }[damage]
    )
    again = opener(exact_up_to=UP_TO)
    assert urls(again, text(7).text)[0] == text(7).url
    assert again.corpus.status().index == "rebuilt"
    assert layout(saved).lists > 0


def test_another_embedder_makes_its_own(saved: Path, opener: Opener) -> None:
    other = open_knowledge(
        saved.with_name("knowledge.sqlite"), "default", HashingEmbedder(32, "hashing-2"), exact_up_to=UP_TO
    )
    assert reembed(other) == MANY
    assert urls(other, text(7).text)[0] == text(7).url
    manifest = index_file.read_manifest(saved)
    assert manifest is not None
    assert (manifest.embedder, manifest.dimension) == ("hashing-2", 32)
    other.close()


def test_where_no_half_of_the_lists_is_enough_it_is_exact(
    opener: Opener, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_index, "MIN_RECALL", 1.1)
    knowledge = opener(exact_up_to=UP_TO)
    ingest_texts(map(text, range(MANY)), knowledge.corpus)
    found = layout(path.with_name(f"{path.name}.default.index"))
    assert (found.probes, found.recall) == (found.lists, 1.0)
    assert knowledge.corpus.status().search == "exact"


@pytest.mark.parametrize("probes", [1, 4])
def test_recall_is_the_share_of_the_nearest_found(many: Knowledge, saved: Path, probes: int) -> None:
    """Counted one by one over the stored vectors."""
    loaded = index_file.load(saved)
    assert loaded is not None
    index, _ = loaded
    with many.corpus.store.reading() as connection:
        rows = connection.execute("SELECT embedding FROM chunks").fetchall()
    stored: NDArray[np.float32] = np.stack([np.frombuffer(row["embedding"], dtype="<f4") for row in rows])
    asked = stored[::9]
    cosines, _ = index.searched(asked, 10, probes)
    exact = index.searched(asked, 10, index.layout.lists)[0]
    shares = []
    for vector, found in zip(asked, cosines, strict=True):
        tenth = np.sort(stored @ vector)[::-1][9]
        shares.append(np.count_nonzero(found >= tenth - 1e-6) / 10)
    assert vector_index._recall(cosines, exact) == pytest.approx(np.mean(shares), abs=1e-6)
    assert vector_index._recall(exact, exact) == 1.0


def test_what_stands_for_a_question_is_as_far_as_one(many: Knowledge) -> None:
    stored = many.corpus.embedder.embed([text(number).text for number in range(50)])
    cosines = (vector_index._questions(stored) * stored).sum(axis=1)
    assert 0.3 < cosines.min() < cosines.mean() < 0.6


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
        return open_knowledge(self.path, "default", HashingEmbedder(), exact_up_to=8)

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
        corpus.set_status(corpus.document(text(number).url).id, status)  # type: ignore[arg-type]

    @rule()
    def save(self) -> None:
        self.knowledge.corpus.save_index()

    @rule()
    def forget(self) -> None:
        self.knowledge.corpus.forget_index()

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
