from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.errors import UsageError
from veridic_lab.training.pairs import Pair
from veridic_lab.training.soft import FILE, SoftLabels, key_of

PAIRS = [Pair("nli", f"premise {n}", "hypothesis", 0, "s", f"{n}") for n in range(5)]


def test_labels_are_found_again_without_their_text(tmp_path: Path) -> None:
    rows = np.linspace(0, 1, 15, dtype=np.float16).reshape(5, 3)
    SoftLabels([key_of(pair) for pair in PAIRS], rows).write(tmp_path)
    stored = (tmp_path / FILE).read_bytes()
    assert b"premise" not in stored
    found = SoftLabels.read(tmp_path)
    assert len(found) == 5
    values, known = found.of([PAIRS[3], Pair("nli", "another", "hypothesis", 0, "s", "x"), PAIRS[0]])
    assert known.tolist() == [True, False, True]
    assert np.allclose(values[0], rows[3])
    assert values[1].tolist() == [0, 0, 0]


def test_a_folder_without_labels_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="veridic teach"):
        SoftLabels.read(tmp_path)
    (tmp_path / FILE).write_bytes(b"nothing")
    with pytest.raises(UsageError, match="no soft labels"):
        SoftLabels.read(tmp_path)


@given(st.text(), st.text(), st.text())
def test_the_key_tells_tasks_and_texts_apart(first: str, second: str, third: str) -> None:
    one = Pair("nli", first, second, 0, "", "")
    assert key_of(one) != key_of(Pair("relevance", first, second, 0, "", ""))
    if second != third:
        assert key_of(one) != key_of(Pair("nli", first, third, 2, "other", "k"))


def test_the_committed_labels_are_distinct_distributions() -> None:
    labels = np.load(Path(__file__).parents[3] / "lab" / "teacher" / FILE, allow_pickle=False)
    assert len(set(labels["keys"].tolist())) == len(labels["rows"]) == 89_708
    assert np.allclose(labels["rows"].astype(np.float32).sum(axis=1), 1, atol=2e-3)
