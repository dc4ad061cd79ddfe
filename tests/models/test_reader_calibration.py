"""What turns what was read into P(the answer is right)."""

from __future__ import annotations

import json
from dataclasses import replace
from math import exp, log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.errors import CalibrationMismatch
from veridic.models.calibration import MIN_AUC, NEVER
from veridic.models.reader_calibration import (
    FARTHEST,
    SENTENCE_SIGNS,
    SIGNS,
    TOLD,
    ReaderCalibration,
    signs_of,
)
from veridic.ports.judgements import AnswerSigns, SentenceSigns
from veridic.text.kinds import ANSWER_KINDS, AnswerKind

SHARES = st.floats(0, 1)
SIGNED = st.builds(
    AnswerSigns,
    **{name: st.floats(-60, 60) if name in ("margin", "lead") else SHARES for name in AnswerSigns.__dataclass_fields__},
)


def fitted(**given: object) -> ReaderCalibration:
    """Weights that a fit might give, for two kinds of question."""
    weights = [-1.0, *(0.5 for _ in SIGNS)]
    base = ReaderCalibration(
        fingerprint="0123456789abcdef",
        weights={"when": weights, "who": [0.5, *weights[1:]]},
        needed={"loose": {"when": 0.3}, "normal": {"when": 0.6}, "strict": {"when": 0.8}},
        auc=0.8,
        ece=0.03,
        fitted_on={"a": 100},
        date="2026-01-01",
    )
    return replace(base, **given)  # type: ignore[arg-type]


def test_every_sign_is_weighed_in_the_order_of_the_weights() -> None:
    assert set(SIGNS) == set(AnswerSigns.__dataclass_fields__)
    signs = AnswerSigns(**dict.fromkeys(SIGNS, 0.5))
    assert len(signs_of(signs)) == len(SIGNS)
    assert signs_of(signs)[SIGNS.index("relevance")] == 0.0


def test_a_calibration_is_stored_and_read_back(tmp_path: Path) -> None:
    fitted().write(tmp_path / "own.json")
    assert ReaderCalibration.read(tmp_path / "own.json", fitted().fingerprint) == fitted()


def test_a_calibration_of_another_reader_is_refused(tmp_path: Path) -> None:
    fitted().write(tmp_path / "own.json")
    with pytest.raises(CalibrationMismatch, match="fitted for reader 0123456789abcdef, not fedcba9876543210"):
        ReaderCalibration.read(tmp_path / "own.json", "fedcba9876543210")


@pytest.mark.parametrize("text", ["", "no json", "[]", "null", "3", '{"x": 1}', '{"weights": 1}'])
def test_a_file_that_is_no_readers_calibration_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "own.json").write_text(text)
    with pytest.raises(CalibrationMismatch, match="cannot be read"):
        ReaderCalibration.read(tmp_path / "own.json", "0123456789abcdef")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CalibrationMismatch, match="cannot be read"):
        ReaderCalibration.read(tmp_path / "none.json", "0123456789abcdef")


def test_a_file_whose_weights_are_of_other_signs_is_refused(tmp_path: Path) -> None:
    stored = json.loads(json.dumps(fitted().__dict__))
    stored["weights"]["when"] = stored["weights"]["when"][:-1]
    (tmp_path / "own.json").write_text(json.dumps(stored))
    with pytest.raises(CalibrationMismatch):
        ReaderCalibration.read(tmp_path / "own.json", fitted().fingerprint)


@given(SIGNED, st.floats(0, 30), st.sampled_from(["when", "who", "where"]))
def test_confidence_grows_with_the_margin_and_stays_a_probability(
    signs: AnswerSigns, more: float, kind: AnswerKind
) -> None:
    calibration = fitted()
    low, high = (calibration.confidence(kind, one) for one in (signs, replace(signs, margin=signs.margin + more)))
    assert 0 < low <= high < 1
    if signs.margin > -FARTHEST and signs.margin + 1 < FARTHEST and more > 1:
        assert low < high


def test_each_kind_has_its_own_weights() -> None:
    signs = AnswerSigns(**dict.fromkeys(SIGNS, 0.5))
    assert fitted().confidence("when", signs) < fitted().confidence("who", signs)


def test_how_much_is_needed_is_told_by_strictness_and_kind() -> None:
    assert [fitted().needed_for("when", name) for name in ("loose", "normal", "strict")] == [0.3, 0.6, 0.8]
    assert fitted().needed_for("who", "strict") == 0.5


def test_a_calibration_gates_from_its_auc_on() -> None:
    assert fitted(auc=MIN_AUC).gates
    assert not fitted(auc=MIN_AUC - 0.01).gates


@given(st.integers(-60, 60), st.sampled_from(ANSWER_KINDS))
def test_the_identity_takes_the_margin_for_log_odds_and_does_not_gate(margin: int, kind: AnswerKind) -> None:
    identity = ReaderCalibration.identity("0123456789abcdef")
    signs = AnswerSigns(**{**dict.fromkeys(SIGNS, 0.7), "margin": margin})
    assert not identity.gates
    assert (identity.confidence(kind, signs) >= identity.needed_for(kind, "strict")) == (margin >= 0)
    assert identity.confidence(kind, replace(signs, margin=0.0)) == 0.5


def test_a_sentence_is_weighed_by_its_own_signs_or_its_margin_is_taken_for_log_odds() -> None:
    assert set(SENTENCE_SIGNS) == set(SentenceSigns.__dataclass_fields__)
    signs = SentenceSigns(usefulness=0.5, worded=0.5, margin=-1.0, relevance=0.5)
    assert fitted().answering(signs) == pytest.approx(1 / (1 + exp(1)))
    weights = [-2.0, 1.0, 2.0, -1.0, 3.0, 4.0, -0.5, 0.0, 1.0]
    assert fitted(sentences=weights).answering(signs) == 0.5
    assert fitted(sentences=weights).answering(replace(signs, company=99)) == pytest.approx(1 / 11)
    assert fitted(sentences=weights).answering(replace(signs, lead=log(3))) == pytest.approx(0.75)
    with pytest.raises(ValueError, match="8 weights"):
        fitted(sentences=[1.0])


def test_what_verified_promises_is_told_of_what_was_measured() -> None:
    figures = {"n": 212, "precision": 0.972, "least": 0.955}
    points = {"when": 0.9, "who": 0.9, "yes-no": 2.0}
    [promise] = fitted(verified={"normal": points}, measured=figures).promises
    told = {"kind": TOLD, "verified_from": 0.9, "verified": 212, "date": "2026-01-01"}
    assert promise == {**told, "precision": 0.972, "least": 0.955}
    [nothing] = fitted(verified={"normal": {"when": 2.0}}, measured=figures).promises
    assert nothing["verified_from"] is None
    assert not fitted().promises


def test_what_nothing_was_promised_of_is_never_verified() -> None:
    assert fitted().verified_from("when", "normal") == NEVER
    assert fitted(verified={"normal": {"when": 0.9}}).verified_from("who", "normal") == NEVER
