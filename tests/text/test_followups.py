"""Follow-ups made whole from the conversation before them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.models.embedder import OnnxEmbedder
from veridic.support.nearness import nearness
from veridic.text.followups import Turn, leans_on_earlier, made_whole

NEAR = nearness(OnnxEmbedder(threads=1))
OPENED = Turn("When was the Alder Bridge opened?", "1932")
BY_WHOM = Turn("And by whom?", "Clara Voss")


@pytest.mark.parametrize(
    ("question", "turns", "whole"),
    [
        ("And by whom?", [OPENED], "By whom was the Alder Bridge opened?"),
        ("By whom?", [OPENED], "By whom was the Alder Bridge opened?"),
        ("And when?", [Turn("Where was Tesla born?", "Smiljan")], "When was Tesla born?"),
        (
            "In which year was that?",
            [Turn("Who opened the Alder Bridge?", "Clara Voss")],
            "In which year was it that Clara Voss opened the Alder Bridge?",
        ),
        ("And where?", [OPENED, BY_WHOM], "Where was the Alder Bridge opened?"),
        ("When did she die?", [OPENED, BY_WHOM], "When did Clara Voss die?"),
        (
            "When did she open it?",
            [Turn("Who opened the Alder Bridge?", "Clara Voss")],
            "When did Clara Voss open the Alder Bridge?",
        ),
        ("Where was her mother born?", [OPENED, BY_WHOM], "Where was Clara Voss's mother born?"),
        ("How long is it?", [OPENED], "How long is the Alder Bridge?"),
        ("What about the Marsh Library?", [OPENED], "When was the Marsh Library opened?"),
        ("And by whom?", [OPENED, Turn("thanks a lot", "You are welcome!")], "By whom was the Alder Bridge opened?"),
        ("And by whom?", [], "And by whom?"),
        ("Are you sure?", [OPENED], OPENED.asked),
        ("Really?", [OPENED, BY_WHOM], "By whom was the Alder Bridge opened?"),
        ("How do you know that?", [OPENED, Turn("Are you sure?", "1932")], OPENED.asked),
        ("Can you check that again, please?", [OPENED], OPENED.asked),
        ("Are you sure?", [], "Are you sure?"),
        ("What about tea?", [Turn("hello", "Hello!")], "What about tea?"),
    ],
)
def test_a_follow_up_is_made_whole(question: str, turns: list[Turn], whole: str) -> None:
    assert leans_on_earlier(question)
    assert made_whole(question, turns, NEAR) == whole


@pytest.mark.parametrize(
    "question",
    [
        "When was the Alder Bridge opened?",
        "Who opened it in Oslo?",
        "Why did Rome fall?",
        "Is sure footing needed?",
        "Opening hours?",
    ],
)
def test_a_whole_question_does_not_lean(question: str) -> None:
    assert not leans_on_earlier(question)


METHANOL = Turn("What is the boiling point of methanol?", "65 degrees")
BATTERY = Turn("What does the spare battery cost?", "39.90")
HOLSTER = Turn("And the belt holster?", "18.25")
NOTICE = Turn("How long is the notice period during probation?", "two weeks")
TART = Turn("How many eggs does the lemon tart need?", "4")
ALLOWANCE = Turn("What is the meal allowance in Portugal?", "24 euros")
BADGE = Turn("How do I replace a lost badge?", "at the front desk")


@pytest.mark.parametrize(
    ("question", "turns", "whole"),
    [
        ("And the belt holster?", [BATTERY], "What does the belt holster cost?"),
        ("What about the charging cradle?", [BATTERY, HOLSTER], "What does the charging cradle cost?"),
        ("And for permanent staff?", [NOTICE], "How long is the notice period for permanent staff?"),
        ("And in Germany?", [ALLOWANCE], "What is the meal allowance in Germany?"),
        ("In Germany?", [ALLOWANCE], "What is the meal allowance in Germany?"),
        ("And for managers?", [ALLOWANCE], "What is the meal allowance in Portugal for managers?"),
        ("And of ethanol?", [METHANOL], "What is the boiling point of ethanol?"),
        ("And the density?", [METHANOL], "What is the density of methanol?"),
        ("And the length?", [OPENED], "What is the length of the Alder Bridge?"),
        ("What about the library?", [OPENED], "When was the library opened?"),
        ("And how much butter?", [TART], "How much butter does the lemon tart need?"),
        ("And a lemon cake?", [TART], "How many eggs does a lemon cake need?"),
        ("And the PX-300 Pro?", [Turn("How heavy is the PX-300?", "310 g")], "How heavy is the PX-300 Pro?"),
        (
            "And for a postponed one?",
            [Turn("Who pays for a cancelled tour?", "the club")],
            "Who pays for a postponed tour?",
        ),
        (
            "And the deposit?",
            [Turn("When must the tenant pay the rent?", "by the third")],
            "When must the tenant pay the deposit?",
        ),
        (
            "And the University of Bergen?",
            [Turn("When was the University of Oslo founded?", "1811")],
            "When was the University of Bergen founded?",
        ),
        ("And its density?", [METHANOL], "What is the density of methanol?"),
        ("And in May?", [Turn("How many scanners came in April?", "140")], "How many scanners came in May?"),
        ("And the bus?", [Turn("Is it a tram or a train?", "a train")], "And the bus?"),
        ("What about the weather in Lisbon?", [METHANOL], "What about the weather in Lisbon?"),
        ("What about the weather in Lisbon?", [OPENED], "What about the weather in Lisbon?"),
        ("And?", [BATTERY], "And?"),
        ("Or not?", [BATTERY], "Or not?"),
        ("And restart the service?", [BATTERY], "And restart the service?"),
        ("And what happened?", [TART], "And what happened?"),
        ("And how many visitors came?", [TART], "And how many visitors came?"),
        ("What about the weather in Lisbon tomorrow?", [NOTICE], "What about the weather in Lisbon tomorrow?"),
    ],
)
def test_what_is_only_named_takes_the_place_of_what_it_is_like(question: str, turns: list[Turn], whole: str) -> None:
    assert leans_on_earlier(question)
    assert made_whole(question, turns, NEAR) == whole


@pytest.mark.parametrize(
    ("question", "turns", "whole"),
    [
        (
            "When does it take place?",
            [Turn("Where is the next operations meeting?", "Tagus")],
            "When does the next operations meeting take place?",
        ),
        ("How long is its delivery time?", [BATTERY, HOLSTER], "How long is the belt holster's delivery time?"),
        ("Who leads it?", [Turn("When does the Porto warehouse move?", "May")], "Who leads the Porto warehouse?"),
        ("Is it taxed?", [ALLOWANCE], "Is the meal allowance taxed?"),
        ("Is it open on Sundays?", [Turn("What does the shop sell?", "tea")], "Is the shop open on Sundays?"),
        ("How often does it run?", [Turn("Which bus goes to the harbour?", "9")], "How often does the bus run?"),
        ("Where are they kept?", [Turn("How many eggs are left?", "4")], "Where are the eggs kept?"),
        ("How big is it?", [Turn("How many paintings are in the north wing?", "4")], "How big is the north wing?"),
        ("Where can I buy it?", [Turn("What is the price of a ticket?", "5 euros")], "Where can I buy a ticket?"),
        ("Can I skip it?", [Turn("How long is the trial period?", "a week")], "Can I skip the trial period?"),
        ("When was it set up?", [Turn("Who is the head of the workshop?", "Ida")], "When was the workshop set up?"),
        ("How long does it take?", [BADGE], "How long does it take to replace a lost badge?"),
        ("Who leads it?", [Turn("What is the budget for the move?", "")], "Who leads the move?"),
        ("How does it help?", [Turn("Which is better?", "tea")], "How does it help?"),
        ("Is it dear?", [Turn("Is it far?", "yes"), Turn("What is it for?", "")], "Is it dear?"),
        ("Can I use them?", [Turn("When did the Premier League begin?", "1992")], "Can I use them?"),
        ("How long does it take?", [BATTERY], "How long does it take?"),
        ("How do I do it?", [BADGE], "How do I do it?"),
        ("Where is it?", [Turn("When was Marie Curie born?", "1867")], "Where is it?"),
        ("When does it end?", [Turn("When may the tenant leave?", "")], "When does it end?"),
    ],
)
def test_it_and_they_stand_for_a_phrase_that_agrees(question: str, turns: list[Turn], whole: str) -> None:
    assert leans_on_earlier(question)
    assert made_whole(question, turns, NEAR) == whole


ALONE = (
    "what is CRAG?",
    "who owns the print platform?",
    "how do I restart the service?",
    "what happens to a parcel if it is damaged?",
    "where do visitors leave their coats?",
    "is it allowed to bring dogs?",
    "does it rain a lot in autumn?",
    "which firm insures the building?",
    "when the battery is empty, how long does it take to charge?",
)
BEFORE = (OPENED, BY_WHOM, BATTERY, HOLSTER, NOTICE, TART, ALLOWANCE, METHANOL, Turn("Which firm pays?", "Nordpost"))


@given(st.sampled_from(("", "And ", "So ", "Then ")), st.sampled_from(ALONE), st.lists(st.sampled_from(BEFORE)))
def test_what_can_stand_alone_stays_as_it_is(lead: str, question: str, turns: list[Turn]) -> None:
    asked = f"{lead}{question}"
    assert made_whole(asked, turns, NEAR) == asked


SAID = (
    "and what about how many is does it they the a of in for eggs bridge Alder Oslo one its leave tart ? , 's".split()
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(SAID), max_size=9).map(" ".join)), st.lists(st.text(), max_size=3))
def test_a_question_is_never_lost_whatever_was_said(question: str, asked: list[str]) -> None:
    whole = made_whole(question, [Turn(one, one) for one in asked], lambda _, others: [0.5] * len(others))
    assert whole == question or whole.strip()


@given(
    st.sampled_from(("Marie Curie", "Clara Voss", "the director", "the tenant")), st.sampled_from(("it", "its price"))
)
def test_a_person_is_no_it(person: str, it: str) -> None:
    question = f"Where is {it}?"
    assert made_whole(question, [Turn(f"When did {person} arrive?", "")], NEAR) == question
