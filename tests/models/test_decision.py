"""The decision as it is stored: a probability, and points that are above 1 where nothing is promised."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.errors import CalibrationMismatch
from veridic.models.calibration import NEVER, SIGNS, Decision, Unpromised
from veridic.ports.judgements import DraftSigns

EVEN = DraftSigns(*(0.0 for _ in fields(DraftSigns)))
DECISION = Decision(
    fingerprint="a judge",
    weights=[0.0, 1.0, *(0.0 for _ in SIGNS[1:])],
    spoken=[0.0, *(0.0 for _ in SIGNS[1:]), 1.0],
    verified={},
    judged={"normal": 0.9},
    given={"normal": 0.4},
    capable=0.8,
    measured={},
    date="2026-11-26",
)


@given(st.floats(-6, 6), st.floats(-6, 6))
def test_what_is_better_supported_is_likelier(one: float, other: float) -> None:
    likelihood = [DECISION.probability(replace(EVEN, least=least)) for least in sorted((one, other))]
    assert 0 < likelihood[0] <= likelihood[1] < 1


def test_what_answers_is_told_apart_from_what_is_right() -> None:
    well_supported, of_use = replace(EVEN, least=4.0), replace(EVEN, **{SIGNS[-1]: 4.0})
    assert DECISION.probability(well_supported) > 0.9 > 0.6 > DECISION.answering(well_supported)
    assert DECISION.answering(of_use) > 0.9 > 0.6 > DECISION.probability(of_use)


def test_of_a_capable_writer_a_draft_is_likelier_by_the_odds_of_its_drafts() -> None:
    for least in (-3.0, 0.0, 3.0):
        sure, capable = (DECISION.probability(replace(EVEN, least=least), capable=one) for one in (False, True))
        assert capable / (1 - capable) == pytest.approx(4 * sure / (1 - sure))


def test_where_nothing_was_promised_nothing_is_verified_or_given() -> None:
    for word in (2.0, -2.0):
        assert DECISION.verifies_from("normal", replace(EVEN, judged=word)) == 0.9
        assert DECISION.verifies_from("strict", replace(EVEN, judged=word)) > 1
    assert DECISION.verifies_from("normal", EVEN) > 1, "no chat model was asked"
    assert (DECISION.gives_from("normal"), DECISION.gives_from("strict")) == (0.4, NEVER)


def test_it_is_read_as_it_was_written_and_for_its_own_judge_alone(tmp_path: Path) -> None:
    DECISION.write(tmp_path / "decision.json")
    assert Decision.read(tmp_path / "decision.json", "a judge") == DECISION
    with pytest.raises(CalibrationMismatch, match="fitted for base judge a judge"):
        Decision.read(tmp_path / "decision.json", "another")


def test_weights_of_other_signs_are_refused() -> None:
    for weights in ({"weights": [1.0]}, {"spoken": [1.0]}):
        with pytest.raises(ValueError, match="an intercept and"):
            replace(DECISION, **weights)


def test_it_promises_what_was_measured_and_of_judges_that_err_what_the_worst_one_kept() -> None:
    told = replace(
        DECISION,
        verified={"normal": NEVER},
        judged={"normal": 0.9},
        measured={
            "alone": {"n": 0, "precision": 0.0, "least": 0.0},
            "judge errs in 5%": {"n": 220, "precision": 0.99, "least": 0.98},
            "judge errs in 20%": {"n": 180, "precision": 0.96, "least": 0.95},
        },
        date="2026-01-01",
    )
    alone, judged = told.promises
    assert (alone["kind"], alone["verified_from"], alone["verified"]) == ("drafts", None, 0)
    assert (judged["verified_from"], judged["verified"], judged["precision"], judged["least"]) == (0.9, 180, 0.96, 0.95)
    assert [one["verified"] for one in replace(told, measured={}).promises] == [0, 0]
    assert not hasattr(Unpromised(told), "promises")
