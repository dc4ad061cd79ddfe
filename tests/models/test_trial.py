"""The trial: what is measured of a judge, what is kept of it, and which chat model is trusted by it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.grader import GradingChat, each, same
from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader
from tests.graph.world import World
from tests.models.test_cascade import SaidScorer
from veridic.api.trial import try_judge
from veridic.errors import InvalidSetting, MissingExtra, NotUsable, UsageError
from veridic.graph.opening import Handed, opener
from veridic.graph.systems import SYSTEMS
from veridic.models import by_settings
from veridic.models.cascade import CascadeCritic
from veridic.models.chat.grader import Grader
from veridic.models.chat.grading import ChatCritic, ChatEvaluator
from veridic.models.judges_by_name import better_chat, chat_judge, judge_named, trial_of
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.scorers import TrainedCritic
from veridic.models.trial import Figure, Found, NamedJudge, Trial, TrialPair, ahead, figure, shipped_pairs
from veridic.ports.shapes import TrialFigure
from veridic.resources import graded_by, judged_beside, open_resources
from veridic.runtime.run import Resources
from veridic.settings import Settings

PAIRS = [
    TrialPair(kind, first, second, label, half)  # type: ignore[arg-type]
    for half in ("fit", "report")
    for name in ("Alder", "Birch", "Cedar", "Maple")
    for text in [f"The {name} Bridge was opened in 1932 by mayor Clara Voss."]
    for kind, first, second, label in (
        ("statement", text, f"The {name} Bridge was opened in 1932.", True),
        ("statement", text, f"The {name} Bridge was opened in 1955.", False),
        ("passage", f"When was the {name} Bridge opened?", text, True),
        ("passage", f"When was the {name} Bridge painted?", text, False),
        ("passage", "Which books does the Marsh Library hold?", text, False),
    )
]


def judge_of(chat: GradingChat) -> NamedJudge:
    return chat_judge(chat, Settings(model="openai:big"))


def found_right(right: list[int], name: str = "one") -> Found:
    told = Figure(0.9, 0.8, 1.0, 0.9, right)
    return Found(name, told, told, 0, 0.0)


def test_a_figure_has_its_interval_and_counts_ties_by_half() -> None:
    told = figure([True, True, False, False], [0.9, 0.5, 0.5, 0.1], 0.6)
    assert (told.auc, told.accuracy, told.right) == (0.875, 0.75, [1, 0, 1, 1])
    assert 0 < told.low < told.auc < told.high == 1.0
    many = figure([True, True, False, False] * 50, [0.9, 0.5, 0.5, 0.1] * 50, 0.6)
    assert (many.auc, many.low > told.low) == (0.875, True)


def test_better_is_what_is_right_more_often_over_the_same_pairs_and_not_by_chance() -> None:
    weak, strong, near = found_right([1, 0] * 20), found_right([1, 1, 1, 0] * 10), found_right([1] + [1, 0] * 19 + [0])
    assert ahead(strong, weak)[0] == 0.25
    assert [ahead(*pair)[1] > 0 for pair in ((strong, weak), (near, weak), (weak, strong))] == [True, False, False]
    assert ahead(Found("reranker", strong.passages, None, 0, 0.0), weak) == (0.0, 0.0)


def test_the_reporting_half_alone_is_asked_eight_pairs_a_call_and_the_calls_are_told(tmp_path: Path) -> None:
    chat = GradingChat()
    found = Trial(tmp_path, PAIRS).hold(judge_of(chat))
    assert (found.calls, len(chat.prompts), found.passed) == (3, 3, True)
    assert found.statements is not None
    assert (found.statements.auc, found.statements.right) == (1.0, [1] * 8)


@pytest.mark.parametrize("grade", ["full", "partial", "none"])
def test_who_says_the_same_to_everything_does_not_pass(grade: str) -> None:
    assert not Trial(None, PAIRS).hold(judge_of(GradingChat(same(grade)))).passed


def test_any_evaluator_and_critic_can_be_tried() -> None:
    found = Trial(None, PAIRS).hold(NamedJudge("overlap", OverlapEvaluator(), OverlapCritic()))
    assert (found.judge, found.calls, found.passages is not None) == ("overlap", 0, True)
    assert Trial(None, PAIRS).hold(NamedJudge("alone", None, OverlapCritic())).passages is None


def test_what_was_found_is_kept_for_these_pairs_this_judge_and_its_place(tmp_path: Path) -> None:
    judge = judge_of(GradingChat())
    found = Trial(tmp_path, PAIRS).hold(judge)
    assert Trial(tmp_path, PAIRS).known(judge) == found
    assert Trial(tmp_path, PAIRS[:-3]).known(judge) is None
    elsewhere = chat_judge(GradingChat(), Settings(model="openai:big", base_url="http://127.0.0.1:9"))
    assert Trial(tmp_path, PAIRS).known(elsewhere) is None
    [kept] = tmp_path.iterdir()
    kept.write_text('{"judge": 1}', encoding="utf-8")
    assert Trial(tmp_path, PAIRS).known(judge) is None


def test_the_weights_of_a_judge_are_the_ratios_of_how_often_it_passes_true_and_false_statements() -> None:
    trial = Trial(None, PAIRS)  # four true statements and four false ones report, by turns
    careful, lenient = (trial.weights(found_right(right)) for right in ([1, 1] * 3 + [0, 1], [1, 0] * 3 + [1, 1]))
    assert careful.full == pytest.approx(math.log((3.5 / 5) / (0.5 / 5)))
    assert careful.other == pytest.approx(math.log((1.5 / 5) / (4.5 / 5)))
    assert lenient.full == pytest.approx(math.log((4.5 / 5) / (3.5 / 5)))
    assert 0 < lenient.full < careful.full, "what passes nearly all shows little"


def test_the_pairs_that_ship_are_balanced_in_both_halves() -> None:
    for half in ("fit", "report"):
        for kind in ("passage", "statement"):
            labels = [one.label for one in shipped_pairs() if (one.half, one.kind) == (half, kind)]
            assert 2 * sum(labels) == len(labels) > 0
    texts = {half: {one.first for one in shipped_pairs() if one.half == half} for half in ("fit", "report")}
    assert not texts["fit"] & texts["report"]


def test_a_name_is_looked_up_and_one_that_is_none_is_refused() -> None:
    assert judge_named("small", Settings()).name == "small"
    assert judge_named("ollama:big", Settings(base_url="http://127.0.0.1:9")).place == "http://127.0.0.1:9"
    with pytest.raises(UsageError, match="Did you mean small"):
        judge_named("smal", Settings())
    with pytest.raises(InvalidSetting, match="extractive is none"):
        judge_named("extractive", Settings())


def test_base_has_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_settings, "base_folder", lambda: None)
    with pytest.raises(MissingExtra, match="judge-base"):
        judge_named("base", Settings())


Keep = Callable[[NamedJudge, Found], None]


class TestTrusted:
    """What a kept trial changes when the resources are opened."""

    @pytest.fixture
    def chosen(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
        monkeypatch.setattr(by_settings, "base_folder", lambda: None)
        return Settings(kb=str(tmp_path / "kb.sqlite"), cache=tmp_path, model="openai:big", judges="base")

    @pytest.fixture
    def keep(self, chosen: Settings, monkeypatch: pytest.MonkeyPatch) -> Keep:
        """Keeps what a trial is to have found."""

        def kept(judge: NamedJudge, found: Found) -> None:
            trial = trial_of(chosen)
            monkeypatch.setattr(Trial, "_of_passages", lambda *_: found.passages)
            monkeypatch.setattr(Trial, "_of_statements", lambda *_: found.statements)
            trial.hold(judge)

        return kept

    def test_a_better_chat_model_is_asked_what_the_cascade_leaves_open(self, chosen: Settings, keep: Keep) -> None:
        keep(judge_named("small", chosen), found_right([1, 0] * 40))
        assert isinstance(open_resources(chosen).critic, TrainedCritic), "it was not tried"
        keep(judge_named("openai:big", chosen), found_right([1] * 80))
        resources = open_resources(chosen)
        assert isinstance(resources.critic, CascadeCritic)
        assert resources.critic.fingerprint != judged_beside(resources, None).critic.fingerprint
        assert {rank: one["judge"] for rank, one in resources.trials.items()} == {
            "small": "small",
            "chat": "openai:big",
        }
        assert judged_beside(resources, None).trials.keys() == {"small"}
        alone = open_resources(chosen.model_copy(update={"judges": "small"}))
        assert isinstance(alone.critic, TrainedCritic)

    def test_one_that_is_not_shown_to_be_better_is_not_asked(self, chosen: Settings, keep: Keep) -> None:
        chat = GradingChat()
        chat.name = "openai:big"
        keep(judge_named("openai:big", chosen), found_right([1, 0] * 20))
        assert better_chat(chat, chosen) is None, "small was not tried"
        keep(judge_named("small", chosen), found_right([0, 1] * 20))
        assert better_chat(chat, chosen) is None

    def test_grades_of_a_model_count_once_it_passed(self, chosen: Settings, keep: Keep) -> None:
        chat, judges = GradingChat(), (OverlapEvaluator(), OverlapCritic())
        chat.name = "openai:big"
        assert not graded_by(chat, *judges, chosen)[0].gates
        keep(judge_named("openai:big", chosen), found_right([1] * 40))
        assert [one.gates for one in graded_by(chat, *judges, chosen)] == [True, True]
        chat.name = "handed in"
        assert not graded_by(chat, *judges, chosen)[0].gates


def test_a_model_that_was_handed_in_judges_beside_the_others_once_it_was_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = SimpleNamespace(origin=str(SHIPPED / "judge" / "__init__.py"))
    monkeypatch.setattr(by_settings, "find_spec", lambda _name: spec)
    monkeypatch.setattr(Trial, "_of_passages", lambda *_: None)
    chosen = Settings(kb=str(tmp_path / "kb.sqlite"), cache=tmp_path, model="extractive", judges="base")
    supported = {one.second for one in shipped_pairs() if one.label}
    knowing = GradingChat(each(lambda item: ("full" if item.about in supported else "none", item.texts[0][0])))
    assert asks(opened_with(knowing, chosen)) is False
    tried = try_judge(knowing, chosen)
    assert (tried.judges, tried.figure and tried.figure["accuracy"]) == (True, 1.0)
    assert asks(opened_with(knowing, chosen)) is True
    assert opened_with(knowing, chosen).trials["chat"]["judge"] == knowing.name
    guessing = GradingChat(same("full"))
    guessing.name = "guessing"
    assert try_judge(guessing, chosen).judges is False
    assert asks(opened_with(guessing, chosen)) is False
    with pytest.raises(NotUsable):
        try_judge(object(), chosen)


def opened_with(chat: ScriptedChat, settings: Settings) -> Resources:
    resources = open_resources(settings, reader=OverlapReader())
    return opener(SYSTEMS["veridic"], resources, None, Handed(model=chat))()


def asks(resources: Resources) -> bool:
    """Whether its critic asks a chat model beside the trained judges."""
    assert isinstance(resources.critic, CascadeCritic)
    return resources.critic.fingerprint != resources.critic.asking(None).fingerprint


def world_with(tmp_path: Path, critic: Any, evaluator: Any, **more: Any) -> World:
    writer = ScriptedChat(always="Emil Stark opened the Alder Bridge in 1955.", follows_instructions=True)
    return World(tmp_path / "kb.sqlite", chat=writer, evaluator=evaluator, critic=critic, **more)


def test_a_run_graded_by_an_untried_model_ends_unverified_and_says_what_tries_it(tmp_path: Path) -> None:
    chat = GradingChat(same("full"))
    evaluator, critic = graded_by(chat, OverlapEvaluator(), OverlapCritic(), Settings(cache=tmp_path))
    assert isinstance(evaluator, ChatEvaluator)
    assert isinstance(critic, ChatCritic)
    result = world_with(tmp_path, critic, evaluator, grader=chat).ask("When was the Alder Bridge opened?")
    assert result["outcome"] == "unverified"
    assert "`veridic trial grading`" in result["reason"]
    assert "trials" not in result["judges"]


def test_a_run_asks_a_better_model_once_over_all_attempts_and_tells_who_judged(tmp_path: Path) -> None:
    chat = GradingChat(same("none"))
    small, base = TrainedCritic(SaidScorer({})), TrainedCritic(SaidScorer({}, "base"))
    critic = CascadeCritic(small, base, tokens=100_000, chat=ChatCritic(Grader(chat, once=True)))
    told = TrialFigure(judge="grading", auc=0.9, low=0.8, high=0.95, accuracy=0.85, pairs=60)
    world = world_with(tmp_path, critic, OverlapEvaluator(), wrap=lambda found: replace(found, trials={"chat": told}))
    result = world.ask("When was the Alder Bridge opened?", max_retries=2)
    assert len(chat.prompts) == result["usage"]["statement_calls"] == 1
    judged = {one.get("judged_by") for candidate in result["candidates"] for one in candidate["sentences"]}
    assert "chat" in judged
    assert {grade["judge"] for grade in result["grades"]} == {"support"}
    assert result["judges"]["trials"] == {"chat": told}
