import pytest

from veridic.evidence.statements import echoes, is_bare


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("When was the Alder Bridge opened?", "The Alder Bridge was opened.", True),
        ("When was the Alder Bridge opened?", "When was it opened?", True),
        ("When was the Alder Bridge opened?", "The Alder Bridge was opened in 1932.", False),
        ("Was the Alder Bridge opened?", "The Alder Bridge was opened.", False),
        ("Was the Alder Bridge opened?", '"Was it opened?"', True),
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
    ("question", "text", "expected"),
    [
        ("Who wrote the song?", "Travis Tritt.", True),
        ("Who wrote the song?", "In 1991, by Kostas and Travis Tritt", True),
        ("Who wrote the song?", "Kostas wrote the song.", False),
        ("Was the song written by Kostas?", "Travis Tritt.", False),
        ("Who wrote the song?", "Travis Tritt?", False),
        ("Who wrote the song?", "", False),
        ("Who wrote it?", "It came to him while he was on the way to Nashville.", False),
    ],
)
def test_a_bare_answer_fills_the_place_that_a_question_leaves(question: str, text: str, expected: bool) -> None:
    assert is_bare(text, question) is expected
