"""`veridic trial`: a table of judges, and what a chat model has to beat."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Veridic
from tests.fakes.grader import GradingChat
from tests.models.test_trial import PAIRS
from veridic.models import by_settings, judges_by_name, trial


@pytest.fixture(autouse=True)
def few_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs that are judged in no time, nothing kept from before, and no base judge."""
    monkeypatch.setattr(trial, "shipped_pairs", lambda: tuple(PAIRS))
    monkeypatch.setattr(by_settings, "base_folder", lambda: None)
    monkeypatch.setenv("VERIDIC_CACHE", str(tmp_path / "cache"))


def test_the_judges_of_the_settings_are_tried_once_and_doctor_tells_what_was_found(veridic: Veridic) -> None:
    shown = veridic("trial")
    assert (shown.status, shown.err) == (0, "")
    head, small = shown.out.splitlines()
    assert head.split() == ["JUDGE", "PASSAGES,", "AUC", "STATEMENTS,", "AUC", "ACCURACY", "CALLS", "SECONDS"]
    assert small.startswith("small  ")
    assert veridic("trial").out == shown.out, "it is kept"
    (line,) = [line for line in veridic("doctor").out.splitlines() if " trial " in line]
    assert "small: statements AUC" in line


def test_a_chat_model_is_told_beside_what_it_has_to_beat(veridic: Veridic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges_by_name, "open_chat", lambda _own: GradingChat())
    told = json.loads(veridic("trial", "ollama:big", "--json").out)
    assert [(one["judge"], one["calls"], one["against"]["judge"]) for one in told] == [("grading", 3, "small")]
    assert told[0]["statements"]["auc"] == 1.0
    assert told[0]["statements"]["pairs"] == 8
    assert " of the statements against small, at least " in veridic("trial", "ollama:big").out


@pytest.mark.parametrize(("name", "mend"), [("smal", "Did you mean small?"), ("base", "pip install ./judge-base")])
def test_a_judge_that_cannot_be_had_is_told_with_what_to_do(veridic: Veridic, name: str, mend: str) -> None:
    refused = veridic("trial", name)
    assert (refused.status != 0, refused.out, refused.err.count("\n")) == (True, "", 1)
    assert mend in refused.err
