"""What a comparison asks of each of two things, and which value wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.comparisons import comparison, value_in, winner


@pytest.mark.parametrize(
    ("question", "first", "smaller"),
    [
        ("Which is larger, Mars or Venus?", "How large is Mars?", False),
        ("Which bridge was heavier: the Alder Bridge or the Forth Bridge?", "How heavy is the Alder Bridge?", False),
        ("Who was born first, Ann Berg or Bo Dahl?", "When was Ann Berg born?", True),
        ("Who is older, Ann Berg or Bo Dahl?", "When was Ann Berg born?", True),
        ("Which film came out later, Jaws or Alien?", "When did Jaws came out?", False),
        ("Which planet has fewer moons, Mars or Venus?", "How many moons has Mars?", True),
        ("Which costs more, the B1 or the B2?", "How much does the B1 cost?", False),
        ("Which logger weighs less, the B1 or the B2?", "How much weighs the B1?", True),
    ],
)
def test_what_is_asked_of_each(question: str, first: str, smaller: bool) -> None:
    asked = comparison(question)
    assert asked is not None
    assert (asked.questions[0], asked.smaller) == (first, smaller)


@pytest.mark.parametrize("question", ["Who paid for the dome?", "Is it open?", "Which is red, the B1 or the B2?"])
def test_nothing_else_is_a_comparison(question: str) -> None:
    assert comparison(question) is None


def test_the_value_tells_and_only_of_the_same_thing() -> None:
    asked = comparison("Which is longer, the Alder Bridge or the Forth Bridge?")
    assert asked is not None
    assert winner(asked, "412 metres", "2,467 metres") == "the Forth Bridge"
    assert winner(asked, "1.2 million metres", "2,467 metres") == "the Alder Bridge"
    assert winner(asked, "412 metres", "2 miles") is None
    assert winner(asked, "412 metres", "very long") is None
    assert winner(asked, "412 metres", "412 metres") is None


def test_dates_are_compared_by_day() -> None:
    asked = comparison("Who was born first, Ann Berg or Bo Dahl?")
    assert asked is not None
    assert winner(asked, "3 March 1913", "March 2, 1913") == "Bo Dahl"
    assert winner(asked, "1912", "3 March 1913") == "Ann Berg"
    assert winner(asked, "31 February 1913", "1912") is None


@given(st.integers(0, 10**9), st.sampled_from(["", " metres", " £"]))
def test_a_number_is_read_as_it_is_written(number: int, unit: str) -> None:
    found = value_in(f"about {number:,}{unit} in all" if unit else f"{number:,}")
    assert found is not None
    assert found.number == number or found.unit == "day"
