"""What a follow-up means, by the choice that ships."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.models.embedder import OnnxEmbedder
from veridic.models.messages import OnnxMessages
from veridic.models.rewording import LONGEST_ANSWER, edits
from veridic.runtime.turns import leans

JUDGE = OnnxMessages(OnnxEmbedder())


@pytest.mark.parametrize(
    ("asked", "answer", "question", "whole"),
    [
        ("What does the K40 cost?", "99 EUR", "And the K60?", "What does the K60 cost?"),
        ("When is the library open on Tuesday?", "", "And on Saturday?", "When is the library open on Saturday?"),
        ("Who leads the workshop?", "Maria Engel", "When did she join?", "When did Maria Engel join?"),
        ("When was the bridge opened?", "1932", "How long is it?", "How long is the bridge?"),
        ("How long can I keep books?", "28 days", "Can they be renewed?", "Can books be renewed?"),
    ],
)
def test_words_of_one_question_stand_in_the_place_of_words_of_the_other(
    asked: str, answer: str, question: str, whole: str
) -> None:
    assert leans(question, JUDGE)
    best, second = JUDGE.meant(question, asked, answer)[:2]
    assert best.text == whole
    assert best.probability > second.probability


@pytest.mark.parametrize(
    "question",
    [
        "Who approves the travel costs of directors?",
        "When was the Alder Bridge opened?",
        "How much does a library card cost for students?",
        "If a guest arrives after midnight, how do they get their key?",
    ],
)
def test_what_stands_alone_leans_on_nothing(question: str) -> None:
    assert not leans(question, JUDGE)


def test_before_the_first_question_nothing_is_meant() -> None:
    assert JUDGE.meant("And on Saturday?", "", "") == []


def test_a_long_answer_is_no_name() -> None:
    answer = " ".join(["word"] * (LONGEST_ANSWER + 1))
    assert all(one.kind != "of the answer" for one in edits("Why?", "Who?", answer))


WORDS = st.lists(st.sampled_from("who did the Bridge K60 it she cost ? , , in 1932".split()), max_size=9).map(" ".join)


@settings(max_examples=25, deadline=None)
@given(WORDS, WORDS, WORDS)
def test_what_a_follow_up_may_mean_is_made_of_the_words_that_were_said(question: str, asked: str, answer: str) -> None:
    said = {word.lower() for text in (question, asked, answer) for word in text.strip(" ?.!").split()}
    found = JUDGE.meant(question, asked, answer)
    assert all({word.lower() for word in one.text.removesuffix("?").split()} <= said for one in found)
    assert not found or np.isclose(sum(one.probability for one in found), 1.0)
