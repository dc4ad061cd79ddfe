"""Which sentence is told as it stands, and from which probability, is fitted on those that stand first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.models.calibration import NEVER
from veridic.models.fitting import probability
from veridic.models.reader_calibration import SENTENCE_SIGNS, SIGNS, ReaderCalibration, signs_of
from veridic.ports.judgements import AnswerSigns
from veridic.text.kinds import ANSWER_KINDS
from veridic_lab.drafts.quoting import COMPANY, UNTOLD, Asked, Short, fitted, likeliest, measured, scaled_on, weights_of

MARGIN = SENTENCE_SIGNS.index("margin")


def asked(number: int, *, apart: float = 2.0) -> list[Asked]:
    """Questions of five texts each, three of four answered by the text of the largest margin."""
    rng = np.random.default_rng(3)
    made = []
    for at in range(number):
        answerable = at % 4 > 0
        signs = rng.normal(0.0, 1.0, (5, len(SENTENCE_SIGNS)))
        signs[:, MARGIN] -= apart
        right = np.zeros(5, dtype=bool)
        if answerable:
            signs[2, MARGIN] += 2 * apart
            right[2] = True
        made.append(Asked(f"D-{at // 4}", answerable, signs, right))
    return made


def test_the_sign_that_tells_weighs_most_and_the_first_text_answers() -> None:
    found = asked(400)
    intercept, *weights = weights_of(found)
    assert int(np.argmax(np.abs(weights))) == MARGIN
    assert (
        np.mean(
            [
                right
                for (_, right), one in zip(likeliest(found, [intercept, *weights]), found, strict=True)
                if one.answerable
            ]
        )
        > 0.9
    )


def test_few_questions_without_an_answer_get_one_and_fewer_the_stricter_it_is() -> None:
    found = fitted(asked(400), ReaderCalibration.identity("a reader"))
    fresh = asked(800)[400:]
    without = [int(line.rpartition(" ")[2]) for line in measured(fresh, found)]
    assert all(number <= most for number, most in zip(without, (30, 20, 10), strict=True))


def test_texts_that_cannot_be_told_apart_are_never_verified() -> None:
    found = fitted(asked(200, apart=0.0), ReaderCalibration.identity("a reader"))
    assert found.quoted["normal"] == NEVER


READER = replace(
    ReaderCalibration.identity("a reader"),
    weights={kind: [0.0, 1.0, *(0.0 for _ in SIGNS[1:])] for kind in ANSWER_KINDS},
)


def shorts(number: int, *, surer: float = 2.0) -> list[Short]:
    """What was read among few passages and among many, right `surer` times the log-odds of the margin among few."""
    rng = np.random.default_rng(4)
    found = []
    for at in range(number):
        margin, company = float(rng.normal(1.0, 1.5)), (30, 4000)[at % 2]
        odds = surer * margin if company == 30 else surer * margin - 2.0
        signs = AnswerSigns(margin, 0.5, 0.0, 0.0, company=company)
        found.append(Short("what", signs_of(signs), bool(rng.random() < 1 / (1 + np.exp(-odds)))))
    return found


def asked_for(found: list[Short]) -> list[Asked]:
    """A question each, of which nothing but that is known."""
    return [Asked(f"D-{at // 6}", True, np.empty(0), np.empty(0), short=one) for at, one in enumerate(found)]


def test_a_confidence_that_is_too_small_is_scaled_and_among_few_passages_it_is_larger() -> None:
    found = scaled_on(shorts(4000), READER)
    assert found.weights["what"][1] == pytest.approx(2.0, abs=0.3)
    assert found.weights["what"][1 + COMPANY] < -0.2
    assert found.weights["when"] == found.weights["what"]
    for kind in UNTOLD:
        assert found.weights[kind] == READER.weights[kind]
    assert scaled_on([one for one in shorts(400) if one.right], READER) is READER


def test_short_answers_are_verified_from_a_point_that_keeps_the_promise_or_never() -> None:
    sentences = asked(200)
    found = fitted([*asked_for(shorts(4000)), *sentences], READER)
    points = [found.verified_from("what", name) for name in ("loose", "normal", "strict")]
    assert points == sorted(points)
    assert points[1] < 1.0
    fresh = [(probability(found.weights["what"], one.signs), one.right) for one in shorts(9000)[4000:]]
    assert np.mean([right for sure, right in fresh if sure >= points[1]]) > 0.94
    few = fitted([*asked_for(shorts(120)), *sentences], READER)
    assert few.verified_from("what", "normal") == NEVER
    assert {few.verified.get("normal", {}).get(kind) for kind in UNTOLD} == {None}
