"""What kind a message is, by the judge that ships, on messages of other tasks and wordings than its own."""

import json
from pathlib import Path

import numpy as np
import pytest

from veridic.models.embedder import OnnxEmbedder
from veridic.models.fitting import auc
from veridic.models.messages import OnnxMessages, shipped
from veridic.ports.shapes.messages import KINDS
from veridic.runtime.intents import QUESTION_FROM

ROOT = Path(__file__).parents[2]
Kept = list[tuple[float, str, bool]]


@pytest.fixture(scope="module")
def judge() -> OnnxMessages:
    return OnnxMessages(OnnxEmbedder())


@pytest.fixture(scope="module")
def kept(judge: OnnxMessages) -> Kept:
    """The messages that are kept for measuring: P(question) of each, and whether it is one."""
    lines = Path(__file__).with_name("messages.txt").read_text(encoding="utf-8").splitlines()
    marked = (line.partition(" ") for line in lines)
    return [(judge.kinds(text)["question"], text, mark == "+") for mark, _, text in marked if mark in ("+", "-")]


def test_other_messages_are_ranked_under_questions(kept: Kept) -> None:
    assert sum(not asks for _, _, asks in kept) >= 80
    assert auc([asks for _, _, asks in kept], [sure for sure, _, _ in kept]) >= 0.93


def test_many_others_are_told_and_no_question_is_lost(kept: Kept) -> None:
    assert np.mean([sure < QUESTION_FROM for sure, _, asks in kept if not asks]) >= 0.35
    assert [text for sure, text, asks in kept if asks and sure < QUESTION_FROM] == []


def test_no_question_about_documents_is_lost(judge: OnnxMessages) -> None:
    rows = (ROOT / "tests/quality/questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(row)["question"] for row in rows]
    assert [text for text in asked if judge.kinds(text)["question"] < QUESTION_FROM] == []


@pytest.mark.parametrize("message", ["", "hi", "Who?", "x" * 4000])
def test_the_kinds_of_any_message_sum_to_one(judge: OnnxMessages, message: str) -> None:
    found = judge.kinds(message)
    assert tuple(found) == KINDS
    assert sum(found.values()) == pytest.approx(1.0)


def test_it_is_fitted_for_the_embedder_that_ships() -> None:
    embedder = OnnxEmbedder()
    assert shipped().embedder == embedder.fingerprint
    assert np.array(shipped().weights).shape == (len(KINDS), embedder.dimension)
