"""The laboratory opens its suites, measures three questions, and trains a few steps of a tiny network."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, Veridic
from tests.lab.evaluation.data import data_folder
from veridic_lab.evaluation.suites import SUITES, open_suite

QUESTIONS = (
    {"question": "Who paid for the first dome?", "answers": ["Anton Brekke"], "gold": ["history.md"]},
    {"question": "How much is an adult ticket?", "answers": ["12 euros"], "gold": ["visitor-guide.md"]},
    {"question": "What does the planetarium projector weigh?"},
)


def test_every_suite_opens(tmp_path: Path) -> None:
    folder = data_folder(tmp_path)
    for name in SUITES:
        suite = open_suite(name, lambda: folder)
        assert suite.documents, name
        assert suite.questions, name


def test_three_questions_are_measured(veridic: Veridic) -> None:
    Path("questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS))
    run = veridic("eval", "run", "questions.jsonl", "--docs", str(EXAMPLES), "--out", "out", "--systems", "veridic")
    assert run.status == 0, run.err
    assert "veridic: handled" in run.out
    assert len(Path("out/rows.jsonl").read_text().splitlines()) == len(QUESTIONS)


def test_a_tiny_judge_learns(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.lab.drafts.small import batcher, examples, tiny
    from veridic_lab.drafts.learning import Learning

    network = tiny("bert")
    before = network.nli.weight.clone()
    run = Learning(network, batcher(), tmp_path, rate=3e-3, steps=3)
    run.learn(batcher().batches(examples()), minutes=1.0, check=lambda: {"auc": 0.6})
    assert not before.equal(network.nli.weight)
    assert (tmp_path / "best.pt").is_file()
