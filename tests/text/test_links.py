"""Descriptions in questions, and the questions what they mean."""

import pytest

from veridic.text.links import link_of


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "Where was the director of film Web Of Suspicion born?",
            "Who is the director of film Web Of Suspicion?",
            "Where was X born?",
        ),
        ("Who is the mother of the author of Emma?", "Who is the author of Emma?", "Who is the mother of X?"),
        ("Where did Timothy Shriver's father study?", "Who is Timothy Shriver's father?", "Where did X study?"),
        (
            "What is the population of the state where Dodge City is located?",
            "In which state is Dodge City located?",
            "What is the population of X?",
        ),
        (
            "When was the company that bought FleetBoston Financial founded?",
            "Which company bought FleetBoston Financial?",
            "When was X founded?",
        ),
        (
            'The writer of the song "Death of Samantha" was whose wife?',
            'Who is the writer of the song "Death of Samantha"?',
            "X was whose wife?",
        ),
    ],
)
def test_a_description_is_asked_about_first(question: str, first: str, second: str) -> None:
    link = link_of(question)
    assert link is not None
    assert (link.first, link.second("X")) == (first, second)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the director of Titanic?",
        "What is the capital of France?",
        "When was the Alder Bridge opened?",
        "Who is Anna's father?",
        "Who's the director?",
        "Who’s the director?",
        "Where's the spare key?",
        "What's the price of it?",
        "",
    ],
)
def test_a_question_that_asks_no_more_than_what_is_meant_has_no_link(question: str) -> None:
    assert link_of(question) is None
