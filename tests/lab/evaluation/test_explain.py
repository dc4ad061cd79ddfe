"""Each miss goes to the first step that lost what was needed, or let pass what was not."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lab.evaluation.rows import GOLD, OTHER, candidate, question, reading, row, strip
from veridic_lab.evaluation.explain import case_of, counted, told
from veridic_lab.evaluation.plan import Identity, Plan
from veridic_lab.evaluation.report import worst

PLAIN = ("analyze", "retrieve", "read", "generate", "finish")
CASES: dict[str, dict[str, Any]] = {
    "retrieval": {"retrieved": ["library"], "surviving": [], "strips": []},
    "evaluator": {"surviving": ["library"], "strips": [strip("library", OTHER)]},
    "strips": {"strips": [strip("bridge", "The Alder Bridge is long."), strip("bridge", GOLD, kept=False)]},
    "generator": {"candidates": [candidate("Anna Berg did.")]},
    "critic": {"candidates": [candidate("Clara Voss did.", holds=False)]},
}


def plan(*systems: str) -> Plan:
    identity = Identity(
        suite="answers", systems=list(systems), model="extractive", seed=1, k=3, questions=[], corpus="", context={},
        judges={},
    )  # fmt: skip
    return Plan(identity=identity, documents=2)


@pytest.mark.parametrize(("stage", "trace"), CASES.items())
@pytest.mark.parametrize("answer", ["", "Somebody else."])
def test_a_miss_goes_to_where_the_answer_was_lost(stage: str, trace: dict[str, Any], answer: str) -> None:
    case = case_of(row(question(), answer, **trace))
    assert case.stage == stage
    assert case.fault == ("wrong" if answer else "silent")


def test_a_question_of_two_passages_needs_both() -> None:
    asked = question(gold=["bridge", "library"])
    assert case_of(row(asked, "", retrieved=["bridge"])).stage == "retrieval"


def test_without_gold_passages_the_words_tell() -> None:
    asked = question(gold=[])
    assert case_of(row(asked, "", surviving=["library"], strips=[])).stage == "retrieval"
    assert case_of(row(asked, "", strips=[strip("bridge", "It is long.")])).stage == "strips"
    assert case_of(row(asked, "Anna Berg.")).stage == "generator"


@pytest.mark.parametrize(
    ("action", "steps", "stage"),
    [
        ("correct", ("evaluate", "critique"), "evaluator"),
        ("ambiguous", ("evaluate", "critique"), "critic"),
        (None, PLAIN, "generator"),
    ],
)
def test_an_answer_to_nothing_goes_to_who_should_have_stopped_it(action: Any, steps: Sequence[str], stage: str) -> None:
    case = case_of(row(question(missing="near miss"), "Clara Voss.", action=action, steps=steps))
    assert (case.stage, case.fault) == (stage, "hallucinated")


@pytest.mark.parametrize(
    ("read", "answer", "stage"),
    [
        (reading("Anna Berg"), "Anna Berg", "reader"),
        (reading("Clara Voss", holds=False), "", "reader"),
        (reading(""), "", "reader"),
        (reading("Clara Voss"), "", "critic"),
        (reading("Anna Berg", kind="why-how"), "Somebody else.", "generator"),
    ],
)
def test_a_miss_in_reading_goes_to_the_reader(read: dict[str, Any], answer: str, stage: str) -> None:
    written = [candidate("Clara Voss did.", holds=False)] if stage == "critic" else [candidate(answer)]
    assert case_of(row(question(), answer, readings=[read], candidates=written)).stage == stage


def test_an_answer_to_nothing_that_was_read_goes_to_the_reader() -> None:
    asked = question(missing="near miss")
    assert case_of(row(asked, "Clara Voss", readings=[reading("Clara Voss")])).stage == "reader"
    assert case_of(row(asked, "Clara Voss", readings=[reading("Clara Voss")], action="correct")).stage == "evaluator"


def test_plain_rag_has_no_critic_to_blame() -> None:
    found = case_of(row(question(), "Anna.", steps=PLAIN, candidates=[candidate("Clara Voss.", origin="extractive")]))
    assert found.stage == "generator"


SEARCHED = ("analyze", "retrieve", "evaluate", "rewrite", "search", "evaluate", "finish")


@pytest.mark.parametrize(
    ("trace", "stage"),
    [
        ({"steps": SEARCHED}, "search"),
        ({"steps": SEARCHED, "findings": ["page"]}, "evaluator"),
        ({"action": "correct", "sources": {"allowed": ["web"]}}, "evaluator"),
        ({"action": "correct", "sources": {"allowed": []}}, "retrieval"),
        ({"steps": SEARCHED, "findings": ["page"], "strips": [strip("page", "It is long.", kept=False)]}, "strips"),
    ],
)
def test_what_stands_outside_is_lost_by_who_should_have_fetched_it(trace: dict[str, Any], stage: str) -> None:
    assert case_of(row(question(gold=["page"]), "", **trace)).stage == stage


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.sampled_from(list(CASES)), st.sampled_from(["", "Clara Voss", "Anna"])), max_size=12))
def test_every_miss_is_counted_once(drawn: list[tuple[str, str]]) -> None:
    cases = [case_of(row(question(str(n)), answer, **CASES[trace])) for n, (trace, answer) in enumerate(drawn)]
    assert counted(cases).total() == sum(answer != "Clara Voss" for _, answer in drawn)


def told_of(answer: str, against: str) -> str:
    asked = [question(str(number)) for number in range(20)]
    first = [case_of(row(one, against, system="standard_rag", steps=PLAIN)) for one in asked]
    other = [case_of(row(one, answer)) for one in asked]
    return "\n".join(told(plan("standard_rag", "veridic"), {"standard_rag": first, "veridic": other}))


def test_the_sentence_says_whether_correction_pays() -> None:
    assert "veridic pays on this data" in told_of("Clara Voss", "Anna")
    assert "veridic does not pay on this data" in told_of("Anna", "Clara Voss")
    assert "veridic is not shown to pay" in told_of("Anna", "Anna")
    assert "| generator | 0 | 20 | 0 | 20 |" in told_of("Anna", "Anna")


def test_the_floors_explain_nothing() -> None:
    names = ("standard_rag", "always_abstains", "pastes_best", "veridic")
    cases = {name: [case_of(row(question(), "Anna", system=name))] for name in names}
    said = "\n".join(told(plan(*names), cases))
    assert "always_abstains" not in said
    assert "pastes_best" not in said
    assert "against standard_rag" in said
    alone = "\n".join(told(plan("always_abstains"), cases))
    assert "**always_abstains**: 1 of 1 questions missed." in alone


def test_the_worst_are_false_answers_given_with_confidence() -> None:
    sure = case_of(row(question("sure"), "Anna", candidates=[candidate("Anna", sure=0.9)]))
    unsure = case_of(row(question("unsure"), "Anna", candidates=[candidate("Anna", sure=0.5)]))
    silent, good = case_of(row(question("silent"), "")), case_of(row(question("good"), "Clara Voss"))
    assert [case.score.question.id for case in worst([silent, good, unsure, sure])] == ["sure", "unsure", "silent"]
