"""Things that share a part of their name."""

import pytest

from veridic.evidence.namesakes import (
    is_of_a_twin,
    is_of_another_code,
    is_of_another_name,
    is_of_another_number,
    is_of_another_year,
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does the Level 2 course cost?", "The Level 1 course costs 140 pounds."),
        ("Where is room 12?", "Room 14 is on the second floor."),
        ("How heavy is the PX-300?", "PX-100: Weight is 310 g."),
        ("What is new in version 3.1?", "Version 3.0 brought dark mode."),
        ("What happened in May 2026?", "In May 2025 the pier was closed."),
        ("Who flies the B52?", "The B2 is flown by a crew of two."),
    ],
)
def test_a_thing_with_another_number_is_another(question: str, said: str) -> None:
    assert is_of_another_number(question, said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does the Level 2 course cost?", "Level 1 costs 140 pounds, Level 2 costs 200."),
        ("What does the Level 2 course cost?", "Levels 1 and 2 cost 140 pounds each."),
        ("What does the Level 2 course cost?", "The course costs 140 pounds."),
        ("Who flies the B52?", "The B52 and the B2 are flown by crews of two."),
        ("Which is harder, Level 1 or Level 2?", "Level 1 is harder."),
        ("What do children below 5 pay?", "Children below 6 pay nothing."),
        ("Who won in 2019?", "She had won in 2015 before."),
        ("Where is room twelve?", "Room 12 is on the second floor."),
        ("Which ticket do I need on 3 May?", "On 4 May tickets are sold at the gate."),
        ("What does the course cost?", "The Level 1 course costs 140 pounds."),
    ],
)
def test_one_with_its_own_number_or_none_may_be_it(question: str, said: str) -> None:
    assert not is_of_another_number(question, said)


@pytest.mark.parametrize(
    ("question", "said", "other"),
    [
        ("How heavy is the PX-300?", "PX-300 Pro: Weight is 365 g.", True),
        ("How heavy is the PX-300 Pro?", "PX-300: Weight is 310 g.", True),
        ("How heavy is the PX-300?", "PX-300: Weight is 310 g, that of the PX-300 Pro 365 g.", False),
        ("How heavy is the PX-300?", "It weighs 310 g.", False),
        ("Who leads Larkfield?", "Larkfield Logistics is led by Dorothea Quill.", True),
        ("How heavy is the scanner?", "PX-300 Pro: Weight is 365 g.", False),
        ("When does the bar open?", "The Bar Committee meets on Mondays.", False),
    ],
)
def test_a_longer_or_shorter_name_is_another(question: str, said: str, other: bool) -> None:
    assert is_of_another_name(question, said) is other


@pytest.mark.parametrize(
    ("question", "sentence", "other"),
    [
        ("How long does the battery of the K4 last?", "The K4S runs for nine hours.", True),
        ("how long does the battery of the k4 last", "The K4S runs for nine hours.", True),
        ("How many people were in ORBIT-2?", "ORBIT-1 had 60 participants.", True),
        ("How many people were in ORBIT-2?", "ORBIT-1 had 60 participants, ORBIT 2 had 90.", True),
        ("How many people were in ORBIT-2?", "ORBIT-1 had 60 participants, ORBIT2 had 90.", False),
        ("How long does the battery of the K4 last?", "Unlike the K4, the K4S runs for nine hours.", False),
        ("How long does the battery of the K4 last?", "It runs for nine hours on one MP3 player's cell.", False),
        ("Which lasts longer, the K4 or the K4S?", "The K4S runs for nine hours.", False),
        ("How long does the battery last?", "The K4S runs for nine hours.", False),
        ("Which systems ran on x86 based machines?", "These ran on x86-based machines and on the x64.", False),
        ("What do under-16s pay?", "The charge is 5 pounds for over-18s.", False),
        ("Is there a bus at 5pm on the 3rd?", "A bus leaves at 6pm on the 4th.", False),
    ],
)
def test_a_thing_with_another_code_is_another(question: str, sentence: str, other: bool) -> None:
    assert is_of_another_code(question, sentence) is other


CARDS = "Lead climbing is allowed only with the red belay card. Top-rope climbing needs the yellow card."


@pytest.mark.parametrize(
    ("question", "sentence", "around", "twin"),
    [
        ("What do I need for lead climbing?", "Top-rope climbing needs the yellow card.", CARDS, True),
        ("What do I need for lead climbing?", "Lead climbing is allowed only with the red card.", CARDS, False),
        ("What do I need for ice climbing?", "Top-rope climbing needs the yellow card.", CARDS, False),
        ("Do lead and top-rope climbing differ?", "Top-rope climbing needs the yellow card.", CARDS, False),
        ("How deep is the big pool?", "The small pools are 31.", "The big pool is deep. The small pools are 31.", True),
        ("Is it open for two days?", "It is open three days.", "Book two days. It is open three days.", False),
    ],
)
def test_a_thing_of_the_kind_is_another_where_the_text_names_the_one_that_was_asked(
    question: str, sentence: str, around: str, twin: bool
) -> None:
    assert is_of_a_twin(question, sentence, around) is twin


@pytest.mark.parametrize(
    ("question", "said", "other"),
    [
        ("How many were present in 2025?", "minutes-2024\nPresent: 47 members.", True),
        ("How many were present in 2025?", "minutes-2025\nPresent: 52 members.", False),
        ("How many were present in 2025?", "In 2024 it was 47, in 2025 52.", False),
        ("How many were present?", "minutes-2024", False),
        ("How many were present in 2025?", "Present: 2,024 members.", False),
    ],
)
def test_a_text_of_another_year_is_another(question: str, said: str, other: bool) -> None:
    assert is_of_another_year(question, said) is other
