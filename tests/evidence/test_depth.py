"""How many passages are taken: what is near the nearest, and always the first."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.knowledge import passage
from veridic.evidence.analysis import FIRST, FITTED_FOR, FIXED, GAP, MOST, depth_of, near
from veridic.models.embedder import OnnxEmbedder
from veridic.ports.shapes import Passage

QUERY = "When was it opened?"


class Placed:
    """An embedder that puts the nth passage at a given cosine to everything that is asked."""

    fingerprint = FITTED_FOR

    def __init__(self, cosines: Sequence[float]) -> None:
        self._cosines = {f"text {place}": cosine for place, cosine in enumerate(cosines)}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = [self._cosines.get(text.rpartition("\n")[2], 1.0) for text in texts]
        return np.array([[cosine, (1 - cosine**2) ** 0.5] for cosine in found], dtype=np.float32)


def ranking(count: int) -> list[Passage]:
    return [passage(f"d{place}", f"text {place}") for place in range(count)]


def taken(cosines: Sequence[float]) -> list[int]:
    found = ranking(len(cosines))
    return [found.index(one) for one in near(QUERY, found, Placed(cosines))]


def test_what_is_far_from_the_nearest_is_left_out_wherever_it_stands() -> None:
    best = 0.8
    assert taken([best, 0.75, 0.7, best - GAP - 0.01, best - GAP + 0.01, 0.1]) == [0, 1, 2, 4]


def test_the_first_are_taken_however_far_they_are() -> None:
    assert taken([0.1, 0.1, 0.1, 0.1, 0.8]) == [*range(FIRST), 4]


def test_all_are_taken_where_all_are_as_near() -> None:
    assert taken([0.3] * 9) == list(range(9))


@pytest.mark.parametrize("count", [0, 1, FIRST])
def test_few_are_all_taken(count: int) -> None:
    assert taken([0.9, 0.1, 0.1][:count]) == list(range(count))


def test_under_another_embedder_there_is_no_gap() -> None:
    embedder = HashingEmbedder()
    assert near(QUERY, ranking(9), embedder) == ranking(9)
    assert embedder.embedded == []
    assert depth_of(embedder) == FIXED


def test_the_rule_is_fitted_for_the_embedder_that_ships() -> None:
    assert OnnxEmbedder().fingerprint == FITTED_FOR
    assert depth_of(OnnxEmbedder()) == MOST
