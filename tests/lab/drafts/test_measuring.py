"""What is counted of a judge, by hand."""

import pytest

from veridic_lab.drafts.measuring import Marked, Scored, by_length, marked, measured


def test_marked_words_are_counted_over_all_statements() -> None:
    told = marked(
        [
            Marked("opened at nine", (10, 14), ((0, 14),)),
            Marked("closed at six", None, ()),
        ]
    )
    assert told == {"precision": pytest.approx(1 / 3, abs=1e-3), "recall": 1.0, "f1": 0.5, "marked": 0.5}


def test_who_marks_every_word_looks_bad() -> None:
    every = [Marked("a b c d e f g h", (0, 1), ((0, 15),))]
    assert marked(every)["f1"] < 0.25
    assert marked(every)["marked"] == 1.0


def test_a_judge_is_paired_within_questions_and_ranked_over_all() -> None:
    found = [
        Scored("one", "", 50, 0.9),
        Scored("one", "number", 50, 0.8),
        Scored("other", "", 5, 0.3),
        Scored("other", "number", 5, 0.2),
    ]
    told = measured(found)
    assert told["paired"] == 1.0
    assert told["auc"] == 0.75
    assert by_length(found) == {"short": 1.0, "long": 1.0}
