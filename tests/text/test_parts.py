"""The questions that are asked in one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.facts import entities, plain_words
from veridic.text.parts import parts_of


def test_joined_questions_are_taken_apart() -> None:
    assert parts_of("Who founded Apple and when did it go public?") == [
        "Who founded Apple?",
        "when did it go public?",
    ]
    assert parts_of("Who wrote War and Peace?") == ["Who wrote War and Peace?"]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("When was it built, and by whom?", ["When was it built?", "By whom was it built?"]),
        ("When was it opened? And by whom?", ["When was it opened?", "By whom was it opened?"]),
        ("When and where was Mozart born?", ["When was Mozart born?", "Where was Mozart born?"]),
        (
            "From whom and for how much did Voss buy it?",
            ["From whom did Voss buy it?", "For how much did Voss buy it?"],
        ),
        ("What year was it founded and by whom?", ["What year was it founded?", "By whom was it founded?"]),
        ("In which year was it closed and why?", ["In which year was it closed?", "Why was it closed?"]),
        ("Which river does it cross, and where?", ["Which river does it cross?", "Where does it cross?"]),
        ("Where did Napoleon die and of what?", ["Where did Napoleon die?", "Of what did Napoleon die?"]),
        ("When did Ann and Bob meet, and where?", ["When did Ann and Bob meet?", "Where did Ann and Bob meet?"]),
        ("Who opened the bridge and when?", ["Who opened the bridge?", "When was it that somebody opened the bridge?"]),
        ("When is the regatta, and who is the judge?", ["When is the regatta?", "who is the judge?"]),
        ("Who won in 1950? Who won in 1954?", ["Who won in 1950?", "Who won in 1954?"]),
    ],
)
def test_a_question_that_asks_twice_is_two_each_able_to_stand_alone(question: str, parts: list[str]) -> None:
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote War and Peace?",
        "What is the difference between a lock and a weir?",
        "When did Ann and Bob meet?",
        "Who won in 1950, and in 1954?",
        "Who discovered radium, when and where?",
        "Which company built it and in which year?",
        "How many books does the library hold, and since when?",
        "Who paid for the bridge, and how much?",
    ],
)
def test_what_asks_once_or_cannot_be_taken_apart_stays_whole(question: str) -> None:
    assert parts_of(question) == [question]


ASKED = "when where who what is was did the bridge Voss it she and , by whom opened built in 1932 how many ?".split()


@given(st.one_of(st.text(), st.lists(st.sampled_from(ASKED), max_size=14).map(" ".join)))
def test_parts_lose_no_name_and_no_number(question: str) -> None:
    parts = parts_of(question)
    assert parts
    assert entities(question) <= plain_words(" ".join(parts))
