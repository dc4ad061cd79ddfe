"""What is read or quoted is verified from where the promise is kept, and never where too few are right."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.models.calibration import NEVER
from veridic.models.promise import Sure, promising
from veridic.models.reader_calibration import ReaderCalibration
from veridic.text.kinds import ANSWER_KINDS
from veridic_lab.benchmarks.asking import holding
from veridic_lab.drafts.promising import is_right
from veridic_lab.drafts.questions import Question

READER = ReaderCalibration.identity("a reader")


def told(number: int, *, seed: int = 4) -> Sure:
    """Answers that are right as often as their probability says, six of a document."""
    rng = np.random.default_rng(seed)
    sure = rng.uniform(0.3, 1.0, number)
    return Sure.of((float(p), bool(rng.random() < p), f"D-{at // 6}") for at, p in enumerate(sure))


def test_of_what_is_verified_so_many_are_right_as_is_promised_and_more_the_stricter() -> None:
    found = promising(told(4000), READER)
    points = [found.quoted[name] for name in ("loose", "normal", "strict")]
    assert points == sorted(points)
    assert 0.8 < points[1] < 1.0
    others = told(9000, seed=5)
    assert others.right[others.sure >= points[1]].mean() > 0.94
    assert found.measured["least"] >= 0.95
    assert found.measured["n"] >= 100
    [promise] = found.promises
    assert promise["verified_from"] == points[1]


def test_fewer_than_a_hundred_promise_nothing_and_yes_and_no_never() -> None:
    found = promising(Sure.of((0.99, True, f"D-{at}") for at in range(99)), READER)
    assert {found.verified_from(kind, "normal") for kind in ANSWER_KINDS} == {NEVER}
    more = promising(Sure.of((0.99, at > 0, f"D-{at}") for at in range(400)), READER)
    assert more.verified_from("when", "normal") < 1.0
    assert more.verified_from("yes-no", "normal") == NEVER


def test_right_is_what_cites_the_place_and_gives_the_short_answer() -> None:
    files = {"bridge.md": "# Bridge\n\nThe Alder Bridge was opened in 1932 by mayor Clara Voss."}
    asked = "When was the Alder Bridge opened?"
    with holding(files=files) as held:
        result = held.asked(asked)
    assert is_right(Question("d", asked, lambda text: "1932" in text, lambda short: "1932" in short), result)
    assert not is_right(Question("d", asked, lambda text: "1933" in text, lambda _short: True), result)
    assert not is_right(Question("d", asked, None), result)
