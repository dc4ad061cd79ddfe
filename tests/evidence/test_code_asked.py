"""Whether a question asks for code, by the model that ships, on questions in other words than its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.evidence.marked import marked
from tests.fakes.embedder import HashingEmbedder
from veridic.evidence.code_asked import ASKED, FILE, asks_code
from veridic.evidence.direction import shipped
from veridic.models.embedder import OnnxEmbedder
from veridic.models.fitting import auc

KEPT = Path(__file__).with_name("code_asked.txt")


def test_questions_that_ask_for_code_are_told_from_others() -> None:
    kept = marked(KEPT)
    assert len(kept) >= 60
    sure = [shipped(FILE).probability(vector) for vector in OnnxEmbedder().embed(list(kept))]
    assert auc(list(kept.values()), sure) >= 0.93
    assert np.mean([one >= ASKED for one, asks in zip(sure, kept.values(), strict=True) if asks]) >= 0.85
    assert np.mean([one >= ASKED for one, asks in zip(sure, kept.values(), strict=True) if not asks]) <= 0.3


def test_a_question_of_fact_asks_for_none() -> None:
    embedder = OnnxEmbedder()
    assert not asks_code("When was the Alder Bridge opened?", embedder)
    assert asks_code("What command installs it with pip?", embedder)


def test_under_another_embedder_code_may_be_quoted() -> None:
    embedder = HashingEmbedder()
    assert asks_code("When was the Alder Bridge opened?", embedder)
    assert embedder.embedded == []
