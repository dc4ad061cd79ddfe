"""The cascade: base decides what small ranks, within a question's tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.grader import GradingChat, always, each, items_of, same
from tests.models.judge_conformance import NEVER, CriticConformance, EvaluatorConformance
from veridic.models import by_settings
from veridic.models.calibration import Calibration
from veridic.models.cascade import CascadeCritic, CascadeEvaluator
from veridic.models.chat.grader import Grader
from veridic.models.chat.grading import ChatCritic, ChatEvaluator
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.scorers import Pairs, Scored, TrainedCritic, TrainedEvaluator
from veridic.ports.judgements import GradeWeights, Rank, log_odds
from veridic.ports.shapes import GradeName, Usage
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
    nearest: Sequence[float] = ()

    @property
    def fingerprint(self) -> str:
        return f"said by {self.rank}"

    @property
    def calibration(self) -> Calibration:
        return replace(Calibration.identity(self.fingerprint), nearest=list(self.nearest))

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


WEIGHTS = GradeWeights(full=3.0, other=-2.0)
PAIRS = [("p1", "h1"), ("p2", "h1"), ("p1", "h2"), ("p2", "h2")]


def test_what_base_says_counts_and_is_told_as_its_word() -> None:
    small, base = SaidScorer({"p1 h1": 5.0}), base_of(p1_h1=-5.0)
    [said] = cascade(small, base).judge([("p1", "h1")], deadline=NEVER)
    assert said.judged_by == "base"
    assert said.entailment < 0.1 < 0.9 < said.contradiction


def test_a_critic_that_is_calibrated_to_reads_the_nearest_sentence_alone_too() -> None:
    premise, near, statement = "Mia left in May. Ada moved in June.", "Ada moved in June.", "Ada moved in May."
    base = SaidScorer({f"{premise} {statement}": 2.0, f"{near} {statement}": -4.0}, "base", nearest=(0, 1, 1))
    [said] = TrainedCritic(base).judge([(premise, statement)], deadline=NEVER)
    assert base.asked == [(premise, statement), (near, statement)]
    assert said.entailment < 0.5 < base.calibration.entailed(0.95, 0.9)
    assert TrainedCritic(base).tokens([(premise, statement)]) == [20]
    assert said.entailment + said.neutral + said.contradiction == pytest.approx(1.0)


def test_the_first_premise_of_every_statement_comes_first_and_then_the_likeliest() -> None:
    small, base = SaidScorer({"p2 h1": 3.0, "p1 h1": 2.0, "p1 p2 h2": -1.0, "p2 h2": -2.0}), base_of()
    pairs = [("p1 p2", "h1"), ("p1", "h1"), ("p2", "h1"), ("p1 p2", "h2"), ("p2", "h2")]
    cascade(small, base, tokens=30).judge(pairs, deadline=NEVER)
    assert base.asked == [("p1 p2", "h1"), ("p1 p2", "h2"), ("p2", "h1")]


def test_what_small_alone_says_supports_no_more_than_base_did_and_contradicts_nothing() -> None:
    small, base = SaidScorer({"p1 h1": 6.0, "p2 h1": 5.0, "p1 h2": -6.0}), base_of(p1_h1=-1.0)
    said = cascade(small, base, tokens=10).judge(PAIRS, deadline=NEVER)
    assert [one.judged_by for one in said] == ["base", "small", "base", "small"], "every statement is base's"
    assert said[1].entailment <= said[0].entailment
    assert said[3].entailment <= said[2].entailment
    assert said[1].contradiction == said[3].contradiction == 0.0


def test_base_hears_the_question_that_statements_answer_and_small_does_not() -> None:
    heard = list[str]()

    class Hearing(SaidScorer):
        def hearing(self, question: str) -> SaidScorer:
            heard.append(question)
            return base_of(p1_h1=5.0)

    critic = cascade(SaidScorer({}), Hearing({}, "base"))
    [said] = critic.hearing("why?").judge([("p1", "h1")], deadline=NEVER)
    [deaf] = critic.judge([("p1", "h1")], deadline=NEVER)
    assert heard == ["why?"]
    assert said.entailment > 0.9 > 0.5 > deaf.entailment


def test_tokens_are_the_questions_whichever_step_spends_them() -> None:
    critic, ledger = cascade(SaidScorer({}), base_of(), tokens=40), Ledger()
    critic.charged_to(ledger).judge(PAIRS, deadline=NEVER)
    assert ledger.usage["base_tokens"] == 40
    base = base_of()
    cascade(SaidScorer({}), base, tokens=40).charged_to(Ledger(before=ledger.usage)).judge(PAIRS, deadline=NEVER)
    assert base.asked == [("p1", "h1"), ("p1", "h2")], "the first premise of a statement is read all the same"


def test_base_scores_the_likeliest_passages_and_none_of_the_others_lies_above_them() -> None:
    small, base = SaidScorer({"q p1": 2.0, "q p2": 1.0, "q p3": 0.5}), base_of(q_p1=-3.0, q_p2=2.0)
    evaluator = CascadeEvaluator(TrainedEvaluator(small), TrainedEvaluator(base), tokens=50)
    said = evaluator.score([("q", "p1"), ("q", "p2"), ("q", "p3")], deadline=NEVER)
    assert base.asked == [("q", "p1"), ("q", "p2")]
    assert said[1].probability > said[0].probability >= said[2].probability


def heard(chat: GradingChat, base: SaidScorer, tokens: int = ALWAYS) -> CascadeCritic:
    """A cascade over a small judge that is sure of everything, and a chat model that is better than both."""
    small = SaidScorer({" ".join(pair): 5.0 for pair in PAIRS})
    third = ChatCritic(Grader(chat, once=True), WEIGHTS)
    return CascadeCritic(TrainedCritic(small), TrainedCritic(base), tokens=tokens, chat=third)


def test_a_chat_model_is_asked_in_one_call_about_every_statement_beside_its_first_premise() -> None:
    chat = GradingChat(each(lambda item: ("full" if "h1" in item.about else "contradicted", item.texts[0][0])))
    ledger, base = Ledger(), base_of(p1_h3=9.0, p1_h4=-9.0)
    pairs = [*PAIRS, ("p1", "h3"), ("p1", "h4")]
    said = heard(chat, base).charged_to(ledger).judge(pairs, deadline=NEVER)
    asked = {item.about: [text for _, text in item.texts] for item in items_of(chat.prompts[0])}
    assert asked == {one: ["p1"] for one in ("h1", "h2", "h3", "h4")}
    assert next(iter(asked)) == "h3", "what base supports most comes first"
    assert [one.judged_by for one in said] == ["chat", "base"] * 2 + ["chat"] * 2
    assert (ledger.usage["calls"], ledger.usage["statement_calls"], len(ledger.grades)) == (1, 1, 4)


@given(st.floats(-8, 8), st.sampled_from(["full", "partial", "contradicted", "none"]))
def test_its_word_moves_the_odds_by_the_weight_of_its_evidence(logit: float, grade: GradeName) -> None:
    [alone] = cascade(SaidScorer({}), base_of(p1_h1=logit)).judge(PAIRS[:1], deadline=NEVER)
    [said] = heard(GradingChat(same(grade)), base_of(p1_h1=logit)).judge(PAIRS[:1], deadline=NEVER)
    moved = WEIGHTS.full if grade == "full" else WEIGHTS.other
    odds = log_odds(said.entailment, least=1e-9) - log_odds(alone.entailment)
    assert said.weight == moved == pytest.approx(odds, abs=1e-3)
    assert said.entailment + said.neutral + said.contradiction == pytest.approx(1.0)
    if grade == "contradicted":
        assert said.neutral == pytest.approx(0.0)


def test_it_hears_the_question_that_the_statements_answer() -> None:
    chat = GradingChat(same("full"))
    heard(chat, base_of()).hearing("Who came?").judge(PAIRS[:1], deadline=NEVER)
    assert "<question>Who came?</question>" in chat.prompts[0].user


def test_what_base_had_no_tokens_for_is_weighed_too() -> None:
    said = heard(GradingChat(same("partial")), base_of(), tokens=0).judge([("p1", "h1")], deadline=NEVER)
    assert (said[0].judged_by, said[0].weight) == ("chat", WEIGHTS.other)


def test_a_question_has_one_such_call_over_all_its_attempts_and_a_budget_may_leave_none() -> None:
    chat = GradingChat(same("full"))
    for before in (Usage(statement_calls=1), Usage(calls=3)):
        ledger = Ledger(call_budget=3, before=before)
        said = heard(chat, base_of()).charged_to(ledger).judge([("p1", "h1")], deadline=NEVER)
        assert (said[0].judged_by, len(chat.prompts)) == ("base", 0)


def test_a_chat_model_that_fails_or_cannot_be_read_leaves_it_to_base_and_is_told() -> None:
    ledger, chat = Ledger(), GradingChat(always("I'm sorry."))
    said = heard(chat, base_of()).charged_to(ledger).judge([("p1", "h1")], deadline=NEVER)
    assert said[0].judged_by == "base"
    assert [failure["node"] for failure in ledger.problems] == ["chat"]
    assert len(chat.prompts) == ledger.usage["statement_calls"] == 1


def test_a_chat_model_grades_passages_only_where_none_answers_yet() -> None:
    chat, base = GradingChat(same("full")), base_of(q_p1=-0.5, q_p2=-5.0, r_p1=9.0, r_p2=0.0)
    third = ChatEvaluator(Grader(chat, once=True))
    small = TrainedEvaluator(SaidScorer({"q p1": 2.0, "q p2": 1.0, "r p1": 2.0, "r p2": 1.0}))
    evaluator = CascadeEvaluator(small, TrainedEvaluator(base), tokens=ALWAYS, chat=third)
    ledger = Ledger()
    said = evaluator.charged_to(ledger).score([("q", "p1"), ("q", "p2"), ("r", "p1"), ("r", "p2")], deadline=NEVER)
    assert [(item.about, item.texts) for item in items_of(chat.prompts[0])] == [("q", [(1, "p1")])]
    assert said[0].probability >= evaluator.thresholds("strict").upper > said[1].probability
    assert ledger.usage["passage_calls"] == 1


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
        evaluator, critic = by_settings.open_deciding(Settings(judges="base"))
    assert isinstance(critic, TrainedCritic)
    assert isinstance(evaluator, TrainedEvaluator)
    assert [record.message for record in caplog.records] == [
        "The base judge is not installed. The small one decides alone, and verifies nothing that is read or quoted. "
        "It is a package of its own: in the checkout, pip install ./judge-base."
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
    assert isinstance(by_settings.open_deciding(Settings(judges="base"))[1], CascadeCritic)
    assert isinstance(by_settings.open_deciding(Settings(judges="small"))[1], TrainedCritic)
    evaluator, critic = by_settings.open_deciding(Settings(judges="base", critic=str(SHIPPED / "judge")))
    assert isinstance(evaluator, CascadeEvaluator)
    assert isinstance(critic, TrainedCritic)
