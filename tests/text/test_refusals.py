"""What a chat model says where it does not answer."""

import pytest

from veridic.text.answers import refuses


@pytest.mark.parametrize(
    "text",
    ["", "  ", "I don't know.", "I do not know that.", "I’m sorry, I cannot say.", "I am not sure.",
     "The passages do not contain the answer.", "The text does not say."],
)  # fmt: skip
def test_a_refusal_is_no_answer(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", ["Clara Voss.", "In 1932.", "I, Claudius", "No.", "The text says 1932."])
def test_an_answer_is_no_refusal(text: str) -> None:
    assert not refuses(text)
