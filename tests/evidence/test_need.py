"""Whether a message needs evidence, by the model that ships, on messages of other tasks and wordings than its own."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic.evidence.need import UNKNOWN, need_of, shipped
from veridic.models.embedder import OnnxEmbedder
from veridic_lab.training.metrics import auc
from veridic_lab.training.need import DECIDES, Message, written

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def kept() -> list[tuple[float, Message]]:
    """The messages that are kept for measuring, each with its probability."""
    found = written((ROOT / "lab/src/veridic_lab/benchmarks/need.txt").read_text(encoding="utf-8"))
    vectors = OnnxEmbedder().embed([one.text for one in found])
    return [(shipped().probability(vector), one) for vector, one in zip(vectors, found, strict=True)]


def test_the_kept_messages_are_enough_and_none_was_learned_from(kept: list[tuple[float, Message]]) -> None:
    rows = (ROOT / "lab/src/veridic_lab/training/need.txt").read_text(encoding="utf-8")
    learned = {one.text for one in written(rows)}
    assert sum(not one.needs for _, one in kept) >= 80
    assert not learned & {one.text for _, one in kept}


def test_messages_that_need_none_are_ranked_under_those_that_do(kept: list[tuple[float, Message]]) -> None:
    assert auc([one.needs for _, one in kept], [sure for sure, _ in kept]) >= 0.93


def test_many_that_need_none_are_called_so_and_no_fact_is(kept: list[tuple[float, Message]]) -> None:
    assert np.mean([sure < DECIDES for sure, one in kept if not one.needs]) >= 0.35
    assert [one.text for sure, one in kept if one.needs and sure < DECIDES] == []


def test_no_question_about_documents_is_called_needless() -> None:
    rows = (ROOT / "tests/quality/questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(row)["question"] for row in rows]
    needless = [text for text in asked if need_of(text, OnnxEmbedder()) < DECIDES]
    assert needless == []


def test_under_another_embedder_evidence_is_needed() -> None:
    embedder = HashingEmbedder()
    assert need_of("Write a poem about the sea.", embedder) == UNKNOWN == 1.0
    assert embedder.embedded == []


def test_it_is_fitted_for_the_embedder_that_ships() -> None:
    assert shipped().embedder == OnnxEmbedder().fingerprint
    assert len(shipped().weights) == OnnxEmbedder().dimension
