"""A kill at any byte loses nothing and repeats nothing."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lab.evaluation.rows import question, row
from veridic.errors import UsageError
from veridic_lab.evaluation.journal import Journal, Row, pair_of, rows_in

ROWS = [row(question(f"q{number}"), "Ünïcode – " * number, system=name) for number in range(3) for name in ("a", "b")]


def written(path: Path, rows: list[Row]) -> None:
    journal = Journal(path)
    for one in rows:
        if pair_of(one) not in journal:
            journal.append(one)


@settings(deadline=None, max_examples=40)
@given(share=st.floats(0, 1))
def test_resumed_after_a_cut_anywhere_it_is_as_if_unbroken(
    tmp_path_factory: pytest.TempPathFactory, share: float
) -> None:
    path = tmp_path_factory.mktemp("run") / "rows.jsonl"
    written(path, ROWS)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    written(path, ROWS)
    assert path.read_bytes() == whole


def test_a_pair_is_never_added_twice(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    journal = Journal(path)
    journal.append(ROWS[0])
    journal.append(ROWS[0])
    assert [pair_of(one) for one in rows_in(path)] == [("q0", "a")]
    assert ("q0", "a") in journal
    assert ("q0", "b") not in journal


def test_a_whole_line_that_is_no_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    written(path, ROWS[:1])
    with path.open("a") as file:
        file.write("{}\n")
    with pytest.raises(UsageError, match=r"rows\.jsonl:2"):
        Journal(path)
