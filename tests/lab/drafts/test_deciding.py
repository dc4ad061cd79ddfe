"""What is promised of drafts is fitted so that precision holds by its lower bound, and is no promise on few."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.models.calibration import NEVER
from veridic.ports.judgements import DraftSigns
from veridic_lab.drafts.deciding import CAPABLE, Row, fitted

EVEN = DraftSigns(*(0.0 for _ in fields(DraftSigns)))
JUDGED = replace(EVEN, judged=2.0)


def rows(documents: int, apart: float, *, useless: float = 2.0) -> list[Row]:
    """Of each document three true drafts, two false ones and an invented one, whose support lies so far apart.

    The invented one is so much less useful.
    """
    rng = np.random.default_rng(5)
    found = []
    for number in range(documents):
        for at, writer in enumerate(("number", "true", "date", "true", "invented", "true")):
            true = writer == "true"
            signs = replace(
                EVEN, least=rng.normal(apart if true else -apart), useful=rng.normal(-useless * (writer == "invented"))
            )
            found.append(Row(f"D-{number}", writer, signs, [(f"{number} {at}", rng.random(), true)]))
    return found


def test_drafts_that_lie_apart_are_verified_above_a_point_that_keeps_the_promise() -> None:
    found = fitted(rows(80, 1.5), "a judge")
    for signs in (EVEN, JUDGED):
        points = [found.verifies_from(strictness, signs) for strictness in ("loose", "normal", "strict")]
        assert points == sorted(points)
        assert points[0] >= CAPABLE
        assert points[1] < 1
    assert all(one["least"] >= 0.95 and one["n"] >= 100 for one in found.measured.values())
    assert found.gives_from("loose") <= found.gives_from("normal") <= found.verifies_from("normal", EVEN)


def test_what_answers_is_given_be_it_right_or_not_and_what_does_not_is_less_likely_to() -> None:
    found = fitted(rows(80, 1.5), "a judge")
    false, invented = replace(EVEN, least=-1.5), replace(EVEN, least=-1.5, useful=-3.0)
    assert found.probability(false) < 0.3
    assert found.answering(invented) < found.gives_from("strict") < found.answering(false)


def test_of_a_capable_writer_the_same_draft_is_likelier_by_the_odds_of_its_drafts() -> None:
    found = fitted(rows(80, 1.5), "a judge")
    sure, capable = found.probability(EVEN), found.probability(EVEN, capable=True)
    assert capable / (1 - capable) == pytest.approx(CAPABLE / (1 - CAPABLE) * sure / (1 - sure))


def test_drafts_that_cannot_be_told_apart_and_too_few_of_them_are_promised_nothing() -> None:
    assert fitted(rows(80, 0.0), "a judge").verifies_from("normal", EVEN) == NEVER
    assert fitted(rows(12, 4.0), "a judge").verifies_from("normal", EVEN) == NEVER


def test_a_judges_word_tells_drafts_apart_that_the_signs_do_not_and_more_of_one_that_errs_less() -> None:
    found = fitted(rows(80, 0.0, useless=0.0), "a judge")
    aucs = [
        found.measured[name]["auc"] for name in ("alone", "judge errs in 20%", "judge errs in 10%", "judge errs in 5%")
    ]
    assert aucs == sorted(aucs)
    assert aucs[0] < 0.6 < 0.75 < aucs[1]
    said, denied = (found.probability(replace(EVEN, judged=word)) for word in (2.0, -2.0))
    assert said > 0.75 > 0.25 > denied
