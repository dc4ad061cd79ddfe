"""Sentences that tell the same of several, each with a value of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.parallels import of_one, told_apart

ALLOWANCE = "The meal allowance is 24 euros in Portugal, 38 euros in Germany and 52 euros in Switzerland."


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            ALLOWANCE,
            [
                "The meal allowance is 24 euros in Portugal.",
                "The meal allowance is 38 euros in Germany.",
                "The meal allowance is 52 euros in Switzerland.",
            ],
        ),
        (
            "The pool opens at 9:00 on weekdays and at 11:00 on Sundays.",
            ["The pool opens at 9:00 on weekdays.", "The pool opens at 11:00 on Sundays."],
        ),
        (
            "Hall A seats 18 people at tables, hall B 23 people and hall C 9 people.",
            [
                "Hall A seats 18 people at tables.",
                "Hall B seats 23 people at tables.",
                "Hall C seats 9 people at tables.",
            ],
        ),
        (
            "Staff in Lisbon get a rail card, staff in Ghent a bicycle and staff in Turin a desk.",
            ["Staff in Lisbon get a rail card.", "Staff in Ghent get a bicycle.", "Staff in Turin get a desk."],
        ),
        ("Alice paid 30 euros and Bob 40 euros.", ["Alice paid 30 euros.", "Bob paid 40 euros."]),
        (
            "It is not true that the fee is £5 for adults and £3 for children.",
            ["It is not true that the fee is £5 for adults.", "It is not true that the fee is £3 for children."],
        ),
    ],
)
def test_each_is_told_with_its_own_value(sentence: str, told: list[str]) -> None:
    assert [one.text for one in told_apart(sentence)] == told


@pytest.mark.parametrize(
    "sentence",
    [
        "The course begins on 9 May 2026 and costs £140.",
        "He sold apples, pears and plums in 1990.",
        "The tower was built in 1890 and rebuilt in 1930.",
        "He was born on 3 May 1920 in Bonn and died on 5 June 1990 in Kiel.",
        "The shop is open between 9:00 on Mondays and 17:00 on Fridays.",
        "The fee is 5 euros for adults and 3 euros for children, if they come early.",
        "The pool seats 20 people in summer and 30 people in winter, but not on Sundays.",
        "The fee is 20 euros.",
        "",
    ],
)
def test_what_is_not_plainly_of_several_stays_whole(sentence: str) -> None:
    assert told_apart(sentence) == []


@pytest.mark.parametrize(
    ("claim", "of"),
    [
        ("In Switzerland the meal allowance is 52 euros.", ["Switzerland"]),
        ("In Portugal it is 38 euros.", ["Portugal", "Germany"]),
        ("The meal allowance is 60 euros in Germany.", ["Germany"]),
        ("The meal allowance is higher in Germany than in Portugal.", []),
        ("There is a meal allowance.", []),
    ],
)
def test_a_claim_of_one_is_of_those_whose_values_it_has(claim: str, of: list[str]) -> None:
    found = of_one(told_apart(ALLOWANCE), claim)
    assert [one.values[1] for one in found] == of


@given(st.lists(st.integers(2, 999), min_size=2, max_size=5, unique=True))
def test_no_value_is_given_to_another(values: list[int]) -> None:
    parts = [
        f"{value} euros in {town}"
        for value, town in zip(values, ("Bonn", "Kiel", "Hull", "Bath", "Graz"), strict=False)
    ]
    told = told_apart(f"The fee is {', '.join(parts[:-1])} and {parts[-1]}.")
    assert [one.text for one in told] == [f"The fee is {part}." for part in parts]


@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    assert of_one(told_apart(text), text) == [] or told_apart(text)
