"""What of a text is a statement, and where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.assertions import asserted_in, placed
from veridic.text.sentences import Span


def reasons(text: str) -> list[tuple[str, str | None]]:
    return [(one.told, one.reason) for one in asserted_in(text)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Who runs it today?", "question"),
        ("# The bridge\n", "heading"),
        ("Das Museum ist am Montag geschlossen und kostet zehn Euro.", "foreign"),
        ("```\nprint(1)\n```", "code"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "table"),
        ("***", "no words"),
        ("The bridge is long and " * 100 + "old.", "too long"),
    ],
)
def test_what_states_nothing_or_cannot_be_read_says_why(text: str, reason: str) -> None:
    assert [found for _, found in reasons(text)] == [reason]


@pytest.mark.parametrize(
    "text",
    [
        "The bridge is 412 metres long.",
        "The bridge is 412 metres long",
        "- The bridge opened in 1932",
        "Clara Voss opened the bridge.",
        "Yes, you should compute capital gains when selling inherited land[1].",
    ],
)
def test_a_statement_is_one_with_or_without_a_full_stop(text: str) -> None:
    assert [found for _, found in reasons(text)] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "# The bridge\nIt is long.",
        "The bridge\n----------\nIt is long.",
        "OPENING HOURS\nIt is long.",
        "**The bridge**\n\nIt is long.",
        "The bridge\n\nIt is long.",
    ],
)
def test_headings_are_apart_from_what_stands_under_them(text: str) -> None:
    assert [found for _, found in reasons(text)] == ["heading", None]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It prints each step and then the answer with its file:\n\n- The first is blue.", ["heading", None]),
        ("It prints each step:\n\n```\nask\n```", ["heading", "code"]),
        ("The bridge was opened by two people: Clara Voss and Emil Stark.", [None]),
        ("How the bridge was built\n\nIt took two years.", ["heading", None]),
        ("Apache-2.0.", ["heading"]),
    ],
)
def test_what_leads_to_a_list_is_worded_as_a_question_or_is_one_word_states_nothing(
    text: str, found: list[str | None]
) -> None:
    assert [reason for _, reason in reasons(text)] == found


def test_marks_of_markdown_and_citations_are_not_judged() -> None:
    [(told, _)] = reasons("- The **Alder Bridge** is [412 metres](https://example.org) `long` [3].")
    assert told == "The Alder Bridge is 412 metres long."


def test_a_sentence_is_looked_up_with_the_one_before_too() -> None:
    [_, second] = asserted_in("The telescope has two instruments. Only one of them is used.")
    assert second.queries == [
        "Only one of them is used.",
        "The telescope has two instruments. Only one of them is used.",
    ]


def test_claims_stand_where_the_text_says_them() -> None:
    text = "So: the lenses of the Brekke refractor were hidden in the crypt and were not damaged."
    place = Span(text[4:], 4, len(text))
    said = [
        "The lenses of the Brekke refractor were hidden in the crypt.",
        "The lenses of the Brekke refractor were not damaged.",
    ]
    claims = placed(said, place)
    assert [text[one.start : one.end] for one in claims] == [
        "the lenses of the Brekke refractor were hidden in the crypt",
        "were not damaged",
    ]


@given(st.text(st.characters() | st.sampled_from("#*|`~\n\r.?! -_=AZaz19"), max_size=400))
def test_every_sentence_stands_in_the_text_and_none_is_lost(text: str) -> None:
    found = asserted_in(text)
    at = 0
    for one in found:
        assert text[one.place.start : one.place.end] == one.place.text
        assert not text[at : one.place.start].strip()
        at = one.place.end
        for claim in placed([one.told, one.told[:9]], one.place):
            assert one.place.start <= claim.start <= claim.end <= one.place.end
    assert not text[at:].strip()
