"""Of the answers that were read the evaluator says whether the sentence each stands in answers the question."""

from collections.abc import Sequence
from dataclasses import fields
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.judges import BrokenEvaluator, OverlapCritic, OverlapEvaluator
from tests.fakes.knowledge import passage
from veridic.context import Context
from veridic.errors import JudgeFailed
from veridic.evidence.likeliest import WEIGHED, Weighing
from veridic.evidence.reading import Considered, Text, considered
from veridic.ports.judgements import AnswerSigns, Reading, ReadSpan
from veridic.runtime.run import Run

QUESTION = "When was the Alder Bridge opened?"
TEXT = (
    "The Alder Bridge was opened in 1932. The toll was abolished in 1967. It was painted in 1988. A crane fell in 2001."
)
NEVER = float("inf")


class Asked(OverlapEvaluator):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs: list[tuple[str, str]] = []

    def usefulness(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[float]:
        self.pairs += pairs
        return super().usefulness(pairs, deadline=deadline)


def weighing(evaluator: OverlapEvaluator) -> Weighing:
    judges = SimpleNamespace(evaluator=evaluator, sifter=evaluator, critic=OverlapCritic(), embedder=HashingEmbedder())
    return Weighing(Run(Context(), cast(Any, judges), lambda _event: None), NEVER)


def found(*years: str) -> list[Considered]:
    """These years, read in this order."""
    text = Text({**passage("d", TEXT, title="Bridges")}, TEXT, 0, 0.9)
    skip = len(text.shown) - len(TEXT)
    spans = [
        ReadSpan(skip + TEXT.index(year), skip + TEXT.index(year) + 4, 9.0 - place) for place, year in enumerate(years)
    ]
    return considered(QUESTION, [text], [Reading(spans, 0.0, 0.0, 1.0, (0, len(TEXT)))])


def test_each_has_the_word_on_its_own_sentence_and_nothing_else_changes() -> None:
    before = found("1967", "1932")
    after = weighing(OverlapEvaluator()).weighed(QUESTION, before)
    assert [one.answer.text for one in after] == ["1967", "1932"]
    assert after[0].signs.usefulness < after[1].signs.usefulness
    for one, other in zip(before, after, strict=True):
        apart = [
            field.name
            for field in fields(AnswerSigns)
            if getattr(one.signs, field.name) != getattr(other.signs, field.name)
        ]
        assert (one.answer, apart) == (other.answer, ["usefulness"])


def test_sentences_are_judged_under_the_title_and_each_once() -> None:
    evaluator = Asked()
    asked = weighing(evaluator)
    asked.weighed(QUESTION, found("1932"))
    asked.weighed(QUESTION, found("1932", "1967"))
    assert evaluator.pairs == [
        (QUESTION, "Bridges\nThe Alder Bridge was opened in 1932."),
        (QUESTION, "Bridges\nThe toll was abolished in 1967."),
    ]
    assert asked.pairs == 2


def test_only_the_clearest_are_weighed() -> None:
    years = ("2001", "1988", "1967", "1932")
    assert [one.answer.text for one in weighing(Asked()).weighed(QUESTION, found(*years))] == [*years[:WEIGHED]]
    assert weighing(Asked()).weighed(QUESTION, []) == []


def test_a_place_that_was_judged_is_not_judged_again() -> None:
    evaluator = Asked()
    asked = weighing(evaluator)
    [answer] = asked.weighed(QUESTION, found("1932"))
    assert asked.usefulness(QUESTION, [answer.answer.best]) == [answer.signs.usefulness]
    assert asked.usefulness(QUESTION, []) == []
    assert asked.pairs == len(evaluator.pairs) == 1


def test_an_evaluator_that_fails_is_told() -> None:
    with pytest.raises(JudgeFailed):
        weighing(BrokenEvaluator()).weighed(QUESTION, found("1932"))
