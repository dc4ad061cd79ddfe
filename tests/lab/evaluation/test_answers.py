"""What an answer is worth by its words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lab.evaluation.rows import question
from veridic.text.answers import exact_match, token_f1, tokens
from veridic.text.refusals import refuses
from veridic_lab.evaluation.answers import (
    LONGEST_ALIAS_ANSWER,
    LONGEST_SHORT_ANSWER,
    holds_alias,
    is_right,
    rouge_l,
)

TEXTS = st.lists(st.sampled_from("the red fox ran home in 1932 a Rush".split()), max_size=8).map(" ".join)


def test_normalisation_is_squads() -> None:
    assert tokens("The  Alder-Bridge, a bridge!") == ["alder", "bridge", "bridge"]


def test_f1_counts_shared_tokens_with_repeats() -> None:
    assert token_f1("red red fox", ["red fox"]) == pytest.approx(0.8)
    assert token_f1("red fox", ["blue cat", "the red fox"]) == 1.0
    assert token_f1("dog", ["red fox"]) == 0.0


def test_rouge_l_keeps_order() -> None:
    assert rouge_l("fox red", ["red fox"]) == pytest.approx(0.5)
    assert rouge_l("red big fox", ["red fox"]) == pytest.approx(0.8)


def test_exact_match_forgives_articles_and_punctuation_only() -> None:
    assert exact_match("The fox.", ["fox"]) == 1.0
    assert exact_match("fox ran", ["fox"]) == 0.0


@pytest.mark.parametrize(
    ("answer", "held"), [("It was Rush.", True), ("Mount Rushmore", False), ("rush, of course", True), ("", False)]
)
def test_an_alias_is_found_by_whole_tokens(answer: str, held: bool) -> None:
    assert holds_alias(answer, ["Rush"]) is held


def test_an_alias_in_a_pasted_passage_is_not_an_answer() -> None:
    padding = "word " * (LONGEST_ALIAS_ANSWER - 2)
    assert is_right(f"{padding}Clara Voss", question())
    assert not is_right(f"{padding}more Clara Voss", question())


def test_a_short_answer_is_judged_alone() -> None:
    assert is_right("Anna Berg. The bridge was opened by Clara Voss.", question())
    assert not is_right("Anna Berg. The bridge was opened by Clara Voss.", question(), short="Anna Berg")
    assert is_right("word " * LONGEST_ALIAS_ANSWER, question(), short="Clara Voss")


def test_a_short_answer_that_is_not_short_is_wrong() -> None:
    padding = "word " * (LONGEST_SHORT_ANSWER - 2)
    assert is_right("", question(), short=f"{padding}Clara Voss")
    assert not is_right("Clara Voss", question(), short=f"{padding}more Clara Voss")


def test_a_long_answer_is_judged_whole() -> None:
    asked = question(answers=["The bridge was opened by Clara Voss in May."], kind="long")
    assert is_right("The bridge was opened by Clara Voss in May.", asked, short="Clara Voss")


@pytest.mark.parametrize(
    ("answer", "right"), [("Yes, it does.", True), ("No.", False), ("The text says yes.", False), ("Yesterday.", False)]
)
def test_yes_or_no_is_read_in_front_only(answer: str, right: bool) -> None:
    assert is_right(answer, question(answers=["yes"], kind="yes/no")) is right


@pytest.mark.parametrize(
    "text",
    ["", "  ", "I don't know.", "I do not know that.", "I’m sorry, I cannot say.", "I am not sure.",
     "The passages do not contain the answer.", "The text does not say."],
)  # fmt: skip
def test_a_refusal_is_no_answer(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", ["Clara Voss.", "In 1932.", "I, Claudius", "No.", "The text says 1932."])
def test_an_answer_is_no_refusal(text: str) -> None:
    assert not refuses(text)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_scores_are_shares_and_symmetric(one: str, other: str) -> None:
    for score in (token_f1, rouge_l):
        assert 0.0 <= score(one, [other]) <= 1.0
        assert score(one, [other]) == pytest.approx(score(other, [one]))
    assert rouge_l(one, [other]) <= token_f1(one, [other]) + 1e-9
    if tokens(one):
        assert token_f1(one, [one]) == rouge_l(one, [one]) == 1.0
