"""Opposites of WordNet in all their forms, and words of one kind."""

import pytest

from veridic.evidence.opposites import exclude_each_other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("raises", "lowers"),
        ("bought", "sold"),
        ("men", "women"),
        ("hotter", "colder"),
        ("tuesday", "friday"),
        ("kilometres", "miles"),
    ],
)
def test_both_ways(one: str, other: str) -> None:
    assert exclude_each_other(one, other)
    assert exclude_each_other(other, one)


@pytest.mark.parametrize(("one", "other"), [("raises", "raises"), ("raises", "lower"), ("big", "large"), ("#", "of")])
def test_other_words_do_not(one: str, other: str) -> None:
    assert not exclude_each_other(one, other)
