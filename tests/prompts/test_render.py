import re
from pathlib import Path

import pytest

from veridic import prompts
from veridic.prompts import render

VARIABLES = {
    "answer": {"passages", "question", "read", "refused", "lessons"},
    "answer_small": {"passages", "question", "refused"},
    "claims": {"sentences"},
    "direct": {"question"},
    "draft": {"question"},
    "grade_answer": {"answers"},
    "grade_passage": {"passages", "examples"},
    "grade_sentence": {"question", "passages", "sentences"},
    "reflective": {"question", "so_far", "passage"},
    "rewrite": {"question", "tried"},
    "segment": {"passage", "question", "refused"},
    "segment_next": {"passage", "question", "so_far", "refused"},
    "standalone": {"conversation", "question"},
}


def test_every_prompt_is_known_here() -> None:
    there = Path(prompts.__file__).parent.glob("*.md")
    assert {one.stem for one in there} == VARIABLES.keys()


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_a_filled_prompt_holds_what_was_given_and_no_unfilled_variable(name: str) -> None:
    system, user = render(name, **{variable: f"<<{variable}>>" for variable in VARIABLES[name]})
    assert all(f"<<{variable}>>" in system + user for variable in VARIABLES[name])
    assert not re.search(r"\$\w|\{\w", system + user)


def test_a_missing_or_unknown_variable_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"unfilled \['question'\]"):
        render("direct")
    with pytest.raises(ValueError, match=r"unknown \['nonsense'\]"):
        render("direct", question="q", nonsense="x")


def test_a_dollar_in_a_value_stays_as_it_is() -> None:
    assert "$5 and ${question}" in render("direct", question="$5 and ${question}")[1]
