"""What a pronoun of the evidence means, by the claim that begins as the sentence before it does."""

import pytest

from veridic.evidence.antecedents import with_subjects

COURSE = "The Level 1 course begins on 9 May 2026 and costs £140."
TAUGHT = "It is taught by Jenna Fairlie and is limited to 16 pupils."


def last(told: list[str], claim: str) -> str:
    return with_subjects(told, claim)[-1].text


@pytest.mark.parametrize(
    ("told", "claim", "meant"),
    [
        (
            [COURSE, TAUGHT],
            "The Level 1 course is limited to 24 pupils.",
            "The Level 1 course is taught by Jenna Fairlie and is limited to 16 pupils.",
        ),
        (
            ["The car allowance was raised in May.", "It covers fuel."],
            "The car allowance covers fuel and wear.",
            "The car allowance covers fuel.",
        ),
        (
            ["The slipway was rebuilt in 2019.", "It is 42 metres long.", "It can carry boats."],
            "The slipway can carry boats.",
            "The slipway can carry boats.",
        ),
        (
            ["Clara Voss opened a school.", "She was born in 1890."],
            "Clara Voss was born in 1890.",
            "Clara Voss was born in 1890.",
        ),
    ],
)
def test_the_words_with_which_both_begin_are_meant(told: list[str], claim: str, meant: str) -> None:
    assert last(told, claim) == meant


@pytest.mark.parametrize(
    ("told", "claim"),
    [
        ([COURSE, TAUGHT], "The Level 2 course is limited to 16 pupils."),
        ([COURSE, TAUGHT], "The Level is limited to 16 pupils."),
        ([COURSE, TAUGHT], "Jenna Fairlie is limited to 16 pupils."),
        (["The car allowance scheme is new.", "It covers fuel."], "The car allowance covers fuel."),
        (["The car allowance is new.", "It covers fuel."], "The car allowance for managers covers fuel."),
        (["The boat fees were raised.", "They are due in May."], "The boat is due in May."),
        (["The bridge was opened by Clara Voss.", "She was born in 1890."], "The bridge was born in 1890."),
        (["Kraft bought Cadbury.", "It was founded in 1824."], "Kraft was founded in 1824."),
        (["It is taught by Jenna Fairlie."], "It is taught by Tom Ash."),
    ],
)
def test_where_another_may_be_meant_it_stays(told: list[str], claim: str) -> None:
    assert last(told, claim) == told[-1]


def test_it_is_known_which_sentence_names_the_subject() -> None:
    told = ["Rain fell.", "The slipway was rebuilt in 2019.", "It is long.", "It can carry boats.", "Rain fell."]
    assert [one.since for one in with_subjects(told, "The slipway can carry boats.")] == [0, 1, 1, 1, 4]
