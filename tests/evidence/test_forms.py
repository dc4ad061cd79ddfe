"""Of what form answers are, and which questions they may answer."""

import pytest

from veridic.evidence.forms import form_of, may_answer


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("8.00", "time of day"),
        ("at half past three", "number"),
        ("£1.50", "money"),
        ("12.50 euros", "money"),
        ("March 2026", "date"),
        ("1 July", "date"),
        ("Fridays", "day of the week"),
        ("two weeks", "duration"),
        ("may be used", "words"),
    ],
)
def test_of_what_form_an_answer_is(answer: str, form: str) -> None:
    assert form_of(answer) == form


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long do we wait for a wound bass string?", "$70"),
        ("how many benches are there in the polytunnel", "€15"),
        ("How many parking spaces are there?", "25 minutes"),
        ("How much does it cost to clip a rabbit's claws?", "four months"),
        ("What does it cost?", "Fridays"),
        ("What time does it close?", "10%"),
        ("When is the regatta?", "£40"),
        ("Who signs?", "30"),
        ("Where is it kept?", "8.00"),
    ],
)
def test_what_a_question_is_not_answered_by(question: str, answer: str) -> None:
    assert not may_answer(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long is the warranty?", "two years"),
        ("How long is the bridge?", "412 metres"),
        ("How long is it open?", "until 19.30"),
        ("How many members are there?", "1,300"),
        ("How many working days does it take?", "five working days"),
        ("How many percent do members save?", "10%"),
        ("How much is the fee?", "£25"),
        ("How much notice do I have to give?", "three working days"),
        ("When does it open?", "Monday to Thursday"),
        ("What day is the market?", "Fridays"),
        ("Who signs?", "the treasurer"),
        ("Where is it kept?", "Room 12"),
        ("What is the limit?", "30 percent"),
        ("How much do they pay a month?", "12.50"),
    ],
)
def test_what_it_may_be_answered_by(question: str, answer: str) -> None:
    assert may_answer(question, answer)
