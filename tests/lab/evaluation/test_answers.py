"""What an answer is worth by its words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lab.evaluation.rows import question
from veridic.text.answers import tokens
from veridic_lab.evaluation.answers import (
    LONGEST_ALIAS_ANSWER,
    LONGEST_SHORT_ANSWER,
    is_right,
    rouge_l,
)
from veridic_lab.squad import token_f1

TEXTS = st.lists(st.sampled_from("the red fox ran home in 1932 a Rush".split()), max_size=8).map(" ".join)


def test_rouge_l_keeps_order() -> None:
    assert rouge_l("fox red", ["red fox"]) == pytest.approx(0.5)
    assert rouge_l("red big fox", ["red fox"]) == pytest.approx(0.8)


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


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_rouge_l_is_a_symmetric_share_and_no_more_than_f1(one: str, other: str) -> None:
    assert 0.0 <= rouge_l(one, [other]) == pytest.approx(rouge_l(other, [one]))
    assert rouge_l(one, [other]) <= token_f1(one, [other]) + 1e-9
    assert rouge_l(one, [one]) == float(bool(tokens(one)))
