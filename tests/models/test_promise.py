"""P fitted to answers that people judged, and from which P the promise of *verified* is kept."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.errors import UsageError
from veridic.models.calibration import NEVER
from veridic.models.fitting import sigmoid
from veridic.models.promise import PROMISED, Sure, fitted_to, promising
from veridic.models.reader_calibration import SENTENCE_SIGNS, SIGNS, ReaderCalibration
from veridic.ports.judgements import STRICTNESSES, AnswerSigns, SentenceSigns, log_odds

SHIPPED = ReaderCalibration(
    "f",
    weights={kind: [-1.0, 0.5, 0.4, 0.1, 0.2, 0.3, 0.1] for kind in ("who", "what", "yes-no")},
    needed={name: {"who": 0.4, "what": 0.4, "yes-no": 0.6} for name in STRICTNESSES},
    auc=0.8,
    ece=0.05,
    fitted_on={"hand": 1000},
    date="2026-01-01",
    verified={name: {"who": 0.9, "what": 0.9, "yes-no": NEVER} for name in STRICTNESSES},
    sentences=[-2.0, 0.7, 0.5, 0.1, 0.3, 0.4, -0.1, 0.05, 0.2],
    quoted=dict.fromkeys(STRICTNESSES, 0.9),
    given=dict.fromkeys(STRICTNESSES, 0.4),
    measured={"auc": 0.8, "n": 150, "precision": 0.97, "least": 0.95, "true verified": 0.2, "false verified": 0.0},
)
odds = st.floats(-3, 3)
answer = st.builds(
    AnswerSigns,
    margin=odds, relevance=st.floats(0.05, 0.95), agreeing=st.floats(0, 1), lead=odds, usefulness=st.floats(0.05, 0.95),
    seconded=odds,
)  # fmt: skip
sentence = st.builds(
    partial(SentenceSigns, worded=0.5, company=12, length=9, lead=1.0),
    usefulness=st.floats(0.05, 0.95), margin=odds, relevance=st.floats(0.05, 0.95), read=st.floats(0.05, 0.95),
)  # fmt: skip


def told(number: int, *, offset: float, seed: int = 1) -> Sure:
    """Answers whose log-odds of being right are so much larger than P says."""
    drawn = np.random.default_rng(seed)
    logits = drawn.normal(0.5, 1.5, number)
    right = drawn.random(number) < sigmoid(logits + offset)
    return Sure.of(
        (float(sigmoid(one)), bool(is_right), f"d{at % 40}")
        for at, (one, is_right) in enumerate(zip(logits, right, strict=True))
    )


@given(answer, st.floats(0.3, 3), st.floats(-2, 2))
def test_log_odds_of_an_answer_move_and_those_of_yes_and_no_stay(
    signs: AnswerSigns, scale: float, offset: float
) -> None:
    moved = SHIPPED.moved(scale, offset)
    before = log_odds(SHIPPED.confidence("who", signs), 1e-9)
    assert log_odds(moved.confidence("who", signs), 1e-9) == pytest.approx(scale * before + offset, abs=1e-3)
    assert moved.confidence("yes-no", signs) == SHIPPED.confidence("yes-no", signs)
    assert moved.needed_for("yes-no", "normal") == 0.6


@given(sentence, st.floats(0.3, 3), st.floats(-2, 2))
def test_log_odds_of_a_sentence_move_where_what_was_read_in_it_moved(
    signs: SentenceSigns, scale: float, offset: float
) -> None:
    moved = SHIPPED.moved(scale, offset)
    read = float(sigmoid(scale * log_odds(signs.read) + offset))
    before = log_odds(SHIPPED.answering(signs), 1e-9)
    if 0.01 < read < 0.99:
        found = log_odds(moved.answering(replace(signs, read=read)), 1e-9)
        assert found == pytest.approx(scale * before + offset, abs=1e-3)


def test_what_is_given_is_the_same_and_as_sure_as_it_is_right() -> None:
    found = told(400, offset=1.2)
    fitted = fitted_to(found, SHIPPED)
    assert abs(found.sure.mean() - found.right.mean()) > 0.1
    assert fitted.ece < 0.05
    # .4 before, whose log-odds are moved by about as much as is missing
    assert 0.6 < fitted.given["normal"] < 0.75
    assert fitted.needed_for("who", "normal") == pytest.approx(fitted.given["normal"])
    assert fitted.fitted_on["answers that people judged"] == 400
    assert (len(SIGNS), len(SENTENCE_SIGNS)) == (len(fitted.weights["who"]) - 1, len(fitted.sentences) - 1)


def test_a_hundred_answers_that_keep_it_make_a_promise_of_their_own() -> None:
    fitted = fitted_to(told(600, offset=2.5), SHIPPED)
    [promise] = fitted.promises
    assert promise["verified"] >= 100
    assert promise["least"] >= PROMISED["normal"]
    assert promise["date"] > SHIPPED.date
    assert fitted.verified_from("who", "normal") == fitted.quoted["normal"] < NEVER
    assert fitted.verified_from("yes-no", "normal") == NEVER


def test_too_few_for_a_promise_leave_that_of_before_at_the_same_answers() -> None:
    fitted = fitted_to(told(40, offset=0.0), SHIPPED)
    [promise], [before] = fitted.promises, SHIPPED.promises
    assert promise == {**before, "verified_from": promise["verified_from"]}
    same = SHIPPED.confidence("who", AnswerSigns(4.0, 0.9, 1.0, 2.0, 0.9, 4.0)) >= 0.9
    assert (fitted.confidence("who", AnswerSigns(4.0, 0.9, 1.0, 2.0, 0.9, 4.0)) >= fitted.quoted["normal"]) is same


def test_a_promise_that_people_refute_is_gone() -> None:
    wrong = Sure.of((0.95, at % 3 == 0, f"d{at}") for at in range(60))
    fitted = fitted_to(wrong, SHIPPED)
    assert fitted.quoted["normal"] == fitted.verified_from("who", "normal") == NEVER
    assert [(one["verified_from"], one["verified"]) for one in fitted.promises] == [(None, 0)]


def test_few_answers_that_are_all_right_make_nothing_certain() -> None:
    fitted = fitted_to(Sure.of((0.5 + at / 100, True, f"d{at}") for at in range(30)), SHIPPED)
    assert fitted.confidence("who", AnswerSigns(0.0, 0.5, 0.5, 0.0, 0.5, 0.0)) < 0.99


def test_fewer_answers_than_are_needed_are_refused() -> None:
    with pytest.raises(UsageError, match="29 answers"):
        fitted_to(told(29, offset=0.0), SHIPPED)


def test_no_promise_is_made_of_answers_that_do_not_keep_it() -> None:
    even = Sure.of((0.5 + at / 1000, at % 2 == 0, f"d{at}") for at in range(300))
    assert promising(even, SHIPPED).quoted == dict.fromkeys(STRICTNESSES, NEVER)
