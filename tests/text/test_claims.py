"""What claims are looked up by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.questions import query_for

BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."


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


def test_a_claim_without_a_name_is_looked_up_by_those_of_what_it_is_about() -> None:
    assert query_for("It is 412 metres long.", BRIDGE) == "alder bridge clara voss metres long"


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_text_can_be_taken(claim: str, about: str) -> None:
    query_for(claim, about)
