"""The numbers of a method: their bounds, and that a graph is built with them."""

import re
from dataclasses import replace
from typing import Any

import pytest

from veridic.context import Context
from veridic.errors import InvalidSetting
from veridic.graph.systems import SYSTEMS
from veridic.ports.method import FIXED, Method


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"upper": 2}, "upper: Input should be less than or equal to 1."),
        ({"dense": "never"}, "dense: Input should be 'beside' or 'fallback'."),
        ({"beams": 1}, "A method has no number 'beams'. Did you mean beam?"),
        ({"relevance_weight": 0}, "A method has no number 'relevance_weight' any more."),
    ],
)
def test_what_is_no_number_of_a_method_is_told_in_our_words(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=re.escape(said)):
        Method(**given)


def test_a_candidates_score_is_the_mean_by_the_papers_weights_and_that_of_agreement() -> None:
    judged: Any = {"relevance": 1.0, "support": 0.5, "usefulness": 0.0, "agreement": 1.0}
    assert Method(agreement_weight=0).score(judged) == 1.5 / 2.5
    assert Method(agreement_weight=0.5).score(judged) == 2.0 / 3.0


@pytest.mark.parametrize("name", sorted(FIXED))
def test_a_weight_that_was_a_number_is_refused_wherever_it_is_held(name: str) -> None:
    with pytest.raises(InvalidSetting, match=r"any more\. Leave it out"):
        Method(**{name: 1.0})
    with pytest.raises(InvalidSetting, match=r"any more\. Leave it out"):
        Context(**{name: 1.0})


def test_a_systems_own_numbers_are_the_papers() -> None:
    numbers = {name: system.method for name, system in SYSTEMS.items() if system.method != Method()}
    relevant = Method(keeps="relevant")
    assert numbers == {
        **dict.fromkeys(("crag", "llm_judge_crag", "self_rag", "adaptive"), relevant),
        "hybrid_self_rag": replace(relevant, dense="fallback", ranks_by="agreement"),
    }
