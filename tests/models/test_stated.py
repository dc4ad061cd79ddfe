from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.models.scorers import stated_at

PREMISE = "Rivers > Elbe\nThe Elbe is long. Nobody thinks it is safe to swim there. Dr. Weiss swam it.\nIt is cold."


@pytest.mark.parametrize(
    "sentence", ["The Elbe is long.", "The Elbe is long", "It is cold.", "Dr. Weiss swam it.", " It is cold. "]
)
def test_whole_sentences_are_found_where_they_stand(sentence: str) -> None:
    found = stated_at(PREMISE, sentence)
    assert found
    assert PREMISE[slice(*found)] == sentence.strip().rstrip(".")


def test_a_run_of_sentences_is_found() -> None:
    assert stated_at(PREMISE, "Nobody thinks it is safe to swim there. Dr. Weiss swam it.")


@pytest.mark.parametrize(
    "words",
    ["it is safe to swim there", "The Elbe is", "Weiss swam it.", "long. Nobody", "Elbe", "", ".", "The Elbe is wide."],
)
def test_pieces_of_sentences_are_not_statements(words: str) -> None:
    assert stated_at(PREMISE, words) is None


@given(st.text(max_size=80), st.text(max_size=30))
def test_what_is_found_is_in_the_premise(premise: str, hypothesis: str) -> None:
    found = stated_at(premise, hypothesis)
    assert found is None or premise[slice(*found)] == hypothesis.strip().rstrip(".")
