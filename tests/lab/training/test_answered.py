"""Statements made of questions and answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic_lab.training.answered import another_answer, answered_pairs, statement
from veridic_lab.training.made import seeded
from veridic_lab.training.pairs import NLI_LABELS
from veridic_lab.training.reading.rows import Kind, Reading
from veridic_lab.training.reading.taken import holds_answer

TEXT = (
    "The waltz was written by Ada Kern and recorded by Tom Brandt on 3 May 1991, after the march of 12 April 1990. "
    "Some 40 guests came to Bremen, 25 of them from Lima."
)
ASKED = (
    ("Who wrote the waltz?", "Ada Kern"),
    ("Who recorded the waltz?", "Tom Brandt"),
    ("When was the waltz recorded?", "3 May 1991"),
    ("How many guests came?", "40"),
    ("Where did the guests come?", "Bremen"),
    ("Why did they come?", "after the march"),
)


def row(question: str, answer: str, kind: Kind = "span") -> Reading:
    start = TEXT.index(answer)
    return Reading(question, "A waltz", TEXT, ((start, start + len(answer)),), kind, "s", "k")


ROWS = [row(*asked) for asked in ASKED]


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("Who wrote the waltz?", "Ada Kern", "Ada Kern wrote the waltz."),
        ("how many guests came to Bremen?", "40", "40 guests came to Bremen."),
        ("Which town was chosen?", "the port of Bremen", "The port of Bremen was chosen."),
        ("Who was the waltz written by?", "Ada Kern", "Who was the waltz written by? Ada Kern."),
        ("What type of dance is it?", "a waltz.", "What type of dance is it? a waltz."),
        ("what does the writer like", "Lima", "what does the writer like? Lima."),
        ("When was it recorded?", "3 May 1991", "When was it recorded? 3 May 1991."),
    ],
)
def test_an_answer_is_told_as_a_sentence_where_the_question_asks_for_its_subject(
    question: str, answer: str, said: str
) -> None:
    assert statement(question, answer) == said


@pytest.mark.parametrize(
    ("place", "others"),
    [
        (0, {"Tom Brandt"}),
        (2, {"12 April 1990"}),
        (3, {"25", "3", "12", "1991", "1990"}),
        (4, {"Lima", "May", "April"}),
    ],
)
def test_another_answer_is_of_the_same_kind(place: int, others: set[str]) -> None:
    found = {another_answer(ROWS[place], ASKED, seeded(seed)) for seed in range(20)}
    assert found
    assert found <= others


@given(st.sampled_from(ROWS), st.integers(0, 500))
def test_another_answer_stands_in_the_text_and_is_none(asked: Reading, seed: int) -> None:
    found = another_answer(asked, ASKED, seeded(seed))
    assert found in TEXT
    assert not found or not holds_answer(found, asked.answers)


def test_every_true_statement_has_a_false_one_beside_it() -> None:
    pairs = list(answered_pairs([*ROWS, row("Who came?", "Lima", "none")], seeded(1)))
    labels = [NLI_LABELS[pair.label] for pair in pairs]
    assert labels == ["entailment", "not_entailment"] * (len(pairs) // 2)
    assert 8 <= len(pairs) <= 10
    assert not any("after the march" in pair.second for pair in pairs), "the text gives no other reason"
    assert all(TEXT in pair.first for pair in pairs)
