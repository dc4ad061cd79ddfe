"""The noun phrases of a question."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veridic.text.phrases import phrases


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where is the next operations meeting?", ["the next operations meeting"]),
        ("What does the spare battery cost?", ["the spare battery"]),
        ("When are the guided tours offered?", ["the guided tours"]),
        ("When must the tenant pay the rent?", ["the tenant", "the rent"]),
        ("Can visitors take photographs in the gallery?", ["visitors", "photographs", "in the gallery"]),
        ("How long does the warranty on parts last?", ["the warranty", "on parts"]),
        ("When did Marie Curie marry Pierre Curie?", ["Marie Curie", "Pierre Curie"]),
        ("How many eggs does the lemon tart need?", ["? How many eggs", "the lemon tart"]),
        ("Which bus goes to the airport?", ["? Which bus", "to the airport"]),
        ("Who wrote the user manual?", ["the user manual"]),
        ("Who must approve study leave?", ["study leave"]),
        ("How do I enable the dark theme?", ["the dark theme"]),
        ("Is the museum open on Mondays?", ["the museum", "on Mondays"]),
        ("Is the Brekke refractor still used?", ["the Brekke refractor"]),
        ("When was the University of Oslo founded?", ["the University of Oslo"]),
        ("How much is a weekly ticket?", ["a weekly ticket"]),
        ("In what year did the Larsen family buy the farm?", ["? what year", "the Larsen family", "the farm"]),
        ("How high is it?", []),
    ],
)
def test_phrases_end_before_verbs_and_prepositions(question: str, found: list[str]) -> None:
    told = [f"{'? ' if one.asked else ''}{question[one.opens : one.end]}" for one in phrases(question)]
    assert told == found


@given(
    st.one_of(
        st.text(), st.lists(st.sampled_from("what is does the a tram to of and Oslo last , ?".split())).map(" ".join)
    )
)
@example("")
def test_phrases_stand_in_the_question_in_order_and_apart(question: str) -> None:
    at = 0
    for one in phrases(question):
        assert at <= one.opens <= one.start < one.end
        assert question[one.start : one.end] == one.text
        at = one.end
