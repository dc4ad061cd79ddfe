"""The dense index is a view: questions are answered from the store, whoever changed it, by one embedder's vectors."""

import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import lesson, soon
from tests.knowledge.test_store import add, urls
from veridic.errors import EmbedderMismatch
from veridic.knowledge.base import Knowledge
from veridic.knowledge.integrity import reembed


def three(knowledge: Knowledge) -> Knowledge:
    """With three documents."""
    for name in ("alpha", "beta", "gamma"):
        add(knowledge, name, f"{name} text")
    return knowledge


@pytest.mark.sqlite
def test_nothing_is_kept_beside_the_file_and_another_process_finds_the_same(
    knowledge: Knowledge, opener: Opener
) -> None:
    assert urls(three(knowledge), "beta")[0] == urls(opener(), "beta")[0] == "beta"
    path = knowledge.corpus.store.path
    assert {one.name.removeprefix(path.name) for one in path.parent.iterdir()} <= {"", "-wal", "-shm"}


def test_what_another_process_changed_is_seen(knowledge: Knowledge, opener: Opener) -> None:
    again = opener()
    assert urls(three(knowledge), "alpha")[0] == urls(again, "alpha")[0] == "alpha"
    add(knowledge, "delta", "delta text")
    knowledge.corpus.remove("beta")
    assert urls(again, "delta")[0] == "delta"
    assert "beta" not in urls(again, "beta")


def test_another_embedder_is_refused_until_everything_is_embedded_again(knowledge: Knowledge, opener: Opener) -> None:
    first = three(knowledge)
    first.experience.learn("1", lesson("what is beta"), deadline=soon())
    other = opener(HashingEmbedder(dimension=32, name="hashing-2"))
    refused = [
        lambda: other.corpus.search(["beta"], limit=1, deadline=soon()),
        lambda: other.corpus.similarity("beta", deadline=soon()),
        lambda: other.corpus.status(),
        lambda: add(other, "delta", "delta text"),
        lambda: other.experience.recall("beta", limit=1, deadline=soon()),
        lambda: other.experience.learn("2", lesson("beta"), deadline=soon()),
    ]
    for call in refused:
        with pytest.raises(EmbedderMismatch, match=r"hashing-1.*hashing-2.*--reembed"):
            call()
    told: list[tuple[int, int]] = []
    assert reembed(other.corpus, progress=lambda done, of, _: told.append((done, of))) == 4
    assert told == [(4, 4)]
    assert urls(other, "beta")[0] == "beta"
    assert other.experience.recall("what is beta", limit=1, deadline=soon())
    assert opener(HashingEmbedder(dimension=32, name="hashing-2")).corpus.status().index == "ready"
    with pytest.raises(EmbedderMismatch):
        first.corpus.search(["beta"], limit=1, deadline=soon())


def test_an_empty_store_takes_any_embedder(opener: Opener) -> None:
    assert opener().corpus.status().embedder == "hashing-1"
    other = opener(HashingEmbedder(name="hashing-2"))
    add(other, "a", "alpha")
    assert other.corpus.status().embedder == "hashing-2"
