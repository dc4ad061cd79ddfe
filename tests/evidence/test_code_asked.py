"""Whether a question asks for code, by the model that ships, on questions in other words than its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.fakes.embedder import HashingEmbedder
from veridic.evidence.code_asked import ASKED, FILE, asks_code
from veridic.evidence.direction import shipped
from veridic.models.embedder import OnnxEmbedder
from veridic_lab.training.metrics import auc
from veridic_lab.training.need import written

ROOT = Path(__file__).parents[2]


def test_questions_that_ask_for_code_are_told_from_others() -> None:
    kept = written((ROOT / "benchmarks/code_asked.txt").read_text(encoding="utf-8"))
    learned = {one.text for one in written((ROOT / "src/veridic/training/code/asked.txt").read_text(encoding="utf-8"))}
    assert len(kept) >= 60
    assert not learned & {one.text for one in kept}
    sure = [shipped(FILE).probability(vector) for vector in OnnxEmbedder().embed([one.text for one in kept])]
    assert auc([one.needs for one in kept], sure) >= 0.93
    assert np.mean([one >= ASKED for one, asked in zip(sure, kept, strict=True) if asked.needs]) >= 0.85
    assert np.mean([one >= ASKED for one, asked in zip(sure, kept, strict=True) if not asked.needs]) <= 0.3


def test_a_question_of_fact_asks_for_none() -> None:
    embedder = OnnxEmbedder()
    assert not asks_code("When was the Alder Bridge opened?", embedder)
    assert asks_code("What command installs it with pip?", embedder)


def test_under_another_embedder_code_may_be_quoted() -> None:
    embedder = HashingEmbedder()
    assert asks_code("When was the Alder Bridge opened?", embedder)
    assert embedder.embedded == []
