from __future__ import annotations

import pytest

from veridic.evidence.alterations import alteration, is_denied

TOWER = "The tower was built in 1890."


@pytest.mark.parametrize(
    "source",
    [
        "The council asked whether the tower was built in 1890.",
        "Our aim was to find out if the tower was built in 1890.",
        "If the tower was built in 1890, the deed is forged.",
        "The tower was built in 1890 if the deed is no forgery.",
        "Some claimed that the tower was built in 1890.",
        "The theory that the tower was built in 1890 was given up.",
        "There is no evidence that the tower was built in 1890.",
        "The council denied that it was built in 1890.",
        "The tower, critics claimed, was built in 1890.",
        "Some believe the tower was built in 1890.",
    ],
)
def test_what_is_asked_supposed_denied_or_claimed_supports_nothing(source: str) -> None:
    sentence = "The council was built in 1890." if "denied" in source else TOWER
    assert alteration(sentence, source) == "certainty"
    assert not is_denied(sentence, source)


@pytest.mark.parametrize(
    "source",
    [
        "It turned out that the tower was built in 1890.",
        "Few people know that the tower was built in 1890.",
        "Nobody noticed that the tower was built in 1890.",
        "There is no doubt that the tower was built in 1890.",
        "It is not only true that the tower was built in 1890, it also leans.",
        "The tower was built in 1890; ask the guard if it is closed.",
        "The tower, whether or not it is the oldest, was built in 1890.",
        "Whether a deed or a legend tells it, the tower was built in 1890.",
        "The tower was built, if not in a day, in 1890.",
        "Some claimed that the tower was built in 1890. The tower was built in 1890, as its deed shows.",
    ],
)
def test_what_is_known_found_or_said_besides_is_vouched_for(source: str) -> None:
    assert alteration(TOWER, source) is None


def test_a_claim_within_the_clause_vouches_for_nothing() -> None:
    clause = "the mayor said that the tower was built in 1890."
    assert alteration(clause.capitalize(), f"It is not clear whether {clause}") == "certainty"


def test_who_passes_a_claim_on_as_a_claim_changes_nothing() -> None:
    source = "Critics claimed that the tower was built in 1890."
    assert alteration("Critics said the tower was built in 1890.", source) is None
    assert alteration("The tower was built in 1890, it is believed.", source) is None


@pytest.mark.parametrize("tried", ["failed to reach", "tried to reach", "hoped to reach"])
def test_what_was_only_tried_was_not_done(tried: str) -> None:
    source = f"The whole team {tried} the summit in May."
    assert alteration("The whole team reached the summit in May.", source) == "certainty"
    assert alteration(f"The team {tried} the summit in May.", source) is None
