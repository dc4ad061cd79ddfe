"""Whether a message needs evidence, by the model that ships, on messages of other tasks and wordings than its own."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.evidence.marked import marked
from tests.fakes.embedder import HashingEmbedder
from veridic.evidence.need import UNKNOWN, need_of, shipped
from veridic.models.embedder import OnnxEmbedder
from veridic.models.fitting import auc

ROOT = Path(__file__).parents[2]
DECIDES = 0.2
Kept = list[tuple[float, str, bool]]


@pytest.fixture(scope="module")
def kept() -> Kept:
    """The messages that are kept for measuring, each with its probability and whether it needs evidence."""
    found = marked(Path(__file__).with_name("need.txt"))
    embedder = OnnxEmbedder()
    return [(need_of(text, embedder), text, needs) for text, needs in found.items()]


def test_messages_that_need_none_are_ranked_under_those_that_do(kept: Kept) -> None:
    assert sum(not needs for _, _, needs in kept) >= 80
    assert auc([needs for _, _, needs in kept], [sure for sure, _, _ in kept]) >= 0.93


def test_many_that_need_none_are_called_so_and_no_fact_is(kept: Kept) -> None:
    assert np.mean([sure < DECIDES for sure, _, needs in kept if not needs]) >= 0.35
    assert [text for sure, text, needs in kept if needs and sure < DECIDES] == []


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
