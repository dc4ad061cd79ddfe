from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic_lab.training.changes import opposite_word, wrong_date
from veridic_lab.training.wording import names, seeded

SENTENCE = "In 1843 Ada Lovelace, who was 27 years old, translated an article by Luigi Menabrea (a general)."


@pytest.mark.parametrize("seed", range(20))
def test_a_wrong_date_changes_the_year_only(seed: int) -> None:
    changed = wrong_date(SENTENCE, seeded(seed))
    assert changed
    assert "1843" not in changed
    assert "27 years" in changed


def test_a_word_becomes_its_opposite() -> None:
    assert opposite_word("It is the largest lake.", seeded(1)) == "It is the smallest lake."


def test_names_are_not_words_that_start_a_sentence() -> None:
    assert [m.group() for m in names("The river Thames flows through London.")] == ["Thames", "London"]


@given(st.text(max_size=200), st.integers(0, 99))
def test_a_sentence_is_changed_or_nothing_is_said(sentence: str, seed: int) -> None:
    for change in (wrong_date, opposite_word):
        assert change(sentence, seeded(seed)) != sentence
