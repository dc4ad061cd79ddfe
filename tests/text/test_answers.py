"""Short answers compared as SQuAD compares them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.answers import distinct_tokens, exact_match, harmonic, holds_alias, token_f1, tokens

SHORT = st.text("abT he19-’,. ", max_size=20)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The Alder Bridge!", ["alder", "bridge"]),
        ("Anna’s a 1,932", ["anna", "s", "1", "932"]),
        ("vice-president–elect", ["vice", "president", "elect"]),
        ("theatre another", ["theatre", "another"]),
        ("…", ["…"]),
        ("", []),
    ],
)
def test_case_articles_and_punctuation_do_not_count(text: str, said: list[str]) -> None:
    assert tokens(text) == said


def test_a_letter_tells_answers_apart_and_an_article_does_not() -> None:
    assert not distinct_tokens("vitamin A") <= distinct_tokens("vitamin C")
    assert distinct_tokens("A bridge") == distinct_tokens("the bridge")
    assert distinct_tokens("built a bridge") == distinct_tokens("built the bridge")


def test_an_exact_match_is_one_of_the_accepted() -> None:
    assert exact_match("the year 1932.", ["1931", "Year 1932"]) == 1.0
    assert exact_match("1932", ["year 1932"]) == 0.0
    assert exact_match("1932", []) == 0.0


def test_f1_counts_shared_words_with_the_nearest_accepted_answer() -> None:
    assert token_f1("the year 1932", ["1932", "year 1931"]) == pytest.approx(2 / 3)
    assert token_f1("a a a bird", ["bird bird"]) == pytest.approx(2 / 3)
    assert token_f1("1932", ["1933"]) == token_f1("1932", []) == token_f1("", ["1932"]) == 0.0
    assert harmonic(0, 0, 0) == 0.0


@given(SHORT, SHORT)
def test_f1_takes_no_sides_and_is_one_for_the_same(one: str, other: str) -> None:
    assert 0.0 <= token_f1(one, [other]) == token_f1(other, [one]) <= 1.0
    assert token_f1(one, [other, one]) == float(bool(tokens(one)))
    assert exact_match(one, [other]) <= (token_f1(one, [other]) if tokens(one) else 1.0)


@pytest.mark.parametrize(
    ("answer", "held"), [("It was Rush.", True), ("Mount Rushmore", False), ("rush, of course", True), ("", False)]
)
def test_an_alias_is_found_by_whole_tokens(answer: str, held: bool) -> None:
    assert holds_alias(answer, ["Rush"]) is held
