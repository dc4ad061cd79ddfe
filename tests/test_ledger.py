"""The account of a step: what it adds up to, when it ends, and what of it is listed twice."""

import pytest

from veridic.errors import BudgetSpent
from veridic.ports.shapes import Grade, merge_grades
from veridic.runtime.ledger import Ledger


def grade(about: str, calls: int) -> Grade:
    return Grade(judge="relevance", asked=about, graded="A text.", grade="none", reply="no", calls=calls, seconds=0.1)


@pytest.mark.parametrize(
    ("ledger", "spent"),
    [
        (Ledger(), None),
        (Ledger(call_budget=2, before={"calls": 1}), None),
        (Ledger(call_budget=2, before={"calls": 1}, usage={"calls": 1}), "calls"),
        (Ledger(token_budget=9, before={"prompt_tokens": 4}, usage={"completion_tokens": 4}), None),
        (Ledger(token_budget=9, before={"prompt_tokens": 5}, usage={"completion_tokens": 4}), "tokens"),
    ],
)
def test_a_budget_counts_what_the_run_had_consumed_before(ledger: Ledger, spent: str | None) -> None:
    assert ledger.spent() == spent
    if spent:
        with pytest.raises(BudgetSpent, match=f"`{spent[:-1]}_budget`"):
            ledger.check()


def test_an_account_names_only_what_was_consumed() -> None:
    ledger = Ledger(before={"calls": 3})
    assert ledger.account() == {}
    ledger.charge({"calls": 1, "prompt_tokens": 7})
    ledger.charge({"calls": 1, "completion_tokens": 2})
    account = ledger.account()
    assert {name: n for name, n in account["usage"].items() if n} == {
        "calls": 2,
        "prompt_tokens": 7,
        "completion_tokens": 2,
    }
    assert "grades" not in account


def test_a_grade_known_from_before_is_listed_once_and_one_asked_for_always() -> None:
    first = merge_grades([], [grade("Who?", 0), grade("Who?", 0), grade("When?", 0)])
    assert [one["asked"] for one in first] == ["Who?", "When?"]
    assert len(merge_grades(first, [grade("Who?", 0), grade("Who?", 2)])) == 3
