"""The base judge as reader: what it reads within a question's tokens, and what nobody read says nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from math import ceil
from typing import Self

import numpy as np
import pytest

from tests.models.reader_conformance import BORN, FILLER, NEVER, PASSAGE, ReaderConformance
from veridic.models.base_reader import OF_READING, UNREAD, BaseReader
from veridic.models.by_settings import base_folder, open_judges, open_reader
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.onnx_encoder import OnnxEncoder
from veridic.models.reader import OnnxReader
from veridic.models.reader_calibration import ReaderCalibration
from veridic.models.scorers import Pairs, Scored
from veridic.ports.judgements import Reading, ReadSpan
from veridic.ports.judging import Reader
from veridic.ports.shapes import Usage
from veridic.runtime.ledger import Ledger
from veridic.settings import Settings

BASE = base_folder()
with_base = pytest.mark.skipif(BASE is None, reason="needs the base judge")


@dataclass(eq=False)
class CountedReader(OnnxReader):
    """Reads one span in every text; each takes ten tokens, those that are remembered none."""

    remembered: Sequence[str] = ()
    asked: list[tuple[str, str]] = field(default_factory=list)

    def tokens(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        return [0 if text in self.remembered else 10 for _, text in pairs]

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        self.asked += pairs
        return [Reading([ReadSpan(0, 1, 1.0)], 0.2, 0.2, 0.6, (0, 1)) for _ in pairs]


@dataclass(eq=False)
class SaidJudge(OnnxJudge):
    """Says of "Yes." what a table says of the text; each takes ten tokens."""

    said: Mapping[str, float] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    def hearing(self, question: str) -> Self:
        heard = copy(self)
        heard._question = question
        return heard

    def tokens(self, pairs: Pairs, head: str) -> list[int]:
        return [10 for _ in pairs]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[Scored]:
        self.asked += [(self._question, *pair) for pair in pairs]
        return [
            Scored([(0, len(text))], np.array([[self.said.get(text, 0.0), 0.0, -30.0]], dtype=np.float32))
            for text, _ in pairs
        ]


@dataclass(eq=False)
class SecondReader(OnnxReader):
    """Reads the first character of every text but those that begin with "z"."""

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        start = {True: 5, False: 0}
        places = [start[text.startswith("z")] for _, text in pairs]
        return [Reading([ReadSpan(at, at + 1, 4.0)], 0.2, 0.2, 0.6, (0, 1)) for at in places]


def bounded(reader: CountedReader, texts: int, judge: OnnxJudge | None = None) -> BaseReader:
    """One that has tokens for so many texts."""
    return BaseReader(reader, judge or SaidJudge(), second=SecondReader(), tokens=ceil(10 * texts / OF_READING))


def test_the_first_text_of_every_question_is_read_before_the_second_of_any() -> None:
    reader = CountedReader()
    pairs = [("q1", "a"), ("q1", "b"), ("q2", "a"), ("q2", "b")]
    said = bounded(reader, 3).read(pairs, deadline=NEVER)
    assert reader.asked == [("q1", "a"), ("q2", "a"), ("q1", "b")]
    assert said[3] == UNREAD
    assert all(one.spans for one in said[:3])


def test_each_place_is_told_with_what_a_second_reader_reads_there() -> None:
    alike, apart = bounded(CountedReader(), 2).read([("q", "a"), ("q", "z")], deadline=NEVER)
    assert [one.spans[0].seconded for one in (alike, apart)] == [4.0, -12.0]


def test_what_the_evaluator_scored_is_read_without_more_tokens() -> None:
    reader = CountedReader(remembered=["c"])
    bounded(reader, 1).read([("q", "a"), ("q", "b"), ("q", "c")], deadline=NEVER)
    assert reader.asked == [("q", "c"), ("q", "a")]


def test_one_text_of_each_question_is_read_where_no_tokens_are_left() -> None:
    reader, ledger = CountedReader(), Ledger(before=Usage(base_tokens=10_000))
    bounded(reader, 2).charged_to(ledger).read([("q1", "a"), ("q1", "b"), ("q2", "a")], deadline=NEVER)
    assert reader.asked == [("q1", "a"), ("q2", "a")]
    assert ledger.usage["base_tokens"] == 20


def test_whether_it_is_yes_is_judged_as_a_statement_that_answers_the_question() -> None:
    judge, reader = SaidJudge(said={"it is": 3.0, "it is not": -3.0}), CountedReader()
    reader.calibration = ReaderCalibration.identity("a judge")
    pairs = [("Is it?", "it is"), ("Is it?", "it is not"), ("What is it?", "it is")]
    yes, no, open_one = bounded(reader, 5, judge).read(pairs, deadline=NEVER)
    assert judge.asked == [("Is it?", "it is", "Yes."), ("Is it?", "it is not", "Yes.")]
    assert yes.yes > 0.9 > 0.1 > no.yes
    assert no.no > 0.9
    assert open_one.undecided == 0.6


def test_a_yes_or_no_question_is_judged_and_not_read() -> None:
    reader, ledger = CountedReader(), Ledger()
    reader.calibration = ReaderCalibration.identity("a judge")
    bounded(reader, 3).charged_to(ledger).read([("Is it?", "a"), ("Is it?", "b")], deadline=NEVER)
    assert (reader.asked, ledger.usage["base_tokens"]) == ([], 20)


def test_a_yes_is_placed_where_a_text_that_was_graded_speaks_of_the_question() -> None:
    reader = CountedReader(remembered=["graded before"])
    reader.calibration = ReaderCalibration.identity("a judge")
    pairs = [("Is it?", "graded before"), ("Is it?", "not graded")]
    graded, other = bounded(reader, 3).read(pairs, deadline=NEVER)
    assert reader.asked == [("Is it?", "graded before")]
    assert (graded.decided_in, other.decided_in) == ((0, 1), (0, len("not graded")))
    assert ([len(one.spans) for one in (graded, other)]) == [1, 0]


@with_base
class TestBaseReader(ReaderConformance):
    @pytest.fixture
    def subject(self) -> Reader:
        return open_reader(Settings(judges="base"))

    def test_it_is_the_base_judges_own(self, subject: Reader) -> None:
        assert BASE
        assert isinstance(subject, BaseReader)
        assert subject.gates
        assert subject.fingerprint == OnnxEncoder(BASE).fingerprint

    def test_a_passage_that_was_scored_is_not_read_again(self) -> None:
        assert BASE
        judge, reader = OnnxJudge(BASE), OnnxReader(BASE, calibration=BASE / "reader_calibration.json")
        fresh = f"{PASSAGE} She was fond of {id(judge)} roses."
        before = reader.tokens([(BORN, fresh), (BORN, FILLER)])
        judge.logits([(BORN, fresh)], "relevance", deadline=NEVER)
        assert reader.tokens([(BORN, fresh)]) == [0] != before[:1]

    def test_the_stored_readings_agree(self) -> None:
        assert BASE
        assert OnnxReader(BASE, calibration=BASE / "reader_calibration.json").self_test() < 0.02


def test_small_reads_where_the_settings_want_it_or_another_judge_is_named() -> None:
    assert isinstance(open_reader(Settings(judges="small")), OnnxReader)
    small, _ = open_judges(Settings(judges="small"))
    assert small.scorer.rank == "small"


@with_base
def test_what_is_stored_was_said_without_a_question_and_is_held_against_that() -> None:
    assert BASE
    judge, rows = OnnxJudge(BASE), [{"first": PASSAGE, "second": "She was born in Warsaw."}]
    deaf = judge.raw_probabilities("nli", rows)
    assert np.array_equal(judge.hearing("Where was she born?").raw_probabilities("nli", rows), deaf)
    [heard] = judge.hearing("Where was she born?").logits([(PASSAGE, "Warsaw.")], "nli", deadline=NEVER)
    [unheard] = judge.logits([(PASSAGE, "Warsaw.")], "nli", deadline=NEVER)
    assert not np.array_equal(heard.rows, unheard.rows)
