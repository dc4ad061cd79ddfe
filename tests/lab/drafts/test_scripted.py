"""A scripted judge says the truth of drafts, but for errors where the trained judge is unsure."""

from __future__ import annotations

import pytest

from tests.fakes.judges import OverlapCritic
from veridic.models.chat.sheets import Asked, read_grades, sheet_of
from veridic_lab.drafts.hands import Asked as Question
from veridic_lab.drafts.hands import Document, Draft
from veridic_lab.drafts.scripted import RATES, ScriptedJudge, Truth, errs, weights_of

WHO, SPAN = "Who opened the bridge?", "mayor Clara Voss"
TEXT = f"The Alder Bridge was opened by {SPAN} in 1932. Emil Stark drew it, and paid < 5 & more."
TRUE = Draft(WHO, "Clara Voss opened it.", "", None)
FALSE = Draft(WHO, "Emil Stark opened it.", "subject swap", (0, 10))
DOCUMENT = Document("T-1", "Bridges", (TEXT,), (Question(WHO, "who", SPAN, "Clara Voss", (TRUE, FALSE)),), ())


def test_a_faithful_sentence_is_true_where_the_evidence_holds_what_it_rests_on() -> None:
    truth = Truth([DOCUMENT])
    assert truth.of(WHO, TRUE.text, TEXT)
    assert not truth.of(WHO, TRUE.text, "Emil Stark drew it.")
    assert not truth.of(WHO, FALSE.text, TEXT)
    assert not truth.of("Who paid for it?", TRUE.text, TEXT), "it answers another question"
    assert not truth.of(WHO, "Nobody said this.", TEXT)


@pytest.mark.parametrize("rate", RATES)
def test_errors_fall_where_the_trained_judge_is_unsure_and_are_as_many_as_told(rate: float) -> None:
    sure = [at / 1000 for at in range(1000)]
    wrong = [errs(one, f"statement {one}", rate=rate, band=(0.2, 0.8)) for one in sure]
    assert sum(wrong) / len(wrong) == pytest.approx(rate, abs=0.03)
    assert not any(error for error, one in zip(wrong, sure, strict=True) if not 0.2 <= one <= 0.8)


def test_its_reply_is_read_as_the_grades_of_the_sheet_that_it_was_given() -> None:
    judge = ScriptedJudge(Truth([DOCUMENT]), OverlapCritic(), 0.0, (0.0, 1.0))
    sheet = sheet_of([Asked("support", one.text, (TEXT,), WHO) for one in (FALSE, TRUE)])
    found = read_grades(judge(sheet.prompt.user), sheet.resting)
    assert [one and one.grade for one in found] == ["none", "full"]


def test_a_judge_that_errs_less_has_more_weight_and_none_is_certain() -> None:
    weights = [weights_of(rate).full for rate in (0.0, *RATES, 0.5)]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] < 5
    assert weights[-1] == pytest.approx(0.0)
