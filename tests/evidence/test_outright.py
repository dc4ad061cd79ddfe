"""Questions and answers that stand in a text."""

import pytest

from veridic.evidence.outright import opens_outright, outright, said_outright

FAQ = (
    "Can I pay in instalments?\n\nYes, for bills above £300. We ask for a third on the day.\n\n"
    "Is a retry billed?\n\nNo. A customer pays for events."
)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Yes, for bills above £300.", "Yes"),
        ("No. A customer pays.", "No"),
        ("No", "No"),
        ("No dogs are allowed.", None),
        ("Yesterday it rained.", None),
        ("", None),
    ],
)
def test_what_a_sentence_begins_with(sentence: str, said: str | None) -> None:
    assert outright(sentence) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Can I pay in instalments?", "Yes"),
        ("can i pay by instalments for bills above £300", "Yes"),
        ("Is a retry billed?", "No"),
        ("Can I pay for food in instalments?", None),
        ("Is a retry not billed?", None),
        ("Is a replay billed?", None),
    ],
)
def test_what_is_asked_in_about_the_same_words_is_answered_outright(question: str, said: str | None) -> None:
    found = said_outright(question, "Visiting us > Payment", FAQ)
    assert (found and found[0]) == said


def test_the_heading_may_ask() -> None:
    found = said_outright("Do events arrive in order?", "FAQ > Do events arrive in order?", "No. They may overtake.")
    assert found is not None
    assert (found[0], found[1].text) == ("No", "No.")
    assert said_outright("Do events arrive in order?", "FAQ > Order of events", "No. They may overtake.") is None


def test_an_answer_may_begin_with_its_decision_under_any_words() -> None:
    assert opens_outright("FAQ > Do you offer instalments?", "Yes, above £300. Not for food.") == "Yes"
    assert opens_outright("FAQ > Instalments", "Yes, above £300.") is None
    assert opens_outright("FAQ > Do you offer instalments?", "") is None
