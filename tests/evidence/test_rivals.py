"""Which answers of two documents disagree."""

import pytest

from veridic.evidence.likeliest import differs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("three days", "24 hours"),
        ("£180", "195 pounds"),
        ("1932", "1955"),
        ("19.30", "18.00"),
        ("12", "fifteen"),
        ("Clara Voss", "Emil Stark"),
        ("30", "30 days"),
        ("412", "more than five hundred"),
    ],
)
def test_what_cannot_both_be_right_differs(one: str, other: str) -> None:
    assert differs(one, other)
    assert differs(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("19.30", "Monday to Thursday"),
        ("10000", "delivery.timeout_ms"),
    ],
)
def test_what_is_of_another_kind_does_not(one: str, other: str) -> None:
    assert not differs(one, other)
    assert not differs(other, one)
