"""The metrics keep what they promise: silence looks bad, more harm is called worse."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.rows import question, row
from veridic.evaluation.metric import CLEAR, verdict
from veridic.evaluation.metrics import QUALITY, SPEED, metrics_of
from veridic.evaluation.scores import Score, scored
from veridic.evaluation.summary import of_pair, of_system

MIXES = st.lists(st.sampled_from(["", "removed", "near miss"]), min_size=1, max_size=12)


def asked_all(mix: Sequence[str], answer: str, **more: str) -> list[Score]:
    return [
        scored(row(question(str(number), missing=missing), answer, **more))  # type: ignore[arg-type]
        for number, missing in enumerate(mix)
    ]


def values(scores: Sequence[Score]) -> dict[str, float | None]:
    found = of_system(scores, metrics_of("answers"))
    return {name: None if one is None else one["value"] for name, one in found.items()}


@settings(deadline=None, max_examples=25)
@given(MIXES)
def test_an_agent_that_abstains_from_everything_looks_bad(mix: list[str]) -> None:
    found = values(asked_all(mix, ""))
    assert found["right"] == 0.0
    assert found["abstained"] == 1.0
    assert found["handled"] == pytest.approx(sum(map(bool, mix)) / len(mix))
    for name in ("right_of_answerable", "token_f1", "alias_accuracy", "citation_recall", "citation_f1"):
        assert found[name] in (0.0, None)
    assert found["right_of_answered"] is None
    assert found["abstention_precision"] == pytest.approx(sum(map(bool, mix)) / len(mix))


@settings(deadline=None, max_examples=25)
@given(MIXES)
def test_an_agent_that_answers_everything_hallucinates(mix: list[str]) -> None:
    found = values(asked_all(mix, "Clara Voss opened it."))
    assert found["abstained"] == 0.0
    assert found["right"] == pytest.approx(mix.count("") / len(mix))
    assert found["hallucinated"] in (1.0, None)
    assert found["abstention_recall"] in (0.0, None)


@settings(deadline=None, max_examples=25)
@given(MIXES, st.lists(st.sampled_from(["", "Clara Voss", "Someone else"]), min_size=12, max_size=12))
def test_right_wrong_and_abstained_are_all_there_is(mix: list[str], answers: list[str]) -> None:
    scores = [asked_all(mix[at : at + 1], answers[at])[0] for at in range(len(mix))]
    found = values(scores)
    assert sum(found[name] or 0.0 for name in ("right", "wrong", "abstained")) == pytest.approx(1.0)


@settings(deadline=None)
@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_rise_of_what_should_be_less_is_called_worse(difference: float, below: float, above: float) -> None:
    number = CLEAR
    low, high = difference - below, difference + above
    for better in ("more", "less"):
        said = verdict(better, difference, low, high, number)  # type: ignore[arg-type]
        if difference:
            assert said.startswith("better" if (difference > 0) == (better == "more") else "worse")
            assert said.endswith("clearly") == (low <= 0 <= high)


def test_a_handful_of_questions_makes_nothing_clear() -> None:
    assert verdict("less", 1.0, 1.0, 1.0, CLEAR - 1) == "worse, not clearly"
    assert verdict("less", 1.0, 1.0, 1.0, CLEAR) == "worse"


@pytest.mark.parametrize("name", ["wrong", "hallucinated", "ece", "planted_told", "seconds_p50", "calls"])
def test_harm_and_cost_are_better_when_less(name: str) -> None:
    assert {**QUALITY, **SPEED}[name].better == "less"


def test_a_pair_names_what_got_worse() -> None:
    asked = [question(str(number), missing="near miss") for number in range(12)]
    careful = [scored(row(one, "", system="a")) for one in asked]
    bold = [scored(row(one, "Clara Voss", system="b", seconds=3.0)) for one in asked]
    found = of_pair(careful, bold, metrics_of("answers"))
    assert found["hallucinated"]["difference"] == 1.0
    assert found["hallucinated"]["verdict"] == "worse"
    assert found["handled"]["verdict"] == "worse"
    assert found["ratio_p50"]["value"] == pytest.approx(3.0)


def test_pairs_use_only_what_both_answered() -> None:
    asked = [question(str(number)) for number in range(4)]
    first = [scored(row(one, "Clara Voss")) for one in asked]
    other = [scored(row(one, "Someone")) for one in asked[:2]]
    assert of_pair(first, other, metrics_of("answers"))["right"]["difference"] == -1.0


def test_citations_count_against_gold_passages() -> None:
    found = values([scored(row(question(gold=["bridge", "tower"]), "Clara Voss", cited=["bridge", "library"]))])
    assert found["citation_precision"] == 0.5
    assert found["citation_recall"] == 0.5
    assert found["citation_f1"] == 0.5
    assert found["recall_at_1"] == 0.5


def test_planted_falsehoods_are_counted_where_they_pass_and_where_they_are_told() -> None:
    lie = {"text": "It was opened by Anna Berg.", "planted": "entity"}
    caught = scored(row(question("1"), "Clara Voss", scripted=lie))
    told = scored(row(question("2"), "It was opened by Anna Berg.", scripted=lie))
    found = values([caught, told])
    assert found["planted_told"] == found["planted_passed"] == 0.5


def test_speed_measures_costs_alone() -> None:
    assert set(metrics_of("speed")) == set(SPEED)
