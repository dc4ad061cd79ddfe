"""The numbers of a calibration: scales, points, and how good a ranking is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from veridic.models.fitting import auc, balanced_cut, expected_calibration_error, fit_binary, fit_three

RNG = np.random.default_rng(1)


def _sigmoid(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logits)))


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    odds = np.exp(logits)
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def test_auc_counts_pairs_in_order_and_ties_by_half() -> None:
    assert auc([0, 1], [0.1, 0.9]) == 1
    assert auc([1, 0], [0.1, 0.9]) == 0
    assert auc([1, 0, 1, 0], [1, 1, 1, 1]) == 0.5
    assert auc([1, 1], [0.3, 0.4]) == 0.5
    assert auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) == pytest.approx(0.75)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=50), st.floats(0.1, 10))
def test_no_threshold_costs_less_than_the_best(rows: list[tuple[bool, float]], cost: float) -> None:
    truth, scores = np.array([t for t, _ in rows]), np.array([s for _, s in rows])

    often = truth.mean() / max(1e-9, 1 - truth.mean())

    def price(cut: float) -> float:
        return float((truth & (scores < cut)).sum() + often * cost * (~truth & (scores >= cut)).sum())

    best, higher = balanced_cut(truth, scores, cost), balanced_cut(truth, scores, cost, slack=0.1)
    assert all(price(best) <= price(cut) + 1e-9 for cut in (*scores, 2.0))
    assert best <= higher
    assert price(higher) <= 1.1 * price(best) + 1e-9


def test_a_dearer_false_positive_raises_the_cut() -> None:
    truth = RNG.random(500) < 0.3
    scores = np.clip(truth * 0.3 + RNG.random(500) * 0.7, 0, 1)
    cuts = [balanced_cut(truth, scores, cost) for cost in (0.2, 1, 5)]
    assert cuts == sorted(cuts)


def test_fitting_brings_overconfident_scores_back_to_frequencies() -> None:
    z = RNG.normal(size=4000)
    truth = RNG.random(4000) < _sigmoid(z)
    scale, offset = fit_binary(3 * z + 1, truth)
    assert scale == pytest.approx(1 / 3, abs=0.06)
    assert expected_calibration_error(truth, _sigmoid(scale * (3 * z + 1) + offset)) < 0.03
    assert expected_calibration_error(truth, _sigmoid(3 * z + 1)) > 0.1


def test_fitting_three_classes_takes_two_class_labels() -> None:
    z = RNG.normal(size=(4000, 3)) * 2
    labels = np.array([RNG.choice(3, p=p) for p in _softmax(z)])
    labels[::4] = np.where(labels[::4] > 0, 3, 0)
    scale, offsets = fit_three(z * 2, labels)
    assert scale == pytest.approx(0.5, abs=0.06)
    assert offsets == pytest.approx([0, 0, 0], abs=0.2)
