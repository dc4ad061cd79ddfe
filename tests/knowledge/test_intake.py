"""Reading, embedding and storing in batches: in order and within bounds."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.conftest import Opener
from veridic.errors import EmbedderFailed, StoreUnavailable
from veridic.knowledge import intake
from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.intake import IngestReport, Intake, Item
from veridic.knowledge.readers.plain import parse_text


class BatchEmbedder(HashingEmbedder):
    """Remembers the sizes of batches; fails at a text that holds `poison`."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.sizes.append(len(texts))
        if any("poison" in text for text in texts):
            raise RuntimeError("poison")
        return super().embed(texts)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "BATCH_CHUNKS", 2)


def texts(count: int, text: str = "A note.") -> list[Text]:
    return [Text(str(number), f"Note {number}", text) for number in range(count)]


def item(name: str, read: list[str], problem: Exception | None = None) -> Item:
    def content() -> bytes:
        read.append(name)
        if problem:
            raise problem
        return name.encode()

    return Item(name, name, "text/plain", content, lambda content: parse_text(content.decode()))


def test_documents_are_stored_in_order_and_embedded_in_full_batches(opener: Opener) -> None:
    embedder = BatchEmbedder()
    knowledge = opener(embedder)
    assert ingest_texts(texts(7), knowledge.corpus).added == [str(number) for number in range(7)]
    assert embedder.sizes == [2, 2, 2, 1]
    with knowledge.corpus.store.reading() as connection:
        rows = connection.execute("SELECT url FROM documents ORDER BY sequence").fetchall()
    assert [row["url"] for row in rows] == [str(number) for number in range(7)]


def test_a_large_document_stands_alone_and_is_embedded_piece_by_piece(opener: Opener) -> None:
    embedder = BatchEmbedder()
    long = Text("long", "Long", "\n\n".join(f"word{number} " * 150 for number in range(9)))
    report = ingest_texts([*texts(1), long, *texts(3)[1:]], opener(embedder).corpus)
    assert report.added == ["0", "long", "1", "2"]
    assert embedder.sizes == [1, 2, 2, 2, 2, 1, 2]


def test_reading_is_never_far_ahead(knowledge: Knowledge) -> None:
    read: list[str] = []
    ahead: list[int] = []
    run = Intake(knowledge.corpus, IngestReport(), lambda done, *_: ahead.append(len(read) - done))
    run.run([item(str(number), read) for number in range(60)])
    assert len(ahead) == 60
    assert max(ahead) <= 2 * intake.BATCH_CHUNKS + 1


def test_an_embedder_that_fails_is_told_and_what_was_stored_stays(opener: Opener) -> None:
    knowledge = opener(BatchEmbedder())
    with pytest.raises(EmbedderFailed):
        ingest_texts([*texts(4), Text("bad", "Bad", "poison"), *texts(60)[5:]], knowledge.corpus)
    assert [one.url for one in knowledge.corpus.documents()] == ["0", "1", "2", "3"]


def test_a_fault_in_reading_is_raised_where_it_was_asked_for(knowledge: Knowledge) -> None:
    read: list[str] = []
    items = [item("a", read), item("b", read, ZeroDivisionError()), item("c", read)]
    with pytest.raises(ZeroDivisionError):
        Intake(knowledge.corpus, IngestReport(), lambda *_: None).run(items)
    assert read == ["a", "b"]


@pytest.mark.sqlite
def test_a_store_that_fails_ends_the_reading(knowledge: Knowledge) -> None:
    read: list[str] = []
    with knowledge.corpus.store.reading() as connection:
        connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreUnavailable):
        Intake(knowledge.corpus, IngestReport(), lambda *_: None).run(
            [item(str(number), read) for number in range(200)]
        )
    assert len(read) < 20


def test_an_interruption_ends_all(knowledge: Knowledge) -> None:
    def interrupt(done: int, *_: object) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest_texts(texts(60), knowledge.corpus, progress=interrupt)
    assert len(knowledge.corpus.documents()) == 3
