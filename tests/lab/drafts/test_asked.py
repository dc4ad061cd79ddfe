"""What is told to written questions: right is what cites the place that answers and says what was written down."""

from __future__ import annotations

from typing import Any, cast

import pytest

pytest.importorskip("sklearn")

from veridic.ports.shapes import Result
from veridic_lab.drafts.asked import asked_of, is_right, lines_of
from veridic_lab.drafts.hands import Asked, Document
from veridic_lab.evaluation.told import Told

TEXT = "The ferry leaves at nine from the old pier. In winter it does not run on Sundays."
SPAN = "leaves at nine"
WHEN = Asked("When does the ferry leave?", "when", SPAN, "nine", ())
SUNDAYS = Asked("Does it run on Sundays in winter?", "yes-no", "does not run on Sundays", "No, not on Sundays.", ())
FERRY = Document("X-001", "The ferry", (TEXT,), (WHEN, SUNDAYS), ("What does the ferry cost?",))


def result(answer: str, quote: str, short: str = "", *, url: str = "/docs/X-001-0.md", quoted: bool = True) -> Result:
    found: Any = {
        "answer": answer,
        "short_answer": short,
        "sentences": [{"text": answer, "quoted": quoted, "citations": [{"url": url, "quote": quote}]}],
    }
    return cast(Result, found)


FIRST, SECOND = TEXT.split(". ")[0] + ".", TEXT.split(". ")[1]


@pytest.mark.parametrize(
    ("asked", "said", "right"),
    [
        (WHEN, result(FIRST, FIRST), True),
        (WHEN, result(FIRST, FIRST, "at nine"), True),
        (WHEN, result(FIRST, FIRST, "the old pier"), False),
        (WHEN, result(SECOND, SECOND), False),
        (WHEN, result(FIRST, FIRST, url="/docs/X-0012-0.md"), False),
        (WHEN, result("It goes at nine.", FIRST, quoted=False), True),
        (WHEN, result("It goes at noon.", FIRST, quoted=False), False),
        (SUNDAYS, result(SECOND, SECOND), True),
        (SUNDAYS, result(SECOND, SECOND, "No"), True),
        (SUNDAYS, result(SECOND, SECOND, "Yes"), False),
    ],
)
def test_right_is_the_place_that_answers_and_what_was_written_down(asked: Asked, said: Result, right: bool) -> None:
    assert is_right(FERRY, asked, said) is right


def test_every_question_is_asked_and_none_without_an_answer_is_right() -> None:
    told = list(asked_of([FERRY], "ferry", "extractive"))
    assert [(one.system, one.answerable) for one in told] == [("ferry", True), ("ferry", True), ("ferry", False)]
    assert told[0].right
    assert not told[2].right
    assert all(one.probability is None for one in told if one.told_as == "silent")


def test_the_lines_count_both_sides_and_the_error_of_what_is_flagged() -> None:
    told = [
        Told("ferry", 0.9, "flagged", right=True, answerable=True),
        Told("ferry", 0.5, "flagged", right=False, answerable=True),
        Told("ferry", 0.97, "verified", right=True, answerable=True),
        Told("ferry", None, "silent", right=False, answerable=False),
    ]
    assert list(lines_of(told)) == [
        "3 with an answer: wrong flagged 1, right flagged 1, right verified 1",
        "1 without one: wrong silent 1",
        "calibration error of 2 flagged ones: 0.300",
    ]
