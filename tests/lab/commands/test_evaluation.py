"""`veridic eval`: from one's own questions and documents to a report, with the judges that ship."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, Outcome, Veridic
from tests.lab.evaluation.data import data_folder
from veridic_lab.evaluation.journal import rows_in

QUESTIONS = [
    {"question": "Who founded the Halden Ridge Observatory?", "answers": ["Ingrid Solvang"], "gold": ["history.md"]},
    {"question": "How much does an adult ticket cost?", "answers": ["12 euros"], "gold": ["visitor-guide.md"]},
    {"question": "Which bank financed the reflector?"},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS))
    return path


def run(veridic: Veridic, file: Path, *more: str) -> Outcome:
    return veridic("eval", "run", str(file), "--docs", str(EXAMPLES), "--out", "out", "--model", "extractive", *more)


def test_two_commands_lead_from_questions_to_a_report(veridic: Veridic, file: Path, tmp_path: Path) -> None:
    made = run(veridic, file, "--json")
    assert made.status == 0, made.err
    found = json.loads(made.out)
    assert found["questions"] == {"standard_rag": 3, "always_abstains": 3, "pastes_best": 3, "veridic": 3}
    for metrics in found["systems"].values():
        assert metrics["handled"]["low"] <= metrics["handled"]["value"] <= metrics["handled"]["high"]
    assert found["systems"]["veridic"]["handled"]["value"] == 1.0
    assert found["systems"]["veridic"]["citation_recall"]["value"] == 1.0
    assert found["paired"]["veridic"]["hallucinated"]["difference"] == -1.0
    assert found["paired"]["veridic"]["hallucinated"]["verdict"] == "better, not clearly"
    assert found["paired"]["veridic"]["ratio_p50"]["value"] > 0
    written = veridic("eval", "report", "out").out
    tables = ("| `handled` |", "## By set")
    for part in ("# `questions` with `extractive`", *tables, "Where the errors come from", "fingerprint"):
        assert part in written
    assert "against standard_rag" in veridic("eval", "explain", "out").out
    rows = list(rows_in(tmp_path / "out" / "rows.jsonl"))
    again = run(veridic, file, "--json")
    assert list(rows_in(tmp_path / "out" / "rows.jsonl")) == rows
    assert json.loads(again.out) == found
    other = run(veridic, file, "--seed", "8")
    assert other.status == 2
    assert "other seed" in other.err
    assert "other k" in run(veridic, file, "--k", "1").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "nothing", "--out", "x"), "names no suite"),
        (("run", "questions.jsonl", "--docs", "nowhere", "--out", "x"), "nowhere"),
        (("run", "answers", "--out", "x"), "VERIDIC_DATA"),
        (("run", "answers", "--out", "x", "--systems", "magic"), "no system 'magic'"),
        (("report", "nowhere"), "holds no run"),
        (("explain", "nowhere"), "holds no run"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(
    veridic: Veridic, file: Path, words: tuple[str, ...], said: str
) -> None:
    shown = veridic("eval", *words)
    assert shown.status in (1, 2)
    assert said in shown.err
    assert shown.err.count("\n") == 1


def test_gold_that_names_no_document_is_refused(veridic: Veridic, tmp_path: Path) -> None:
    file = tmp_path / "wrong.jsonl"
    file.write_text('{"question": "Who?", "answer": "Ann", "gold": "novel.md"}\n')
    shown = run(veridic, file)
    assert shown.status == 2
    assert "no documents are called 'novel.md'" in shown.err


def test_a_suite_asks_what_can_be_answered_and_what_cannot(
    veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("VERIDIC_DATA", str(data_folder(tmp_path / "data")))
    systems = "standard_rag,standard_rag:passages=1"
    words = ("eval", "run", "answers", "--out", "out", "--limit", "8", "--documents", "40", "--systems", systems)
    made = veridic(*words, "--json")
    assert made.status == 0, made.err
    assert "pubmedqa: 200 questions, " in made.err
    assert json.loads(made.out)["questions"] == dict.fromkeys(systems.split(","), 8)
    measured = [row["question"] for row in rows_in(tmp_path / "out" / "rows.jsonl")]
    assert {one["missing"] for one in measured} == {"", "removed", "near miss"}
    assert "unseen by the judges" in veridic("eval", "report", "out").out
