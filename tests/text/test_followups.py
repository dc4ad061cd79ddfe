"""Follow-ups made whole from the conversation before them."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.models.embedder import OnnxEmbedder
from veridic.ports.embedding import cosines
from veridic.text.followups import Turn, leans_on_earlier, made_whole

NEAR = partial(cosines, OnnxEmbedder(threads=1))
OPENED = Turn("When was the Alder Bridge opened?", "1932")
BY_WHOM = Turn("And by whom?", "Clara Voss")
COACH = Turn("Who is the youth coach?", "Ines Cabral: Role is Youth coach.")
ARCHITECT = Turn("Who was the architect of the hall?", "Yusuf Demir")


@pytest.mark.parametrize(
    ("question", "turns", "whole"),
    [
        ("And by whom?", [OPENED], "By whom was the Alder Bridge opened?"),
        ("By whom?", [OPENED], "By whom was the Alder Bridge opened?"),
        ("And when?", [Turn("Where was Tesla born?", "Smiljan")], "When was Tesla born?"),
        ("And where?", [OPENED, BY_WHOM], "Where was the Alder Bridge opened?"),
        ("When did she die?", [OPENED, BY_WHOM], "When did Clara Voss die?"),
        (
            "When did she open it?",
            [Turn("Who opened the Alder Bridge?", "Clara Voss")],
            "When did Clara Voss open the Alder Bridge?",
        ),
        ("And Emil Stark?", [Turn("Who is Clara Voss?", "the mayor")], "Who is Emil Stark?"),
        ("Who is his mentor?", [Turn("When did Emil Stark start?", "3 November 2025")], "Who is Emil Stark's mentor?"),
        ("Where was her mother born?", [OPENED, BY_WHOM], "Where was Clara Voss's mother born?"),
        ("How long is it?", [OPENED], "How long is the Alder Bridge?"),
        ("What about the Marsh Library?", [OPENED], "When was the Marsh Library opened?"),
        ("And by whom?", [], "And by whom?"),
        ("And the safety officer?", [COACH], "Who is the safety officer?"),
        ("And the founder of the gym?", [ARCHITECT], "Who was the founder of the gym?"),
        ("And the head of support?", [Turn("Who is the head of sales?", "Ole Brandt")], "Who is the head of support?"),
        ("What is her phone number?", [COACH], "What is Ines Cabral's phone number?"),
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
        "Who is our student this summer?",
        "Is that week's meeting open to everyone?",
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


@pytest.mark.parametrize(
    ("question", "turns", "whole"),
    [
        ("And the belt holster?", [BATTERY], "What does the belt holster cost?"),
        ("And for permanent staff?", [NOTICE], "How long is the notice period for permanent staff?"),
        ("And in Germany?", [ALLOWANCE], "What is the meal allowance in Germany?"),
        ("In Germany?", [ALLOWANCE], "What is the meal allowance in Germany?"),
        ("And for managers?", [ALLOWANCE], "What is the meal allowance in Portugal for managers?"),
        ("And of ethanol?", [METHANOL], "What is the boiling point of ethanol?"),
        ("And a lemon cake?", [TART], "How many eggs does a lemon cake need?"),
        ("And the PX-300 Pro?", [Turn("How heavy is the PX-300?", "310 g")], "How heavy is the PX-300 Pro?"),
        (
            "And for a postponed one?",
            [Turn("Who pays for a cancelled tour?", "the club")],
            "Who pays for a postponed tour?",
        ),
        (
            "And the University of Bergen?",
            [Turn("When was the University of Oslo founded?", "1811")],
            "When was the University of Bergen founded?",
        ),
        ("And in May?", [Turn("How many scanners came in April?", "140")], "How many scanners came in May?"),
        ("What about the weather in Lisbon?", [METHANOL], "What about the weather in Lisbon?"),
        ("What about the weather in Lisbon?", [OPENED], "What about the weather in Lisbon?"),
        ("And?", [BATTERY], "And?"),
        ("Or not?", [BATTERY], "Or not?"),
        ("And what happened?", [TART], "And what happened?"),
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
        ("Is it taxed?", [ALLOWANCE], "Is the meal allowance in Portugal taxed?"),
        ("Is it open on Sundays?", [Turn("What does the shop sell?", "tea")], "Is the shop open on Sundays?"),
        ("How often does it run?", [Turn("Which bus goes to the harbour?", "9")], "How often does the bus run?"),
        ("Where are they kept?", [Turn("How many eggs are left?", "4")], "Where are the eggs kept?"),
        ("How big is it?", [Turn("How many paintings are in the north wing?", "4")], "How big is the north wing?"),
        ("Where can I buy it?", [Turn("What is the price of a ticket?", "5 euros")], "Where can I buy a ticket?"),
        ("Can I skip it?", [Turn("How long is the trial period?", "a week")], "Can I skip the trial period?"),
        ("When was it set up?", [Turn("Who is the head of the workshop?", "Ida")], "When was the workshop set up?"),
        ("Is it dear?", [Turn("Is it far?", "yes"), Turn("What is it for?", "")], "Is it dear?"),
    ],
)
def test_it_and_they_stand_for_a_phrase_that_agrees(question: str, turns: list[Turn], whole: str) -> None:
    assert leans_on_earlier(question)
    assert made_whole(question, turns, NEAR) == whole


BAR = Turn("When is the bar open?", "18:00")
FRIDAYS = Turn("When is the bar open on Fridays?", "until 2:00")
SINCE = Turn("What was the turnover in 2023?", "4 million")
CONCERT = Turn("Does the concert take place?", "yes")


@pytest.mark.parametrize(
    ("question", "turns", "whole"),
    [
        ("What about Sundays?", [BAR], "When is the bar open on Sundays?"),
        ("And the weekend?", [BAR], "When is the bar open at the weekend?"),
        ("And summer?", [BAR], "When is the bar open in summer?"),
        ("And next week?", [BAR], "When is the bar open next week?"),
        ("What about Sundays?", [FRIDAYS], "When is the bar open on Sundays?"),
        ("What about July?", [FRIDAYS], "When is the bar open in July?"),
        ("And in the garden?", [FRIDAYS], "When is the bar open on Fridays in the garden?"),
        ("And in summer?", [ALLOWANCE], "What is the meal allowance in Portugal in summer?"),
        ("And 2024?", [SINCE], "What was the turnover in 2024?"),
        ("And last year?", [SINCE], "What was the turnover last year?"),
        ("And Christmas?", [Turn("When is Easter?", "in April")], "When is Christmas?"),
        ("And twelve months?", [Turn("What is given at six months?", "")], "What is given at twelve months?"),
        ("What about Germany?", [ALLOWANCE], "What is the meal allowance in Germany?"),
        ("And Oslo?", [Turn("How big is the capital?", "")], "How big is Oslo?"),
        ("And humans?", [Turn("How long do badgers live?", "14 years")], "How long do humans live?"),
        ("And with the lights on?", [CONCERT], "Does the concert take place with the lights on?"),
        ("And if so, who pays?", [CONCERT], "And if so, who pays?"),
    ],
)
def test_a_time_or_a_place_is_added_or_takes_the_place_of_its_kind(
    question: str, turns: list[Turn], whole: str
) -> None:
    assert leans_on_earlier(question)
    assert made_whole(question, turns, NEAR) == whole


@pytest.mark.parametrize(
    ("question", "before"),
    [
        ("What about the weather?", BAR),
        ("What about the weather?", Turn("When is the Harbour Bar open on Mondays?", "")),
        ("And the parking fees?", Turn("Which vaccine is given at six months?", "")),
        ("And the canteen menu?", Turn("How long does the battery last?", "")),
        ("What about lunch?", Turn("Does the router support IPv6?", "yes")),
    ],
)
def test_what_has_nothing_to_do_with_the_question_before_stays_as_it_is(question: str, before: Turn) -> None:
    assert made_whole(question, [before], NEAR) == question


@pytest.mark.parametrize(
    "question", ["Tell me more about the toll", "What is the source of the Nile?", "Where does it hurt most in Oslo?"]
)
def test_what_names_its_matter_is_no_look_back(question: str) -> None:
    assert not leans_on_earlier(question)


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("How can I reach her?", "How can I reach Clara Voss?"),
        ("Who met her in May?", "Who met Clara Voss in May?"),
        ("Where is her office?", "Where is Clara Voss's office?"),
    ],
)
def test_her_is_somebody_or_whose_something_is(question: str, whole: str) -> None:
    assert made_whole(question, [OPENED, BY_WHOM], NEAR) == whole


def test_the_it_department_is_no_it() -> None:
    department = Turn("Who leads the IT department?", "")
    assert not leans_on_earlier(department.asked)
    assert made_whole("How big is it?", [department], NEAR) == "How big is the IT department?"
    assert made_whole("WHERE IS IT?", [OPENED], NEAR) == "WHERE IS the Alder Bridge?"


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
