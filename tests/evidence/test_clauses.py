"""Which clauses of a sentence it states by themselves; what reports, conditions or denies them keeps them back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.evidence.clauses import stated_clauses
from veridic_lab.training.veridicality import LEARNED

DIESEL = "Diesel is stored in the green shed."
PETROL = "Petrol may not be stored on club ground."
A, B = "diesel is stored in the green shed", "petrol may not be stored on club ground"


@pytest.mark.parametrize(
    ("frame", "stated"),
    [
        ("{A}, and {B}.", {DIESEL, PETROL}),
        ("{A}, but {B}.", {DIESEL, PETROL}),
        ("{A}; {B}.", {DIESEL, PETROL}),
        ("{A}, so {B}.", {DIESEL, PETROL}),
        ("{A}, whereas {B}.", {DIESEL, PETROL}),
        ("{A}, though they may not enter it.", {DIESEL}),
        ("The fee is due, and {A}, and {B}.", {DIESEL, PETROL}),
        ("The fee is due and {A}.", set()),
        ("The fee was raised and {A}.", set()),
        ("The shed is locked and the fee was raised.", {"The shed is locked.", "The fee was raised."}),
    ],
)
def test_a_clause_beside_another_is_stated(frame: str, stated: set[str]) -> None:
    sentence = frame.format(A=A, B=B)
    assert stated <= set(stated_clauses(sentence[0].upper() + sentence[1:]))


CONTRARY = [
    "It is not true that {A}, and {B}.",
    "If {A}, and {B}, the fine is doubled.",
    "If it rains, {A}, and {B}.",
    "Should it rain, {A}, and {B}.",
    "Had it rained, {A}, and {B}.",
    "Tom said that {A}, and {B}.",
    "Tom said {A}, and {B}.",
    "According to Tom, {A}, and {B}.",
    "Reportedly, {A}, and {B}.",
    "Perhaps {A}, and {B}.",
    "Suppose {A}, and {B}.",
    "Nobody believes {A}, and {B}.",
    "The rumour that {A}, and {B}, is false.",
    '"{A}, and {B}," he said.',
    "The notice read: {A}, and {B}.",
    "In winter, {A}, and {B}.",
    "At weekends {A}, and {B}.",
    "Until 2010 {A}, and {B}.",
    "Every summer {A}, and {B}.",
    "Last year {A}, and {B}.",
    "Either {A}, or {B}.",
    "Only if {A}, and {B}, is a permit given.",
    "Before {A}, and {B}, a permit is needed.",
    "The council asked whether {A}; {B}.",
    "In theory {A}, and {B}.",
    "The plan is that {A}, and {B}.",
]
TAKEN_BACK = [
    "{A}, and {B}, Tom said.",
    "{A}, and {B}, according to Tom.",
    "{A}, and {B}, supposedly.",
    "{A}, and {B}, if it rains.",
    "{A}, and {B}, unless the moon is full.",
    "{A}, and {B}, provided the gate is open.",
    "{A}, and {B} when the club is closed.",
    "{A}, and {B} as long as the club is open.",
    "{A}, but this is not true.",
    "{A}, but that turned out to be wrong.",
    "{A}, but it never was.",
    "{A}, but not on Sundays.",
    "{A}, but only in winter.",
    "{A}, but in winter the shed is empty.",
    "{A}, though not in winter.",
    "{A}, although critics deny it.",
    "{A}, but nobody believes it.",
    "{A}, or {B}, and the fee is due.",
]


@pytest.mark.parametrize("frame", [*CONTRARY, *TAKEN_BACK])
def test_what_is_not_stated_by_itself_is_no_clause(frame: str) -> None:
    sentence = frame.format(A=A, B=B)
    stated = " ".join(stated_clauses(sentence[0].upper() + sentence[1:])).lower()
    assert A not in stated
    assert B not in stated or frame in TAKEN_BACK


@pytest.mark.parametrize("frame", LEARNED.open)
@pytest.mark.parametrize("inside", [f"{A}, and {B}", f"{A}; {B}", f"{A} and {B}", f"{B}, but {A}"])
def test_nothing_in_a_frame_that_does_not_vouch_is_stated(frame: str, inside: str) -> None:
    assert not {DIESEL, PETROL} & set(stated_clauses(frame.format(inside)))


def test_a_piece_of_a_list_is_no_clause() -> None:
    assert "The ministers of four states (Oslo, Bonn." not in stated_clauses(
        "The ministers of four states (Oslo, Bonn, and Rome) met in May."
    )


@given(st.text(max_size=120))
def test_a_clause_has_only_words_of_its_sentence(text: str) -> None:
    assert all(set(clause.lower().rstrip(".").split()) for clause in stated_clauses(text))
