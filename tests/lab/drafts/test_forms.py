"""A judge saved in the forms of the hub: each adapter takes its folder, and what it learned is told there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

from tests.lab.drafts.small import PREMISE, STATEMENTS, batcher, tiny, tokenizer
from tests.models.judge_conformance import NEVER
from veridic.models.fitting import softmax
from veridic.models.hf import QuestionAnsweringReader
from veridic.models.hub_scorer import HubScorer
from veridic_lab.drafts.entailing import probabilities
from veridic_lab.drafts.examples import Example
from veridic_lab.drafts.forms import Forms, batches_of, fit, save
from veridic_lab.drafts.hands import Asked, Document, Draft

WHEN = "when from old station"
TRUE, FALSE = STATEMENTS[:2]
DRAFTS = (Draft(WHEN, TRUE, "", None), Draft(WHEN, FALSE, "number", (FALSE.index("ten"), FALSE.index("ten") + 3)))
PASSAGE = f"bus\n{PREMISE}"
DOCUMENT = Document("A-1", "bus", (PREMISE,), (Asked(WHEN, "when", "nine", "nine", DRAFTS),), ("who from station",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    judge = tiny("mpnet")
    batches = list(batches_of(judge, batcher("mpnet"), [DOCUMENT] * 6)) * 120
    forms = Forms(judge)
    out = tmp_path_factory.mktemp("forms")
    fit(forms, batches, minutes=9.0, rate=1e-3)
    save(forms, tokenizer("mpnet"), out)
    return out


def test_three_labels_say_what_the_judge_believes(folder: Path) -> None:
    stated = [Example(text, premise=PASSAGE) for text in (TRUE, FALSE)]
    believed = probabilities(tiny("mpnet"), batcher("mpnet"), stated)
    said = HubScorer(str(folder / "three")).logits([(PASSAGE, one.own) for one in stated], "nli", deadline=NEVER)
    assert np.allclose([softmax(one.rows[0]) for one in said], believed, atol=0.03)


@pytest.mark.parametrize("name", ["two", "tokens"])
def test_a_checker_tells_the_true_from_the_false_that_it_learned(folder: Path, name: str) -> None:
    pairs = [(PASSAGE, TRUE), (PASSAGE, FALSE)]
    true, false = HubScorer(str(folder / name)).logits(pairs, "nli", deadline=NEVER)
    assert true.rows[0, 0] > false.rows[0, 0]
    if name == "tokens":
        marked = [FALSE[start:end] for start, end in false.doubtful[0]]
        assert "ten" in " ".join(marked)
        assert true.doubtful == [()]


def test_a_reranker_and_a_reader_find_what_answers(folder: Path) -> None:
    helps, fails = HubScorer(str(folder / "reranker")).logits(
        [(WHEN, PASSAGE), ("who from station", PASSAGE)], "relevance", deadline=NEVER
    )
    assert helps.rows[0] > fails.rows[0]
    there, absent = QuestionAnsweringReader(str(folder / "reader")).read(
        [(WHEN, PASSAGE), ("who from station", PASSAGE)], deadline=NEVER
    )
    best = max(there.spans, key=lambda span: span.margin)
    assert PASSAGE[best.start : best.end] == "nine"
    assert best.margin > max(span.margin for span in absent.spans)
