"""What is taken of a chat model's reply."""

import pytest

from veridic.ports.chat import Reply
from veridic.prompts.writing import cleaned


@pytest.mark.parametrize(
    ("said", "finished", "taken"),
    [
        ("Answer: It leaves at nine.", True, "It leaves at nine."),
        ("It leaves at nine. It is gr", False, "It leaves at nine."),
        ("It leaves at ni", False, "It leaves at ni"),
        ("It is red. It is red.\n\nIt is big. It is red.", True, "It is red.\n\nIt is big."),
        ("It is red. It is red. It is r", False, "It is red."),
        ("- One.\n- Two.\n- One.", True, "- One.\n- Two."),
        ("```\na = 1\n```\n", True, "```\na = 1\n```"),
    ],
)
def test_a_reply_is_taken_without_preamble_repetition_and_a_cut_end(said: str, finished: bool, taken: str) -> None:
    assert cleaned(Reply(said, 0, 0, finished=finished)) == taken
