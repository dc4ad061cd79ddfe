"""What was read is told whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.evidence.spans import made_whole
from veridic.ports.judgements import ReadSpan

PLANS = "The plans were drawn by the engineer Josiah Telling."
BUILT = "It was built between 1834 and 1838."
OPEN = "It is open from 8 am to 7 pm, Monday to Saturday."


def spans(text: str, *said: tuple[str, float]) -> list[ReadSpan]:
    return [ReadSpan(text.index(words), text.index(words) + len(words), margin) for words, margin in said]


@pytest.mark.parametrize(
    ("text", "said", "told"),
    [
        (PLANS, "the engineer Josiah", "the engineer Josiah Telling"),
        (PLANS, "the engineer", "the engineer"),
        ("Anna Maria Holt led it.", "Anna Maria", "Anna Maria"),
        ("ESPN Monday Night shows it.", "ESPN", "ESPN"),
        (BUILT, "between 1834", "between 1834 and 1838"),
        (BUILT, "1834", "1834"),
        ("It stands between the inn and the mill.", "between the inn and the mill", "between the inn and the mill"),
    ],
)
def test_a_name_and_a_between_are_told_with_their_end(text: str, said: str, told: str) -> None:
    (one,) = made_whole(text, spans(text, (said, 5.0)))
    assert (text[one.start : one.end], one.margin) == (told, 5.0)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((("7 pm", 9.0), ("8 am", 8.0)), ["8 am to 7 pm"]),
        ((("8 am", 9.0), ("Monday", 8.5), ("7 pm", 8.0)), ["8 am to 7 pm", "Monday"]),
        ((("7 pm", 9.0), ("8 am", 2.0)), ["7 pm", "8 am"]),
        ((("8 am", 9.0), ("Monday", 8.0)), ["8 am", "Monday"]),
    ],
)
def test_two_ends_of_a_range_that_are_read_alike_are_the_range(said: tuple[tuple[str, float]], told: list[str]) -> None:
    found = made_whole(OPEN, spans(OPEN, *said))
    assert [OPEN[one.start : one.end] for one in found] == told
    assert found[0].margin == 9.0


@given(st.text("Aa b1.-–to", max_size=30), st.integers(0, 30), st.integers(1, 30))
def test_no_span_gets_shorter_or_leaves_the_text(text: str, start: int, length: int) -> None:
    given_span = ReadSpan(min(start, len(text)), min(start + length, len(text)), 1.0)
    (one,) = made_whole(text, [given_span])
    assert 0 <= one.start <= given_span.start <= given_span.end <= one.end <= len(text)
