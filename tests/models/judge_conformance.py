"""What any evaluator or critic must do, whatever scores behind it."""

from __future__ import annotations

import re
from typing import cast

import pytest

from veridic.errors import DeadlineExceeded
from veridic.ports.judging import Critic, Judge, RetrievalEvaluator

NEVER = float("inf")
PASSAGE = (
    "Marie Curie\nMarie Curie was born in Warsaw in 1867. She won the Nobel Prize in Physics in 1903 with Pierre Curie "
    "and Henri Becquerel. She won the Nobel Prize in Chemistry in 1911."
)


class JudgeConformance:
    """What any evaluator or critic must do."""

    fingerprint = r"[0-9a-f]{16}"

    @pytest.fixture
    def subject(self) -> Judge:
        raise NotImplementedError

    def scores(self, subject: Judge, pairs: list[tuple[str, str]], deadline: float = NEVER) -> list[object]:
        raise NotImplementedError

    def test_one_result_a_pair_in_order(self, subject: Judge) -> None:
        pairs = [(PASSAGE, "She was born."), ("a", "b"), (PASSAGE * 9, "x"), ("", "")]
        results = self.scores(subject, pairs)
        assert len(results) == len(pairs)

    def test_no_pairs_no_results(self, subject: Judge) -> None:
        assert self.scores(subject, []) == []

    def test_it_names_its_weights_gates_and_has_three_points(self, subject: Judge) -> None:
        assert re.fullmatch(self.fingerprint, subject.fingerprint)
        assert subject.gates
        assert subject.thresholds("loose").support <= subject.thresholds("strict").support

    def test_a_deadline_in_the_past_is_kept(self, subject: Judge) -> None:
        with pytest.raises(DeadlineExceeded):
            self.scores(subject, [("a", "b")], deadline=1.0)


class EvaluatorConformance(JudgeConformance):
    """What any evaluator must do besides."""

    def scores(self, subject: Judge, pairs: list[tuple[str, str]], deadline: float = NEVER) -> list[object]:
        return list(cast(RetrievalEvaluator, subject).score(pairs, deadline=deadline))

    def test_usefulness_is_a_probability_a_pair_in_time(self, subject: RetrievalEvaluator) -> None:
        found = subject.usefulness([("Where was she born?", PASSAGE), ("a", "b"), ("", "")], deadline=NEVER)
        assert len(found) == 3
        assert all(0 <= score <= 1 for score in found)
        assert subject.usefulness([], deadline=NEVER) == []
        with pytest.raises(DeadlineExceeded):
            subject.usefulness([("a", "b")], deadline=1.0)


class CriticConformance(JudgeConformance):
    """What any critic must do besides."""

    def scores(self, subject: Judge, pairs: list[tuple[str, str]], deadline: float = NEVER) -> list[object]:
        return list(cast(Critic, subject).judge(pairs, deadline=deadline))

    def test_the_three_sum_to_one(self, subject: Critic) -> None:
        for found in subject.judge([(PASSAGE, "She lived in Paris."), ("x", "y")], deadline=NEVER):
            assert found.entailment + found.neutral + found.contradiction == pytest.approx(1)
