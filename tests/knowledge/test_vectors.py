"""The dense index is a view: whatever becomes of its file, questions are answered from the store."""

import json
from pathlib import Path

import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import lesson, soon
from tests.knowledge.test_store import add, urls
from veridic.errors import EmbedderMismatch
from veridic.knowledge.base import Knowledge
from veridic.knowledge.reembedding import reembed


@pytest.fixture
def saved(knowledge: Knowledge, path: Path) -> Path:
    """An index saved over three documents."""
    for name in ("alpha", "beta", "gamma"):
        add(knowledge, name, f"{name} text")
    return path.with_name(f"{path.name}.default.index")


def test_a_whole_index_is_loaded(saved: Path, opener: Opener) -> None:
    again = opener()
    assert urls(again, "beta")[0] == "beta"
    assert again.corpus.status().index == "ready"


def test_a_missing_index_is_rebuilt_and_saved(saved: Path, opener: Opener) -> None:
    saved.unlink()
    again = opener()
    assert again.corpus.status().index == "rebuilt"
    assert saved.exists()
    assert opener().corpus.status().index == "ready"


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "foreign", "no manifest"])
def test_a_damaged_index_is_rebuilt(saved: Path, opener: Opener, damage: str) -> None:
    content = saved.read_bytes()
    flipped = bytearray(content)
    flipped[-1] ^= 0xFF
    magic, _, _ = content.partition(b"\n")
    damaged = {
        "cut": content[: len(content) // 2],
        "flipped": bytes(flipped),
        "empty": b"",
        "foreign": b"\x80\x04something pickled",
        "no manifest": magic + b'\n{"a": 1}\nrest',
    }
    saved.write_bytes(damaged[damage])
    again = opener()
    assert urls(again, "beta")[0] == "beta"
    assert again.corpus.status().index == "rebuilt"
    assert saved.read_bytes() == content


def test_a_stale_index_is_brought_up_to_date(saved: Path, knowledge: Knowledge, opener: Opener) -> None:
    old = saved.read_bytes()
    add(knowledge, "delta", "delta text")
    knowledge.corpus.remove("beta")
    saved.write_bytes(old)
    again = opener()
    assert urls(again, "delta")[0] == "delta"
    assert "beta" not in urls(again, "beta")
    assert again.corpus.status().index == "ready"


def test_an_index_of_another_file_is_not_taken(saved: Path, path: Path, opener: Opener, knowledge: Knowledge) -> None:
    knowledge.close()
    for file in path.parent.glob(f"{path.name}*"):
        if file != saved:
            file.unlink()
    fresh = opener()
    assert fresh.corpus.status().index == "empty"
    add(fresh, "omega", "omega text")
    assert urls(fresh, "alpha") == ["omega"]


def test_an_index_from_the_store_s_future_is_not_taken(saved: Path, opener: Opener) -> None:
    magic, line, payload = saved.read_bytes().split(b"\n", 2)
    manifest = {**json.loads(line), "sequence": 1000}
    saved.write_bytes(b"\n".join([magic, json.dumps(manifest).encode(), payload]))
    assert opener().corpus.status().index == "rebuilt"


def test_an_index_that_cannot_be_saved_is_only_a_warning(
    saved: Path, opener: Opener, caplog: pytest.LogCaptureFixture
) -> None:
    saved.unlink()
    saved.mkdir()
    (saved / "occupied").touch()
    again = opener()
    assert again.corpus.status().index == "rebuilt"
    assert urls(again, "beta")[0] == "beta"
    assert "could not be saved" in caplog.text
    assert list(saved.parent.glob("*.tmp")) == []


def test_another_embedder_is_refused_until_everything_is_embedded_again(saved: Path, opener: Opener) -> None:
    first = opener()
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
    assert reembed(other, progress=lambda done, of, _: told.append((done, of))) == 4
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
