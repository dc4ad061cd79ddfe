"""The cascade: base decides what small ranks, within a question's tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.models.judge_conformance import NEVER, CriticConformance, EvaluatorConformance
from veridic.models import by_settings
from veridic.models.calibration import Calibration
from veridic.models.cascade import CascadeCritic, CascadeEvaluator
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.scorers import Pairs, Scored, TrainedCritic, TrainedEvaluator
from veridic.ports.judgements import Rank
from veridic.runtime.ledger import Ledger
from veridic.settings import Settings

ALWAYS = 10_000


@dataclass
class SaidScorer:
    """Says what a table says of the second text of a pair; each pair takes ten tokens."""

    said: dict[str, float]
    rank: Rank = "small"
    asked: list[tuple[str, str]] = field(default_factory=list)
    heads: Sequence[str] = ("relevance", "nli")

    @property
    def fingerprint(self) -> str:
        return f"said by {self.rank}"

    @property
    def calibration(self) -> Calibration:
        return Calibration.identity(self.fingerprint)

    def tokens(self, pairs: Pairs, head: str) -> list[int]:
        return [10 for _ in pairs]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[Scored]:
        self.asked += pairs
        return [Scored([(0, 1)], self._row(self.said.get(" ".join(pair), 0.0), head)) for pair in pairs]

    def _row(self, value: float, head: str) -> np.ndarray:
        return np.array([value] if head == "relevance" else [[value, 0.0, -value]], dtype=np.float32)


def cascade(small: SaidScorer, base: SaidScorer, tokens: int = ALWAYS) -> CascadeCritic:
    return CascadeCritic(TrainedCritic(small), TrainedCritic(base), tokens=tokens)


def base_of(**said: float) -> SaidScorer:
    return SaidScorer({key.replace("_", " "): value for key, value in said.items()}, "base")


PAIRS = [("p1", "h1"), ("p2", "h1"), ("p1", "h2"), ("p2", "h2")]


def test_what_base_says_counts_and_is_told_as_its_word() -> None:
    small, base = SaidScorer({"p1 h1": 5.0}), base_of(p1_h1=-5.0)
    [said] = cascade(small, base).judge([("p1", "h1")], deadline=NEVER)
    assert said.judged_by == "base"
    assert said.entailment < 0.1 < 0.9 < said.contradiction


def test_the_likeliest_premise_of_every_statement_comes_before_any_second_one() -> None:
    small, base = SaidScorer({"p2 h1": 3.0, "p1 h1": 2.0, "p1 h2": -1.0, "p2 h2": -2.0}), base_of()
    cascade(small, base, tokens=30).judge(PAIRS, deadline=NEVER)
    assert base.asked == [("p2", "h1"), ("p1", "h2"), ("p1", "h1")]


def test_what_small_alone_says_supports_no_more_than_base_did_and_contradicts_nothing() -> None:
    small, base = SaidScorer({"p1 h1": 6.0, "p2 h1": 5.0, "p1 h2": -6.0}), base_of(p1_h1=-1.0)
    said = cascade(small, base, tokens=10).judge(PAIRS, deadline=NEVER)
    assert [one.judged_by for one in said] == ["base", "small", "small", "small"]
    assert said[1].entailment <= said[0].entailment
    assert all(one.contradiction == 0.0 for one in said[1:])
    assert all(one.entailment == 0.0 for one in said[2:]), "base was never asked of the second statement"


def test_tokens_are_the_questions_whichever_step_spends_them() -> None:
    critic, ledger = cascade(SaidScorer({}), base_of(), tokens=25), Ledger()
    critic.charged_to(ledger).judge(PAIRS, deadline=NEVER)
    assert ledger.usage["base_tokens"] == 20
    base = base_of()
    cascade(SaidScorer({}), base, tokens=25).charged_to(Ledger(before=ledger.usage)).judge(PAIRS, deadline=NEVER)
    assert base.asked == []


def test_base_scores_the_likeliest_passages_and_none_of_the_others_lies_above_them() -> None:
    small, base = SaidScorer({"q p1": 2.0, "q p2": 1.0, "q p3": 0.5}), base_of(q_p1=-3.0, q_p2=2.0)
    evaluator = CascadeEvaluator(TrainedEvaluator(small), TrainedEvaluator(base), tokens=50)
    said = evaluator.score([("q", "p1"), ("q", "p2"), ("q", "p3")], deadline=NEVER)
    assert base.asked == [("q", "p1"), ("q", "p2")]
    assert said[1].probability > said[0].probability >= said[2].probability


class TestCascadeCritic(CriticConformance):
    """Over two shipped judges."""

    @pytest.fixture
    def subject(self) -> CascadeCritic:
        return CascadeCritic(TrainedCritic(OnnxJudge()), TrainedCritic(OnnxJudge()), tokens=ALWAYS)


class TestCascadeEvaluator(EvaluatorConformance):
    """Over two shipped judges."""

    @pytest.fixture
    def subject(self) -> CascadeEvaluator:
        return CascadeEvaluator(TrainedEvaluator(OnnxJudge()), TrainedEvaluator(OnnxJudge()), tokens=ALWAYS)


def test_without_its_weights_small_decides_and_the_log_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    by_settings._tell_missing.cache_clear()
    monkeypatch.setattr(by_settings, "find_spec", lambda _name: None)
    for _ in range(2):
        evaluator, critic = by_settings.open_deciding(Settings())
    assert isinstance(critic, TrainedCritic)
    assert isinstance(evaluator, TrainedEvaluator)
    assert [record.message for record in caplog.records] == [
        "The base judge is not installed, and the small one decides alone: pip install 'veridic[base]'."
    ]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A base judge's package that holds the shipped small judge."""
    folder = tmp_path / by_settings.BASE
    folder.mkdir()
    for path in (SHIPPED / "judge").iterdir():
        (folder / path.name).symlink_to(path)
    spec = SimpleNamespace(origin=str(folder / "__init__.py"))
    monkeypatch.setattr(by_settings, "find_spec", lambda _name: spec)
    return folder


@pytest.mark.usefixtures("installed")
def test_with_its_weights_base_decides_unless_the_settings_want_small_or_another() -> None:
    assert isinstance(by_settings.open_deciding(Settings())[1], CascadeCritic)
    assert isinstance(by_settings.open_deciding(Settings(judges="small"))[1], TrainedCritic)
    evaluator, critic = by_settings.open_deciding(Settings(critic=str(SHIPPED / "judge")))
    assert isinstance(evaluator, CascadeEvaluator)
    assert isinstance(critic, TrainedCritic)
