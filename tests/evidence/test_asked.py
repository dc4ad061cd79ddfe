"""The years that a question names."""

import pytest

from veridic.text.questions import years_in


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Who was mayor in 1932?", ["1932"]),
        ("What changed between 1967 and 2004, and again in 1967?", ["1967", "2004"]),
        ("Which bridges were built in the 1930s?", ["1930"]),
        ("Is 1,500 metres the length?", []),
        ("Does it cost £1932 or 1967.50?", []),
        ("What is part 1932-114?", []),
        ("Who lived in 321?", []),
    ],
)
def test_years_are_told_from_other_numbers(question: str, years: list[str]) -> None:
    assert years_in(question) == years
