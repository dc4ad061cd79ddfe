"""Short answers compared as SQuAD compares them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.answers import tokens
from veridic_lab.squad import exact_match, harmonic, token_f1

WORDS = st.text("abT he19-’,. ", max_size=20)


def test_an_exact_match_is_one_of_the_accepted() -> None:
    assert exact_match("the year 1932.", ["1931", "Year 1932"]) == 1.0
    assert exact_match("1932", ["year 1932"]) == 0.0
    assert exact_match("1932", []) == 0.0


def test_f1_counts_shared_words_with_the_nearest_accepted_answer() -> None:
    assert token_f1("the year 1932", ["1932", "year 1931"]) == pytest.approx(2 / 3)
    assert token_f1("a a a bird", ["bird bird"]) == pytest.approx(2 / 3)
    assert token_f1("1932", ["1933"]) == token_f1("1932", []) == token_f1("", ["1932"]) == 0.0
    assert harmonic(0, 0, 0) == 0.0


@given(WORDS, WORDS)
def test_f1_takes_no_sides_and_is_one_for_the_same(one: str, other: str) -> None:
    assert 0.0 <= token_f1(one, [other]) == token_f1(other, [one]) <= 1.0
    assert token_f1(one, [other, one]) == float(bool(tokens(one)))
    assert exact_match(one, [other]) <= (token_f1(one, [other]) if tokens(one) else 1.0)
