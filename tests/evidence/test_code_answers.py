"""Which code answers a question, told by what it stands under and is, on texts in other words than the fit's."""

from __future__ import annotations

import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.knowledge import passage
from veridic.evidence.code_answers import (
    NEEDED,
    graded_code,
    is_answered_by_code,
    read_in_code,
    shipped_weights,
    signs_of_code,
)
from veridic.evidence.evidence import decompose
from veridic.models.embedder import OnnxEmbedder
from veridic.ports.shapes import Passage

EMBEDDER = OnnxEmbedder()


def code(name: str, text: str, heading: str) -> Passage:
    return Passage(**{**passage(name, f"```\n{text}\n```", title="larch"), "heading": heading})  # type: ignore[typeddict-item]


PRUNE = code("prune", "larch prune --older-than 30d", "Use > To delete old logs, run:")
EXPORT = code("export", "larch export --format csv", "Use > Export the logs to a spreadsheet:")
PROSE = passage("prose", "The logs of larch are read by Clara Voss on Mondays.", title="larch")


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("How can I remove logs that are old?", "prune"),
        ("Which command deletes old logs?", "prune"),
        ("How do I get the logs into a spreadsheet?", "export"),
    ],
)
def test_the_code_that_is_asked_for_is_likelier_and_likely_enough(question: str, right: str) -> None:
    sure = graded_code(question, [PRUNE, PROSE, EXPORT], EMBEDDER)
    assert set(sure) == {PRUNE["id"], EXPORT["id"]}
    assert max(sure, key=lambda one: sure[one]) == {"prune": PRUNE, "export": EXPORT}[right]["id"]
    assert max(sure.values()) >= NEEDED["normal"]


def test_no_code_is_graded_where_none_is_asked_for_or_the_embedder_is_another() -> None:
    assert graded_code("When was the Alder Bridge opened?", [PRUNE, PROSE], EMBEDDER) == {}
    assert graded_code("Which command deletes old logs?", [PROSE], EMBEDDER) == {}
    assert not is_answered_by_code("Which command deletes old logs?", HashingEmbedder())
    assert graded_code("Which command deletes old logs?", [PRUNE], HashingEmbedder()) == {}


def test_the_signs_are_told_beside_other_code_and_beside_prose() -> None:
    question = "Which command deletes old logs?"
    [(_, alone)] = signs_of_code(question, [PRUNE], EMBEDDER)
    [(_, beside), (_, other)] = signs_of_code(question, [PRUNE, EXPORT, PROSE], EMBEDDER)
    assert (alone.alone, alone.nearer, alone.nearer_than_prose, alone.worded, alone.worded_as_prose) == (1, 0, 0, 0, 0)
    assert alone.near == pytest.approx(beside.near)
    assert beside.nearer == pytest.approx(-other.nearer)
    assert beside.near - beside.nearer_than_prose == pytest.approx(other.near - other.nearer_than_prose)
    assert beside.worded > 0 > other.worded


def test_code_is_read_without_its_fence_and_cited_with_it() -> None:
    question = "Which command deletes old logs?"
    strips = [strip for one in (PRUNE, EXPORT) for strip in decompose(one)]
    for strip, score in zip(strips, (0.7, 0.2), strict=True):
        strip["score"] = score
    found = read_in_code(question, strips, "normal")
    assert found is not None
    assert (found["text"], found["probability"], found["holds"]) == ("larch prune --older-than 30d", 0.7, True)
    assert found["span"] is not None
    assert found["span"]["quote"] == PRUNE["text"]
    strict = read_in_code(question, strips, "strict")
    assert strict is not None
    assert not strict["holds"]
    assert read_in_code(question, decompose(PROSE), "normal") is None


def test_the_fit_is_for_the_embedder_that_ships() -> None:
    assert shipped_weights().embedder == EMBEDDER.fingerprint
