"""Which sentence is told as it stands, and from which probability, is fitted on those that stand first."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.models.reader_calibration import SENTENCE_SIGNS, ReaderCalibration
from veridic_lab.drafts.quoting import Asked, fitted, likeliest, measured, weights_of

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
