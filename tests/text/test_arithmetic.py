"""Sums are computed exactly, or not at all."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.arithmetic import computed, is_sum


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("What is 17 * 23?", "17 * 23 = 391"),
        ("12% of 250", "12% of 250 = 30"),
        ("How much is 15 percent of 80?", "15 percent of 80 = 12"),
        ("(3+4)/2", "(3+4)/2 = 3.5"),
        ("1,000 × 3", "1,000 × 3 = 3,000"),
        ("what's 3 · 4", "3 · 4 = 12"),
        ("what does 2+2 equal?", "2+2 = 4"),
        ("2 + 2 = ?", "2 + 2 = 4"),
        ("Please calculate 100 − 58.", "100 − 58 = 42"),
        ("10 ÷ 4", "10 ÷ 4 = 2.5"),
        ("0.1+0.2", "0.1+0.2 = 0.3"),
        ("10 / 3", "10 / 3 ≈ 3.333333333333"),
        ("-1/3", "-1/3 ≈ -0.333333333333"),
        ("-2 * 2", "-2 * 2 = -4"),
    ],
)
def test_a_sum_is_computed(message: str, expected: str) -> None:
    assert is_sum(message)
    assert computed(message) == expected


@pytest.mark.parametrize("message", ["1 / 0", "9**9**9", "7 // 2"])
def test_a_sum_of_which_nothing_is_computed(message: str) -> None:
    assert is_sum(message)
    assert computed(message) is None


@pytest.mark.parametrize(
    "message",
    [
        "",
        "42",
        "-5",
        "1+",
        "(((1+1",
        "1_0+1",
        "2+2=5?",
        "007+1",
        "1+1" + " " * 300,
        "17 % 5",
        "9/11",
        "24/7",
        "2020-2021",
        "555-0134",
        "2^10",
        "10 x 4",
    ],
)
def test_what_is_no_sum(message: str) -> None:
    assert not is_sum(message)


@given(st.integers(0, 10**30), st.sampled_from("+-*/"), st.integers(1, 10**30))
def test_two_numbers_give_what_fractions_give(left: int, sign: str, right: int) -> None:
    exact = {"+": left + right, "-": left - right, "*": left * right, "/": Fraction(left, right)}[sign]
    said = computed(f"{left} {sign} {right}")
    assert said is not None
    given_back = Fraction(said.partition("=")[2].replace(",", "").strip()) if "=" in said else None
    assert given_back in (exact, None)
    assert sign == "/" or given_back == exact


@given(st.text("0123456789.+-*/%^() x,"))
def test_any_signs_may_be_asked(message: str) -> None:
    assert not is_sum(message) or computed(message) is None or isinstance(computed(message), str)
