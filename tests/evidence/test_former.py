"""What was before is no answer to what is."""

import pytest

from veridic.evidence.former import is_former

TAX = "The Act reduced the main corporate tax rate from 28% in 2008-2010 to a flat rate of 20% as of April 2015."
SHARE = "De Beers' market share of rough diamonds fell from as high as 90% in the 1980s to 33% in 2013."


def former(question: str, sentence: str, said: str) -> bool:
    start = sentence.index(said)
    return is_former(question, sentence, start, start + len(said))


@pytest.mark.parametrize(
    ("question", "sentence", "before", "now"),
    [
        ("what is the corporate tax rate in great britain", TAX, "28%", "20%"),
        ("how much of the world's diamonds does de beers own", SHARE, "90%", "33%"),
        ("How much is shoe hire?", "The price of shoe hire was raised from £4.00 to £4.50.", "£4.00", "£4.50"),
        ("When does it meet?", "The meeting was moved from 3 May to 10 May.", "3 May", "10 May"),
    ],
)
def test_a_question_about_what_is_asks_for_the_later_number(
    question: str, sentence: str, before: str, now: str
) -> None:
    assert former(question, sentence, before)
    assert not former(question, sentence, now)


@pytest.mark.parametrize(
    ("question", "sentence", "said"),
    [
        ("What was the tax rate in 2009?", TAX, "28%"),
        ("How much did De Beers own before?", SHARE, "90%"),
        ("When is it open?", "The hall is open from 9:00 to 18:00.", "9:00"),
        ("When is rain likely?", "It has increased over land from 1900 to 2005.", "1900"),
        ("When does the new fee hold?", "The fee was raised from 1 April 2025 to £4.50.", "1 April 2025"),
        ("What is raised?", "The fee was raised from £4 to £5.", "The fee"),
    ],
)
def test_what_may_be_asked_for_is_not_former(question: str, sentence: str, said: str) -> None:
    assert not former(question, sentence, said)
