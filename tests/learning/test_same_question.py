import pytest

from veridic.learning.same_question import asks_the_same
from veridic.text.answers import is_read_as

FOUNDED = "When was the Alder Bridge founded?"


@pytest.mark.parametrize(
    "other",
    [
        "In which year was the Alder Bridge founded",
        "Could you tell me when the Alder Bridge was founded?",
        "please tell me: when was the alder bridge founded",
    ],
)
def test_words_of_asking_make_no_other_question(other: str) -> None:
    assert asks_the_same(FOUNDED, other)
    assert asks_the_same(other, FOUNDED)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        (FOUNDED, "When was the Elder Bridge founded?"),
        (FOUNDED, "When was the Alder Bridge closed?"),
        (FOUNDED, "Who founded the Alder Bridge?"),
        (FOUNDED, "When was the old Alder Bridge founded?"),
        ("Who won the cup in 1932?", "Who won the cup in 1933?"),
        ("Who won the cup in 1932?", "Who won the cup?"),
        ("Who beat the Panthers?", "Who did the Panthers beat?"),
        ("Who ruled before Alder?", "Who ruled after Alder?"),
        ("Who was shot by Booth?", "Who shot Booth?"),
        ("who sings hello", "who sings halo"),
        ("What is the name of the Delta?", "What is the nickname of the Delta?"),
    ],
)
def test_another_name_year_verb_or_role_does(question: str, other: str) -> None:
    assert not asks_the_same(question, other)
    assert not asks_the_same(other, question)


def test_a_year_may_stand_anywhere() -> None:
    assert asks_the_same("Who won the cup in 1932?", "In 1932, who won the cup?")


@pytest.mark.parametrize(
    "question",
    ["when is the open day", "When is the open day?", "Please tell me: when is the Open Day?", "So, when is open day?"],
)
def test_what_leads_up_to_a_question_and_how_it_is_written_is_no_other_reading(question: str) -> None:
    assert not is_read_as(question, "When is the open day?")


@pytest.mark.parametrize("question", ["When is it?", "When is the opne day?", "And the open day?", "Source?", ""])
def test_other_words_are_one(question: str) -> None:
    assert is_read_as(question, "When is the open day?")
