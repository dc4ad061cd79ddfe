from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.learning.acceptance import DOUBT, lower_bound, upper_bound


def test_the_bounds_are_clopper_and_pearsons() -> None:
    assert isclose(upper_bound(0, 150), 1 - DOUBT ** (1 / 150), abs_tol=1e-9)
    assert isclose(lower_bound(30, 30), DOUBT ** (1 / 30), abs_tol=1e-9)
    assert isclose(upper_bound(8, 334), 0.0428, abs_tol=5e-4)


@pytest.mark.parametrize(("found", "of"), [(740, 3000), (1, 100_000), (2999, 3000), (1500, 3000)])
def test_thousands_are_no_matter(found: int, of: int) -> None:
    assert lower_bound(found, of) < found / of < upper_bound(found, of) < found / of + 0.02


@given(st.integers(0, 300), st.integers(1, 300))
def test_the_share_lies_between_its_bounds(found: int, more: int) -> None:
    of = found + more
    assert 0.0 <= lower_bound(found, of) <= found / of <= upper_bound(found, of) <= 1.0


def test_of_nothing_nothing_is_known() -> None:
    assert (lower_bound(0, 0), upper_bound(0, 0)) == (0.0, 1.0)
