from __future__ import annotations

import pytest

from veridic.support.inquiries import inquires


@pytest.mark.parametrize(
    "sentence",
    [
        "To examine patterns of wear among tiles older than 65 years.",
        "OBJECTIVE: To find out whether the dome leaks.",
        "The aim of the present study is to examine whether the dome leaks.",
        "Our goal was to measure how much the dome leaks.",
        "This survey was designed to compare domes of copper and lead.",
        "We investigated whether the dome leaks.",
        "The present study evaluated the severity of the leaks.",
    ],
)
def test_what_was_to_be_found_out(sentence: str) -> None:
    assert inquires(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The dome leaks.",
        "We investigated whether the dome leaks and found that it does.",
        "This study shows that the dome leaks.",
        "The purpose of the dome was to keep out the rain.",
        "The society aimed to raise money for a dome.",
        "We measured 78 domes.",
        "To the east stands the dome.",
        "",
    ],
)
def test_what_was_found_or_is_so(sentence: str) -> None:
    assert not inquires(sentence)
