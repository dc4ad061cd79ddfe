from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic_lab.training.pairs import NLI_LABELS, Pair
from veridic_lab.training.polar import MORE, asked, polar_pairs
from veridic_lab.training.wording import seeded

PREMISE = "The Alder Bridge was opened in 1932."


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("The Alder Bridge was opened in 1932.", "Was the Alder Bridge opened in 1932?"),
        ("Anna Berg has been honoured twice.", "Has Anna Berg been honoured twice?"),
        ("Bees can see ultraviolet light", "Can Bees see ultraviolet light?"),
        ("Anna Berg designed the tower.", None),
        ("Anna Berg has three sons.", None),
        ("What he built is gone.", None),
        ("The tower that Anna Berg and Carl Lund designed is tall.", None),
        ("He said that the tower, long lost, was found.", None),
        ("", None),
    ],
)
def test_a_statement_is_asked_about_where_its_verb_can_be_moved(statement: str, question: str | None) -> None:
    assert asked(statement) == question


@given(st.text(max_size=120))
def test_any_statement_gives_a_question_or_none(statement: str) -> None:
    question = asked(statement)
    assert question is None or question.endswith("?")


def pair(number: int, label: str) -> Pair:
    hypothesis = f"The Alder Bridge was opened by mayor number {number}."
    return Pair("nli", PREMISE, hypothesis, NLI_LABELS.index(label), "mnli", f"k{number}")


def test_what_decides_a_statement_answers_and_what_leaves_it_open_does_not() -> None:
    sets = {"mnli": [pair(0, "entailment"), pair(1, "contradiction"), pair(2, "neutral"), pair(3, "neutral")]}
    found = {made.key: made for made in polar_pairs(sets, seeded(1))}
    assert {key: made.label for key, made in found.items()} == {"k0": 1, "k1": 1, "k2": 0, "k3": 0}
    assert all(made.task == "relevance" and made.second == PREMISE for made in found.values())
    assert found["k0"].first == "Was the Alder Bridge opened by mayor number 0?"


def test_what_may_be_open_or_contradicted_is_not_asked_about() -> None:
    sets = {"factcheck_gpt": [pair(0, "not_entailment"), pair(1, "neutral"), pair(2, "entailment")]}
    assert {made.key: made.label for made in polar_pairs(sets, seeded(1))} == {"k1": 0, "k2": 1}


def test_answered_questions_are_not_many_more_than_open_ones() -> None:
    sets = {"mnli": [pair(n, "entailment" if n % 10 else "neutral") for n in range(100)], "snli": [pair(0, "neutral")]}
    labels = [made.label for made in polar_pairs(sets, seeded(1))]
    assert labels.count(1) == int(MORE * labels.count(0)) == 15
