"""What memory is worth is counted as the paper prints it, and never by a judge of ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lab.evaluation.rows import question
from veridic_lab.evaluation.remembering import (
    ENOUGH,
    Pollution,
    citation_f1,
    human_sources,
    is_covered,
    is_false,
    is_part,
)


def test_the_two_distances_draw_their_line_at_different_cosines() -> None:
    assert is_covered(0.81, "squared L2")
    assert not is_covered(0.79, "squared L2")
    assert is_covered(0.61, "cosine")
    assert not is_covered(0.59, "cosine")
    assert not is_covered(None, "cosine")


@given(st.floats(-1, 1))
def test_what_is_near_by_squared_length_is_near_by_cosine(cosine: float) -> None:
    assert is_covered(cosine, "cosine") or not is_covered(cosine, "squared L2")


def test_citations_are_counted_once_and_a_record_is_a_document_of_its_own() -> None:
    assert citation_f1(["a", "a"], ["a"]) == 1.0
    assert citation_f1(["a", "veridic:gen-1"], ["a"]) == pytest.approx(2 / 3)
    assert citation_f1(["veridic:gen-1"], ["a"]) == 0.0
    assert citation_f1([], ["a"]) == 0.0


def test_a_record_is_followed_to_what_people_wrote_through_others_and_round_circles() -> None:
    rests_on = {"one": ["two", "a"], "two": ["b", "one"]}
    assert human_sources(["one", "c"], rests_on) == ["b", "a", "c"]


def test_a_record_that_says_otherwise_than_gold_is_false() -> None:
    asked = question(answers=["Clara Voss"])
    assert not is_false("Clara Voss", "It was opened by Clara Voss.", asked)
    assert is_false("Anton Brekke", "It was opened by Anton Brekke, not by Clara Voss.", asked)


def test_gold_cannot_tell_of_what_decides_nothing_and_of_long_answers() -> None:
    asked = question(answers=["yes"], kind="yes/no")
    assert is_false("No", "No. The bridge is shut.", asked)
    assert is_false("", "The bridge is long.", asked) is None
    assert is_false("", "No. The bridge is shut.", asked)
    assert is_false("", "It depends.", question(answers=["A long story."], kind="long")) is None


def test_a_part_of_the_answer_is_false_and_told_apart() -> None:
    asked = question(answers=["nomads from Inner Asia"])
    assert is_false("nomads", "It was built against nomads.", asked)
    assert is_part("nomads", asked)
    assert not is_part("Romans", asked)
    assert not is_part("", asked)
    assert str(Pollution(2, 10, parts=1)).startswith("2 of 10, 1 a part")


def test_a_share_of_few_records_is_no_claim() -> None:
    assert Pollution(0, ENOUGH - 1).most is None
    assert "not shown" in str(Pollution(0, ENOUGH - 1))
    assert Pollution(0, ENOUGH).most == pytest.approx(1 - 0.05 ** (1 / ENOUGH), abs=1e-6)
    assert Pollution(0, 0).share is None
