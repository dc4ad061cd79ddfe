"""What a question asks for, by its form."""

import pytest

from veridic.evidence.analysis import hops_of, time_asked
from veridic.text.dates import years_in
from veridic.text.kinds import QuestionKind, question_kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was the Alder Bridge opened?", "factoid"),
        ("which river flows through riga", "factoid"),
        ("How many books does the library hold?", "factoid"),
        ("Does the toll still apply?", "yes/no"),
        ("Amblyopia: is visual loss permanent?", "yes/no"),
        ("Which is longer, the Alder Bridge or the Forth Bridge?", "comparison"),
        ("What is the difference between a weir and a lock?", "comparison"),
        ("How do the two engines differ?", "comparison"),
        ("How do I reset the logger?", "procedure"),
        ("How to apply for leave", "procedure"),
        ("What do I have to do when the alarm goes off?", "procedure"),
        ("List the members of the committee.", "list"),
        ("What are the rivers of Poland?", "list"),
        ("Summarise the visitor guide.", "summary"),
        ("Why was the toll abolished?", "explanation"),
        ("How does a lock work?", "explanation"),
    ],
)
def test_the_kind_follows_from_the_form(question: str, kind: QuestionKind) -> None:
    assert question_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Who was mayor in 1932?", ["1932"]),
        ("What changed between 1967 and 2004, and again in 1967?", ["1967", "2004"]),
        ("Which bridges were built in the 1930s?", ["1930"]),
        ("Is 1,500 metres the length?", []),
        ("Does it cost £1932 or 1967.50?", []),
        ("What is part 1932-114?", []),
        ("Who lived in 321?", []),
    ],
)
def test_years_are_told_from_other_numbers(question: str, years: list[str]) -> None:
    assert years_in(question) == years


def test_what_changes_by_the_day_goes_before_a_year() -> None:
    assert time_asked("What is the latest news on the 1932 bridge?") == "recent"
    assert time_asked("Who was mayor in 1932?") == "dated"
    assert time_asked("Who is the mayor of the town?") == "any"


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("When was the Alder Bridge opened?", 1),
        ("Where was the director of Blue Harbour born?", 2),
        ("Where was the wife of the director of Blue Harbour born?", 3),
    ],
)
def test_every_description_takes_a_reading_more(question: str, hops: int) -> None:
    assert hops_of(question) == hops
