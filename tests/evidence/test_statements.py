import pytest

from veridic.evidence.grounding import is_bare


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
