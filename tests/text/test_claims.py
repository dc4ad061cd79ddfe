"""Sentences into claims: cut where it is safe, left alone where it is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.claims import atomic, query_for, standing_alone
from veridic.text.facts import words

BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
COPULAS = {"is", "are", "was", "were"}


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "The bridge was opened in 1932, and the library was restored in 2004.",
            ["The bridge was opened in 1932.", "The library was restored in 2004."],
        ),
        (
            "The Alder Bridge was opened in 1932 and was painted green in 1940.",
            ["The Alder Bridge was opened in 1932.", "The Alder Bridge was painted green in 1940."],
        ),
        (
            "The Alder Bridge was opened in 1932; it is 412 metres long; it has four lanes.",
            [
                "The Alder Bridge was opened in 1932.",
                "The Alder Bridge is 412 metres long.",
                "The Alder Bridge has four lanes.",
            ],
        ),
        (
            "Emil Stark designed the tower but the mayor opened it.",
            ["Emil Stark designed the tower.", "The mayor opened it."],
        ),
    ],
)
def test_what_is_plainly_two_statements_is_cut(sentence: str, claims: list[str]) -> None:
    assert atomic(sentence) == claims


@pytest.mark.parametrize(
    "sentence",
    [
        BRIDGE,
        "He said that the bridge was red and the tower was blue.",
        "If the bridge was closed, the ferry was full and the town was cut off.",
        "Neither the bridge was opened nor the tower was built.",
        "No bridge was opened and was painted.",
        "The road between the bridge and the library was restored.",
        "Anna, Bert and Carl were friends.",
        "Her father and the mayor were friends.",
        "In Paris, the capital of France, is a museum.",
        "However, the mayor of Alder, a lawyer, was elected.",
        "The bridge, which was red, and the tower were sold.",
        "The bridge opened in 1932 and closed in 1967.",
        "She visited the Marsh Library in Oslo, which was restored in 2004.",
        "“The bridge was opened and the tower was closed,” wrote the paper.",
        "The bridge was built by workers who were poor and was opened in 1932.",
    ],
)
def test_what_is_not_plainly_two_statements_stays_whole(sentence: str) -> None:
    assert atomic(sentence) == [sentence]


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


PIECES = st.sampled_from(
    "The Alder Bridge|Clara Voss|Paris|it|she|the mayor|, the capital,|, who was tall,|;|, and|and|but|was|is|opened|"
    "has|four lanes|in 1932|of France|not|that|red|.".split("|")
)


@given(st.lists(PIECES, min_size=1, max_size=14).map(" ".join))
def test_claims_by_rule_say_only_what_the_sentence_says(sentence: str) -> None:
    claims = atomic(sentence)
    assert claims
    told = {word for claim in claims for word in words(claim)}
    assert told <= set(words(sentence)) | COPULAS
    assert ("not" in words(sentence)) == ("not" in told)
    assert all(set(words(query_for(claim))) <= set(words(claim)) for claim in claims)


@given(st.text(max_size=200), st.text(max_size=80), st.text(max_size=40))
def test_any_text_can_be_taken(sentence: str, before: str, heading: str) -> None:
    assert standing_alone(sentence, before, heading).endswith(sentence[-1:])
    assert atomic(sentence)
    query_for(sentence)
