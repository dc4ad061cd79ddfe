from __future__ import annotations

import pytest

from veridic_lab.training.metrics import balanced_accuracy, overlap


def test_balanced_accuracy_is_the_mean_recall() -> None:
    assert balanced_accuracy([0, 0, 0, 1], [0, 0, 0, 0]) == 0.5
    assert balanced_accuracy([0, 1, 2], [0, 1, 1]) == pytest.approx(2 / 3)


def test_overlap_is_the_share_of_words_found() -> None:
    assert overlap("Red apples", "apples, red and green") == 1
    assert overlap("Red pears", "apples, red and green") == 0.5
    assert overlap("", "x") == 0
