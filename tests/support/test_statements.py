import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.support.statements import echoes, stated
from veridic.text.facts import entities, plain_words


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("When was the Alder Bridge opened?", "The Alder Bridge was opened.", True),
        ("When was the Alder Bridge opened?", "When was it opened?", True),
        ("When was the Alder Bridge opened?", "The Alder Bridge was opened in 1932.", False),
        ("Was the Alder Bridge opened?", "The Alder Bridge was opened.", False),
        ("Was the Alder Bridge opened?", '"Was it opened?"', True),
        ("Is the Alder Bridge safe?", "We examined whether the Alder Bridge is safe.", True),
        ("Is the Alder Bridge safe?", "We examined whether it is safe. It bears 80 tons.", False),
        ("Was the safety of the Alder Bridge examined?", "We examined whether the Alder Bridge is safe.", False),
        ("Did the study aim to compare bridges?", "The aim of the study was to compare bridges.", False),
        ("Does the study prove the bridge safe?", "The aim of the study was to test the bridge.", True),
        ("Who examined the Alder Bridge?", "We examined whether the Alder Bridge is safe.", False),
        ("Which is longer, the Alder Bridge or the Elm Bridge?", "The Elm Bridge is longer.", False),
        (
            "Which is longer, the Alder Bridge or the Elm Bridge?",
            "The Elm Bridge is longer than the Alder Bridge.",
            False,
        ),
        ("Which is longer, the Alder Bridge or the Elm Bridge?", "The Alder Bridge or the Elm Bridge.", True),
        ("Which is longer, the Alder Bridge or the Elm Bridge?", "Which is longer.", True),
    ],
)
def test_an_echo_is_no_answer(question: str, answer: str, expected: bool) -> None:
    assert echoes(question, answer) is expected


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Was the Alder Bridge opened in 1932?", "The Alder Bridge was opened in 1932."),
        ("does Clara Voss sing", "Clara Voss sing."),
        ("Can employees work from home?", "Employees can work from home."),
        ("Is there a ferry?", "There is a ferry."),
        ("Is it?", "It is."),
        ("When was it opened?", None),
        ("Is?", None),
    ],
)
def test_what_a_yes_or_no_question_asks_is_stated(question: str, statement: str | None) -> None:
    assert stated(question) == statement


@given(st.text())
def test_what_is_stated_keeps_the_questions_names_and_numbers(question: str) -> None:
    statement = stated(question)
    assert statement is None or entities(question) <= plain_words(statement)
