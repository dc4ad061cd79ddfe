"""A line right above its text heads it, where it was not broken because it was full; so does a question its answer."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.headings import heads, poses
from veridic.text.sentences import sentences

MEETING = "The next operations meeting takes place on 9 June 2026."


@pytest.mark.parametrize("line", ["Next meeting", "4. Next meeting", "2.1 Next meeting", "Next meeting (June)"])
def test_a_short_line_above_a_sentence_heads_it(line: str) -> None:
    assert heads(line, MEETING)


@pytest.mark.parametrize(
    ("line", "below"),
    [
        ("Next meeting:", MEETING),
        ("Dear Tom,", MEETING),
        ("- Next meeting", MEETING),
        ("12", MEETING),
        ("the next meeting", MEETING),
        ("We all meet again in", "Porto, where the new building stands beside the river."),
        ("Next meeting", "on 9 June 2026 in room Tagus, which is on the second floor."),
        ("Next meeting", "Room Tagus, on the second floor, beside the stairs"),
        ("Next meeting", "Room Tagus\n\nIt is on the second floor, beside the stairs."),
        ("Larkfield Logistics", "12 Harbour Road\nPorto\nPortugal"),
        ("The bridge was opened by the wise old", "Mayor of the town of Halden in 1932\nwith Mrs Holt."),
        ("One two three four five six seven eight Nine", MEETING),
        ("", MEETING),
        ("Next meeting", ""),
    ],
)
def test_every_other_line_belongs_to_what_follows(line: str, below: str) -> None:
    assert not heads(line, below)


DOGS = "May I bring my dog?"


@pytest.mark.parametrize(
    ("line", "below"),
    [
        (DOGS, "Yes, on a lead."),
        (DOGS, "- on a lead\n- but not in the hall"),
        (f"3. {DOGS}", "£5 a day is the fee."),
        (DOGS, ""),
        ("How do I get to St. Mary's?", ""),
    ],
)
def test_a_question_poses_what_stands_below_it(line: str, below: str) -> None:
    assert poses(line, below) is not line.startswith("How")


@pytest.mark.parametrize(
    ("line", "below"),
    [
        ("Any questions?", "The chair closed the meeting."),
        (DOGS, "Where do I park?"),
        (DOGS, "and if so, where may it sleep?"),
        (f"- {DOGS}", "Yes."),
        (f"“{DOGS}”", "She said no."),
        (f"It rained all day. {DOGS}", "Yes."),
        ("Who built the bridge that stands by the harbour?", "Clara\nVoss did, with all of her own men and\nhorses."),
        ("May I bring my dog", "Yes."),
        (f"{'Why ' * 60}is it?", "Because."),
    ],
)
def test_every_other_question_is_a_sentence(line: str, below: str) -> None:
    assert not poses(line, below)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Next meeting\n{MEETING}", ["Next meeting", MEETING]),
        (f"4. Next meeting\n{MEETING}", ["4. Next meeting", MEETING]),
        (f"It ended at noon.\nNext meeting\n{MEETING}", ["It ended at noon.", "Next meeting", MEETING]),
        (f"It ended. Next meeting\n{MEETING}", ["It ended.", f"Next meeting\n{MEETING}"]),
        (f"It ended with a\nlong talk\n{MEETING}", [f"It ended with a\nlong talk\n{MEETING}"]),
    ],
)
def test_a_sentence_does_not_begin_with_its_heading(text: str, expected: list[str]) -> None:
    assert [one.text for one in sentences(text)] == expected


PROSE = (
    "The council of Halden and the Port of Oslo agreed in May that Anna Holt and Peter Lund should build the bridge "
    "that Clara Voss had drawn for the Harbour Board in 1932 and that Marek Oduya would pay for."
)


@given(st.integers(8, 100), st.integers(0, 40))
def test_prose_of_any_width_stays_one_sentence(width: int, first: int) -> None:
    wrapped = textwrap.fill(PROSE[first:], width, break_long_words=False)
    assert [one.text for one in sentences(wrapped)] == [wrapped.strip()]
