"""What may be told as it stands, and what speaks for it."""

from functools import partial
from math import log

import pytest

from tests.evidence.test_reading import stored
from tests.fakes.knowledge import passage
from veridic.evidence.quoting import quotations, sentence_signs, stands_in
from veridic.ports.judgements import UNREAD
from veridic.ports.shapes import Citation, ReadAnswer, ReadPlace, RunnerUp, Strip

signed = partial(sentence_signs, usefulness=0.7, others=[], company=12)

TOLL = "The toll was abolished in 1967. It had been two crowns. Was that much? The ferrymen had gone on strike."


def strip(text: str, score: float = 0.9, start: int = 0) -> Strip:
    return Strip(passage=stored("d", text), text=text, start=start, end=start + len(text), score=score, kept=True)


def read(sentence: str, probability: float, runner_up: RunnerUp | None = None) -> ReadAnswer:
    place = Citation(
        document_id="d", kind="human", title="", url="", location="", start=0, end=len(sentence), quote=sentence,
        retrieved_at="",
    )  # fmt: skip
    return ReadAnswer(
        question="When was the toll abolished?", kind="when", text="1967", probability=probability, needed=0.5,
        holds=False, span=None, sentence=place, places=[ReadPlace(sentence=place, margin=2.0)],
        runner_up=runner_up, rival=None,
    )  # fmt: skip


def test_sentences_are_told_with_what_they_lean_on_and_none_that_asks() -> None:
    assert quotations([strip(TOLL)], []) == [
        TOLL,
        "The toll was abolished in 1967.",
        "The toll was abolished in 1967. It had been two crowns.",
        "The ferrymen had gone on strike.",
    ]


def test_a_strip_is_told_to_its_last_statement_and_one_that_only_asks_is_not_told() -> None:
    answered = "When was the toll abolished? In 1967, by the county."
    assert quotations([strip(f"{answered} Who asks? And why?")], [])[0] == answered
    assert not any(quotations([strip("Who asks? And why?")], []))


def test_a_sentence_that_leans_on_nothing_that_is_there_is_left_out() -> None:
    assert quotations([strip("It had been two crowns. Nobody paid.")], []) == ["Nobody paid."]


def test_the_best_strips_are_quoted_and_the_others_not() -> None:
    strips = [strip(f"Number {number} stands here.", score=number / 10) for number in range(6)]
    assert quotations(strips, []) == [f"Number {number} stands here." for number in (5, 4, 3)]
    assert quotations([], []) == []


def test_what_was_read_is_quoted_and_its_strip_too_however_poor() -> None:
    best = [strip(f"Number {number} stands here.", score=0.5 + number / 10) for number in range(3)]
    poor = strip(TOLL, score=0.1, start=100)
    sentence = read(TOLL[:31], 0.1)["places"][0]["sentence"]
    moved = Citation(**{**sentence, "start": 100, "end": 131})  # type: ignore[typeddict-item]
    told = quotations([*best, poor], [moved])
    assert told[:2] == ["Number 2 stands here.", TOLL]
    assert told[-1] == TOLL[:31]


def test_the_signs_are_the_evaluators_the_readers_and_the_words() -> None:
    reading = read("The toll was abolished in 1967.", 0.4)
    asked, told = "When was the toll abolished?", "The toll was abolished in 1967."
    signs = signed(asked, passage("d", told), told, [reading])
    assert (signs.usefulness, signs.worded, signs.margin) == (0.7, 1.0, 2.0)
    assert (signs.length, signs.lead) == (6, 0.0)
    beside = signed(asked, passage("d", told), told, [reading], usefulness=0.5, others=[0.2, 0.9])
    assert beside.lead == pytest.approx(-log(9))
    scored = {**passage("d", told), "score": 0.6}
    assert signed(asked, scored, told, [reading]).relevance == 0.6  # type: ignore[arg-type]
    assert signed(asked, passage("d", "Nobody paid."), "Nobody paid.", []).worded == 0.0


def test_what_was_read_in_a_text_is_as_clear_as_its_clearest_sentence() -> None:
    reading = read("The toll was abolished in 1967.", 0.4)
    asked, told = reading["question"], "It rained. The toll was abolished in 1967."
    assert signed(asked, passage("d", told), told, [reading]).margin == 2.0
    assert signed(asked, passage("d", "Nobody paid."), "Nobody paid.", [reading]).margin == -UNREAD


@pytest.mark.parametrize(("heading", "worded"), [("Bridge > Who pays the toll?", 0.5), ("Bridge > The toll", 0.0)])
def test_an_answer_has_the_words_of_the_question_above_it(heading: str, worded: float) -> None:
    under = {**passage("d", "Nobody does, since 1967."), "heading": heading}
    assert signed("When was the toll abolished?", under, under["text"], []).worded == worded


@pytest.mark.parametrize(
    ("said", "text", "there"), [("two crowns", TOLL, True), ("", TOLL, False), ("1955", TOLL, False)]
)
def test_words_stand_in_a_text_in_a_row(said: str, text: str, there: bool) -> None:
    assert stands_in(said, text) is there
