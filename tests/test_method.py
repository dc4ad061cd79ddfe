"""The numbers of a method: their bounds, and that a graph is built with them."""

import re
from typing import Any

import pytest

from veridic.errors import InvalidSetting
from veridic.graph.systems import SYSTEMS
from veridic.ports.method import Method


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"upper": 2}, "upper: Input should be less than or equal to 1."),
        ({"dense": "never"}, "dense: Input should be 'beside' or 'fallback'."),
        ({"beams": 1}, "A method has no number 'beams'. Did you mean beam?"),
    ],
)
def test_what_is_no_number_of_a_method_is_told_in_our_words(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=re.escape(said)):
        Method(**given)


def test_a_method_weighs_the_three_scores() -> None:
    assert (Method().weight, Method(support_weight=0).weighed(1.0, 1.0, 1.0)) == (2.5, 1.5)


def test_a_systems_own_numbers_are_the_papers() -> None:
    assert {name for name, system in SYSTEMS.items() if system.method != Method()} == {"hybrid_self_rag"}
    assert SYSTEMS["hybrid_self_rag"].method.dense == "fallback"
