"""The vectors that the store holds serve the judges too, to the last bit."""

from pathlib import Path

import numpy as np
import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.conftest import Opener
from tests.knowledge.test_conformance import soon
from veridic.evidence.evidence import headed
from veridic.knowledge.ingest import ingest
from veridic.knowledge.integrity import reembed
from veridic.knowledge.vectors import FORM
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.embedder import OnnxEmbedder
from veridic.models.scorers import TrainedEvaluator

QUESTION = "When was the Alder Bridge opened?"


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that was computed."""
    computed: list[str] = []
    compute = OnnxEmbedder._computed

    def watched(self: OnnxEmbedder, texts: list[str]) -> object:
        computed.extend(texts)
        return compute(self, texts)

    monkeypatch.setattr(OnnxEmbedder, "_computed", watched)
    return computed


def test_what_search_found_is_judged_without_embedding_it_again(
    opener: Opener, folder: Path, embedded: list[str]
) -> None:
    ingest([folder], opener(OnnxEmbedder(threads=1)).corpus)
    embedder = OnnxEmbedder(threads=1)
    [found] = opener(embedder).corpus.search([QUESTION], limit=9, deadline=soon())
    assert len(found) == 4
    pairs = [(QUESTION, headed(passage, passage["text"])) for passage in found]
    embedded.clear()
    ours = TrainedEvaluator(OnnxJudge(threads=1, embedder=embedder)).score(pairs, deadline=soon())
    assert embedded == []
    fresh = TrainedEvaluator(OnnxJudge(threads=1, embedder=OnnxEmbedder(threads=1)))
    assert fresh.score(pairs, deadline=soon()) == ours
    assert [fresh.score([pair], deadline=soon())[0] for pair in pairs] == ours
    assert set(embedded) == {text for pair in pairs for text in pair}


def test_vectors_of_another_form_are_searched_and_not_handed_over(opener: Opener, folder: Path) -> None:
    first = opener()
    ingest([folder], first.corpus)
    with first.corpus.store.writing() as connection:
        connection.execute("DELETE FROM meta WHERE key = 'embedded'")
    old = HashingEmbedder()
    knowledge = opener(old)
    [found] = knowledge.corpus.search([QUESTION], limit=9, deadline=soon())
    assert len(found) == 4
    assert old.known == {}
    reembed(knowledge.corpus)
    with knowledge.corpus.store.reading() as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'embedded'").fetchone()[0] == FORM
    [again] = knowledge.corpus.search([QUESTION], limit=9, deadline=soon())
    texts = [headed(passage, passage["text"]) for passage in again]
    assert sorted(old.known) == sorted(texts)
    assert (np.stack([old.known[text] for text in texts]) == old.embed(texts)).all()
