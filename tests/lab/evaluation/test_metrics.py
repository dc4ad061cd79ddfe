"""The metrics keep what they promise: silence looks bad, more harm is called worse."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lab.evaluation.rows import UNDECIDED, candidate, question, reading, row
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.metric import CLEAR, verdict
from veridic_lab.evaluation.metrics import QUALITY, SPEED, metrics_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.scores import Score, scored
from veridic_lab.evaluation.summary import of_pair, of_system

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
    for name in ("right_of_answerable", "token_f1", "citation_recall", "citation_f1"):
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


@pytest.mark.parametrize("name", ["wrong", "hallucinated", "ece", "seconds_p50", "calls"])
def test_harm_and_cost_are_better_when_less(name: str) -> None:
    assert {**QUALITY, **SPEED}[name].better == "less"


def test_a_short_answer_is_judged_and_the_text_is_measured_beside_it() -> None:
    text = "Anna Berg\n\nThe bridge was opened by Clara Voss."
    body = [candidate("The bridge was opened by Clara Voss.", origin="read")]
    one = scored(row(question("1"), text, short_answer="Anna Berg", candidates=body, confidence=0.7))
    other = scored(row(question("2"), "Clara Voss.", short_answer="Clara Voss", confidence=0.6))
    found = values([one, other])
    assert (one.right, other.right) == (False, True)
    assert (one.confidence, other.confidence) == (0.7, 0.6)
    assert (found["right"], found["token_f1"]) == (0.5, 0.5)


def test_a_text_without_a_short_answer_is_judged_as_it_stands() -> None:
    for short in ({}, {"short_answer": "", "readings": [], "confidence": None}):
        score = scored(row(question(), "It was opened by Clara Voss.", **short))
        assert score.right
        assert score.f1 == pytest.approx(0.5)
        assert score.confidence == pytest.approx(0.9)


def test_a_silence_has_no_confidence() -> None:
    score = scored(row(question(), "", readings=[reading("Anna", holds=False)], confidence=0.3))
    assert (score.answered, score.confidence) == (False, None)


@pytest.mark.parametrize(("gold", "right"), [("maybe", True), ("yes", False)])
def test_what_the_sources_do_not_decide_is_a_maybe(gold: str, right: bool) -> None:
    asked = replace(question(answers=[gold], kind="yes/no"), set="pubmedqa")
    score = scored(row(asked, "", **UNDECIDED))
    assert (score.answered, score.decision, score.right, score.confidence) == (True, "maybe", right, None)


@pytest.mark.parametrize(
    "asked",
    [
        replace(question(answers=["yes"], kind="yes/no", missing="removed"), set="pubmedqa"),
        question(answers=["yes"], kind="yes/no"),
        question(answers=["Anna"]),
    ],
)
def test_undecided_is_silence_where_nothing_can_be_decided(asked: GoldQuestion) -> None:
    score = scored(row(asked, "", **UNDECIDED))
    assert not score.answered
    assert not score.decision


def test_the_time_of_answers_is_told_apart() -> None:
    quick = [scored(row(question(str(number)), "", seconds=0.1)) for number in range(3)]
    slow = [scored(row(question("slow"), "Clara Voss", seconds=2.0))]
    found = values([*quick, *slow])
    assert (found["seconds_p50"], found["seconds_answered"]) == (0.1, 2.0)
    assert values(quick)["seconds_answered"] is None


@settings(deadline=None, max_examples=25)
@given(MIXES)
def test_pasting_a_passage_is_wrong_wherever_it_is_done(mix: list[str]) -> None:
    found = values(asked_all(mix, f"{'It is a long bridge. ' * 9}Clara Voss opened it."))
    assert (found["right"], found["handled"], found["wrong"]) == (0.0, 0.0, 1.0)


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


def test_speed_measures_costs_alone() -> None:
    assert set(metrics_of("speed")) == set(SPEED)


CLAIM = {"text": "It is so.", "evidence": [], "cosine": 0.4, "entailment": 0.2, "contradiction": 0.9}


def report(score: float, **more: object) -> dict[str, object]:
    return {"claims": [CLAIM], "fact_score": score, "entailment_score": 0.2, "missing": 0, **more}


def outside(*rows: Row, suite: str = "outside") -> dict[str, float | None]:
    found = of_system([scored(one) for one in rows], metrics_of(suite))
    return {name: None if one is None else one["value"] for name, one in found.items()}


def test_what_was_asked_and_found_outside_is_counted() -> None:
    sent = [{"source": name, "query": "x", "cached": name == "web"} for name in ("wikipedia", "web", "wikipedia")]
    gone = [{"url": "u", "source": "web", "reason": "bot wall"}]
    sources = {"sent": sent, "discarded": gone, "unavailable": [{"source": "arxiv", "reason": "late"}]}
    found = outside(
        row(question("1", gold=["page"]), "Clara Voss", findings=["page"], strips=[], sources=sources),
        row(question("2", gold=["page"]), "", strips=[]),
    )
    assert (found["asked_wikipedia"], found["asked_web"], found["asked_arxiv"]) == (0.5, 0.5, 0.0)
    assert (found["queries_sent"], found["pages_discarded"], found["source_out"]) == (1.0, 0.5, 0.5)
    assert found["gold_found"] == 0.5


def test_an_answer_rests_on_outside_when_it_cites_it() -> None:
    inside, beyond = row(question("1"), "Clara Voss", cited=["bridge"]), row(question("2"), "Voss", cited=["bridge"])
    beyond["result"]["sentences"][0]["citations"][0]["kind"] = "outside"
    assert outside(inside, beyond)["rests_on_outside"] == 0.5


def test_fact_scores_before_and_after_count_where_claims_were_checked() -> None:
    again = report(0.8, by_source={"wikipedia": 0.9})
    found = outside(
        row(question("1"), "Clara Voss", fact_report=report(0.2, by_source={"wikipedia": 0.1}, after=again)),
        row(question("2"), "Clara Voss", fact_report=report(0.6, after=None)),
        row(question("3"), "", fact_report=report(0.1)),
        row(question("4"), "Clara Voss", fact_report=None),
        row(question("5"), "Clara Voss", fact_report=report(0.0) | {"claims": []}),
        suite="answers",
    )
    assert found["fact_score_before"] == pytest.approx(0.3)
    assert found["fact_score_after"] == pytest.approx(0.7)
    assert (found["passed_before"], found["passed_after"]) == (pytest.approx(1 / 3), 1.0)


def test_a_decision_is_right_where_it_is_the_accepted_one() -> None:
    asked = [question(str(number), answers=[one], kind="yes/no") for number, one in enumerate(["yes", "yes", "no"])]
    assert values([scored(row(one, "Yes, it does.")) for one in asked])["yes_no_accuracy"] == pytest.approx(2 / 3)


def test_a_suite_without_a_world_has_the_metrics_it_had() -> None:
    assert "gold_found" not in metrics_of("answers")
    assert "recall_at_1" not in metrics_of("outside")


def test_a_sentence_in_the_place_of_yes_or_no_is_a_maybe_where_there_is_one() -> None:
    asked = replace(question(answers=["maybe"], kind="yes/no"), set="pubmedqa")
    told = {
        **UNDECIDED,
        "outcome": "unverified",
        "candidates": [{**candidate("Light was tried."), "objection": "undecided"}],
    }
    score = scored(row(asked, "Light was tried.", **told))
    assert (score.decision, score.right) == ("maybe", True)
    elsewhere = scored(row(question(answers=["yes"], kind="yes/no"), "Light was tried.", **told))
    assert (elsewhere.answered, elsewhere.right) == (True, False)
