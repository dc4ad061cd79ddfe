"""Statements able to stand alone, and what they are looked up by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.claims import query_for, standing_alone

BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."


@pytest.mark.parametrize(
    ("sentence", "before", "heading", "expected"),
    [
        ("It is 412 metres long.", BRIDGE, "", "The Alder Bridge is 412 metres long."),
        ("Its toll was abolished.", BRIDGE, "", "The Alder Bridge's toll was abolished."),
        ("She was mayor.", "Clara Voss opened the Alder Bridge.", "", "Clara Voss was mayor."),
        ("She discovered radium.", "", "Marie Curie", "Marie Curie discovered radium."),
        ("She was mayor.", BRIDGE, "", "She was mayor."),
        ("He was tall.", "Clara Voss met Emil Stark.", "", "He was tall."),
        ("It was old.", "Clara Voss opened the Alder Bridge.", "", "It was old."),
        ("It was opened in 1932.", "", "History of the town", "It was opened in 1932."),
        ("It is known that radium glows.", BRIDGE, "Alder Bridge", "It is known that radium glows."),
        ("This was a surprise.", BRIDGE, "Alder Bridge", "This was a surprise."),
        ("The tower is tall.", BRIDGE, "Alder Bridge", "The tower is tall."),
    ],
)
def test_a_pronoun_in_front_is_replaced_where_only_one_name_fits(
    sentence: str, before: str, heading: str, expected: str
) -> None:
    assert standing_alone(sentence, before, heading) == expected


@pytest.mark.parametrize(
    ("claim", "query"),
    [
        (BRIDGE, "alder bridge clara voss opened mayor"),
        ("The toll was abolished in 1967 after a strike.", "toll abolished 1967 strike"),
        (
            "Marie Curie discovered radium and polonium in Paris in 1898.",
            "marie curie paris discovered radium polonium",
        ),
    ],
)
def test_a_claim_is_looked_up_by_names_and_few_words(claim: str, query: str) -> None:
    assert query_for(claim) == query


@given(st.text(max_size=200), st.text(max_size=80), st.text(max_size=40))
def test_any_text_can_be_taken(sentence: str, before: str, heading: str) -> None:
    assert standing_alone(sentence, before, heading).endswith(sentence[-1:])
    query_for(sentence)
