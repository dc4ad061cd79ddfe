"""`veridic log` and `veridic feedback`; and the way from what people said of runs to a judge that is put in place."""

import json
import shutil
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

from tests.cli.conftest import EXAMPLES, Veridic
from tests.fakes.knowledge import passage
from tests.knowledge.test_conformance import soon
from tests.lab.training.test_labels import run as logged
from veridic import build_graph, feedback, ingest
from veridic.errors import UsageError
from veridic.evidence.evidence import cite_at
from veridic.knowledge.store import Store
from veridic.learning.lessons import misleading
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.onnx_encoder import SHIPPED
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic_lab.training import labels
from veridic_lab.training.log import read_log
from veridic_lab.training.pairs import Pair

pytestmark = pytest.mark.usefixtures("verifying_judges")

FOUNDED = "When was Halden Ridge Observatory founded?"
PAINTED = "Who painted the Sistine Chapel?"


CORRECTED = "the same may be answered as before"
"""What is told of every correction."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of the examples, of which one question was asked that they answer, and one that they do not."""
    pytest.importorskip("veridic_judge_base")
    chosen = Settings(kb=str(tmp_path_factory.mktemp("base") / "kb.sqlite"), model="extractive", judges="base")
    ingest(EXAMPLES, settings=chosen)
    graph = build_graph(settings=chosen)
    for question in (FOUNDED, PAINTED):
        graph.invoke({"question": question})
    return Path(chosen.kb)


@pytest.fixture
def asked(veridic: Veridic, base: Path, tmp_path: Path) -> Veridic:
    """The program on a copy of that knowledge base."""
    with Store(base) as store:
        store.copy_to(tmp_path / "kb.sqlite")
    return veridic


def runs(veridic: Veridic, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(veridic("log", "list", "--json", *words).out)
    return found


def test_runs_are_listed_newest_first_and_by_outcome(asked: Veridic) -> None:
    assert [run["question"] for run in runs(asked)] == [PAINTED, FOUNDED]
    assert [run["question"] for run in runs(asked, "-n", "1")] == [PAINTED]
    [founded] = runs(asked, "--outcome", "accepted")
    assert (founded["short_answer"], founded["said"], founded["redacted"]) == ("1911", "", False)
    head, *rows = asked("log", "list").out.splitlines()
    assert head.split() == ["RUN", "WHEN", "OUTCOME", "CONF", "LEARNED", "SAID", "QUESTION"]
    assert [row.endswith(question) for row, question in zip(rows, (PAINTED, FOUNDED), strict=True)] == [True, True]
    assert runs(asked, "--outcome", "verified") == [founded]
    wrong = asked("log", "list", "--outcome", "fine")
    assert (wrong.status, "abstained" in wrong.err) == (2, True)
    assert "No run is logged here" in asked("log", "list", "--namespace", "theirs").out


def test_the_list_tells_the_confidence_and_what_became_of_what_was_learned(asked: Veridic) -> None:
    painted, founded = runs(asked)
    assert (painted["confidence"], painted["record_id"], painted["record_status"]) == (None, "", None)
    assert (0.85 <= founded["confidence"] <= 1, founded["record_status"]) == (True, "probation")
    assert cells(asked) == [["no answer", "-", "-"], ["verified", f"{founded['confidence']:.2f}", "probation"]]
    asked("feedback", founded["run_id"], "down")
    assert cells(asked)[1][2] == "review"
    asked("memory", "reject", founded["record_id"])
    assert cells(asked)[1][2] == "rejected"
    asked("remove", str(EXAMPLES / "history.md"))
    assert cells(asked)[1][2] in ("rejected", "withdrawn")


def cells(veridic: Veridic) -> list[list[str]]:
    """Outcome, confidence and what was learned, of each row."""
    head, *rows = veridic("log", "list").out.splitlines()
    columns = [(head.index(one), head.index(other)) for one, other in pairwise(("OUTCOME", "CONF", "LEARNED", "SAID"))]
    return [[row[begin:end].strip() for begin, end in columns] for row in rows]


def test_the_list_fits_a_terminal_of_80_cells(asked: Veridic, monkeypatch: pytest.MonkeyPatch) -> None:
    asked("feedback", runs(asked)[1]["run_id"], "a correction of more than ten cells")
    whole = asked("log", "list").out
    monkeypatch.setattr("veridic.cli.terminal.Console.is_terminal", True)
    monkeypatch.setenv("COLUMNS", "80")
    lines = asked("log", "list").out.splitlines()
    assert all(cell_len(line) <= 80 for line in lines)
    assert max(map(cell_len, whole.splitlines())) > 80
    assert all("When was" in line or "Who" in line for line in lines[1:])


def test_a_run_is_called_as_the_list_shows_it_by_every_command(asked: Veridic) -> None:
    founded = runs(asked)[1]
    short = asked("log", "list").out.splitlines()[2].split()[0]
    assert founded["run_id"].startswith(f"{short}-")
    assert asked("memory", "show", short).out.splitlines()[0].split() == ["record", founded["record_id"]]
    assert asked("memory", "approve", short).out == f"{founded['record_id']} is active\n"
    assert asked("memory", "reject", short).status == 0
    assert asked("memory", "show", short[:7]).status == 1
    assert asked("log", "forget", short, short).out.startswith("1 run forgotten")
    assert asked("memory", "show", short).status == 0, "what was learned stays, and its run's name with it"


def test_a_run_is_shown_with_its_scores_and_path(asked: Veridic) -> None:
    identifier = runs(asked)[1]["run_id"]
    shown = asked("log", "show", identifier).out
    whole = json.loads(asked("log", "show", identifier, "--json").out)
    [steps] = [line for line in shown.splitlines() if line.startswith("steps: ")]
    assert [step.split()[0] for step in steps.removeprefix("steps: ").split(" → ")] == whole["path"]
    assert f"read {whole['timings']['read']:.2f} s" in steps
    for one in [*whole["documents"], *whole["rejected"]]:
        assert f"{one['score']:.2f} {one['title']}" in shown
    assert "founded in 1911" in shown
    assert asked("log", "show", identifier, "--namespace", "theirs").status == 1


def test_a_run_is_written_down_as_of_when_it_was_answered(asked: Veridic, tmp_path: Path) -> None:
    run = runs(asked)[1]
    assert asked("log", "show", run["run_id"], "--export", "run.html").out.endswith("written to run.html\n")
    assert f"<title>{run['question']}</title>" in (tmp_path / "run.html").read_text()
    shown = asked("log", "show", run["run_id"], "--json", "--export", "run.md").out
    assert json.loads(shown)["run_id"] == run["run_id"]
    when = run["decided_at"].replace("T", " ")[:16]
    assert f"- asked: {when} UTC\n" in (tmp_path / "run.md").read_text()
    assert asked("log", "show", run["run_id"], "--export", "run.txt").status == 2


def test_what_is_said_of_a_run_is_kept_and_an_unknown_one_refused(asked: Veridic) -> None:
    identifier = runs(asked)[1]["run_id"]
    for said in ("down", "1912"):
        first, second, *_ = asked("feedback", identifier, said).out.splitlines()
        assert (first, "Kept: you said" in second) == (f"{identifier}: {FOUNDED}", True)
        assert runs(asked)[1]["said"] == said
    for words in (("nothing", "up"), (identifier, "up", "--namespace", "theirs")):
        shown = asked("feedback", *words)
        assert (shown.status, shown.out, shown.err.count("\n")) == (1, "", 1)
        assert "veridic log list" in shown.err
    assert asked("feedback", identifier, "?!").status == 2


@pytest.mark.parametrize(
    ("said", "meant"), [("upp", "up"), ("Up", "up"), ("dwon", "down"), ("donw", "down"), ("good", "up"), ("No", "down")]
)
def test_a_thumb_in_another_word_is_no_correction(asked: Veridic, said: str, meant: str) -> None:
    shown = asked("feedback", runs(asked)[1]["run_id"], said)
    assert (shown.status, shown.out) == (2, "")
    assert f"Did you mean {meant}?" in shown.err
    assert runs(asked)[1]["said"] != said


def test_no_door_takes_a_thumb_for_a_correction(asked: Veridic) -> None:
    founded = runs(asked)[1]["run_id"]
    for verdict in ("correction", "down"):
        with pytest.raises(UsageError, match=r"Did you mean up\? .* more than one word"):
            feedback(founded, verdict, "good")
    assert runs(asked)[1]["said"] == ""


@pytest.mark.parametrize("said", ["US", "upper", "in town"])
def test_a_word_that_is_no_thumb_is_one(asked: Veridic, said: str) -> None:
    told = json.loads(asked("feedback", runs(asked)[1]["run_id"], said, "--json").out)
    assert (told["verdict"], told["correction"]) == ("correction", said)


def test_a_run_may_be_called_by_how_its_id_begins(asked: Veridic) -> None:
    founded = runs(asked)[1]["run_id"]
    assert asked("log", "show", founded[:8]).out == asked("log", "show", founded).out
    assert asked("feedback", founded[:8], "up").out.startswith(f"{founded}: {FOUNDED}\n")
    for short in (founded[:7], "", "%", f"{founded}x"):
        assert asked("log", "show", short).status != 0


def test_runs_are_forgotten(asked: Veridic) -> None:
    painted, founded = runs(asked)
    shown = asked("log", "forget", founded["run_id"], "nothing")
    assert (shown.status, shown.out.startswith("1 run forgotten")) == (1, True)
    assert shown.err.startswith("veridic: nothing: ")
    assert runs(asked) == [painted]
    assert asked("log", "forget", "--before", "2020-01-31").out.startswith("0 runs")
    assert asked("log", "forget", "--before", "2999-01-31").out.startswith("1 run forgotten")
    assert runs(asked) == []
    assert asked("log", "forget").status == 2
    assert asked("log", "forget", "--before", "soon").status == 2


def test_the_words_of_a_removed_document_are_gone_from_its_runs(asked: Veridic) -> None:
    painted, founded = runs(asked)
    assert asked("remove", str(EXAMPLES / "history.md")).status == 0
    shown = asked("log", "show", founded["run_id"])
    assert shown.status == 0
    assert "Ingrid Solvang" not in shown.out
    assert "were taken out when that was removed" in shown.out
    assert FOUNDED in shown.out
    assert [run["redacted"] for run in runs(asked)] == [True, True]
    assert "a document is gone" in asked("log", "list").out
    assert painted["question"] in asked("log", "show", painted["run_id"]).out


def test_there_is_no_log_where_there_is_no_knowledge_base(veridic: Veridic, tmp_path: Path) -> None:
    for words in (("list",), ("show", "x"), ("forget", "x")):
        shown = veridic("log", *words)
        assert (shown.status, shown.out, shown.err.count("\n")) == (1, "", 1)
    assert veridic("feedback", "x", "up").status == 1
    assert list(tmp_path.iterdir()) == []


def test_what_people_say_reaches_the_lesson_of_the_run(asked: Veridic) -> None:
    founded = runs(asked)[1]
    asked("feedback", founded["run_id"], "down")
    experience = open_knowledge_base(Settings.load()).experience
    [lesson, *_] = experience.recall(founded["question"], limit=1, deadline=inf)
    assert (lesson["verdict"], lesson["objection"]) == ("down", "voted down")
    assert {one["role"] for one in lesson["places"]} == {"misled"}


@pytest.mark.parametrize(("correction", "role"), [("Ingrid Solvang", "worked"), ("Clara Voss", "misled")])
def test_a_passage_that_holds_the_correction_was_only_read_wrongly(asked: Veridic, correction: str, role: str) -> None:
    founded = runs(asked)[1]
    asked("feedback", founded["run_id"], correction)
    [lesson, *_] = open_knowledge_base(Settings.load()).experience.recall(founded["question"], limit=1, deadline=inf)
    assert {one["role"] for one in lesson["places"]} == {role}


@pytest.mark.parametrize("then", ["up", "Ingrid Solvang"])
def test_what_is_said_later_takes_a_vote_against_it_back(asked: Veridic, then: str) -> None:
    founded = runs(asked)[1]
    asked("feedback", founded["run_id"], "down")
    asked("feedback", founded["run_id"], then)
    [lesson, *_] = open_knowledge_base(Settings.load()).experience.recall(founded["question"], limit=1, deadline=inf)
    assert {one["role"] for one in lesson["places"]} == {"worked"}
    assert misleading([lesson], founded["question"]) == {}


@pytest.mark.parametrize(
    ("said", "status", "lines"),
    [
        (["up"], "probation", ["answer is right", "learned: on probation", "carried a right answer"]),
        (["down"], "review", ["answer is wrong", "waits for review", "loses rank"]),
        (["down", "up"], "review", ["answer is right", "waits for review", "carried a right"]),
        (["Clara Voss"], "review", ["“Clara Voss”", "waits for review", "loses rank", CORRECTED]),
        (["Solvang"], "review", ["“Solvang”", "waits for review", "loses no rank", CORRECTED]),
    ],
)
def test_what_followed_from_what_was_said_is_told(
    asked: Veridic, said: list[str], status: str, lines: list[str]
) -> None:
    founded = runs(asked)[1]
    for one in said[:-1]:
        asked("feedback", founded["run_id"], one)
    told = json.loads(asked("feedback", founded["run_id"], said[-1], "--json").out)
    assert (told["question"], told["record_id"], told["record_status"]) == (FOUNDED, founded["record_id"], status)
    for line, words in zip(told["followed"], lines, strict=True):
        assert words in line
    assert runs(asked)[1]["record_status"] == status
    _, *printed, last = asked("feedback", founded["run_id"], said[-1]).out.splitlines()
    assert printed == [f"  {line}" for line in told["followed"]]
    assert f"veridic memory {'show' if status == 'probation' else 'approve'} {founded['record_id']}" in last


def test_nothing_is_promised_of_a_run_that_learned_nothing(asked: Veridic) -> None:
    painted = runs(asked)[0]
    told = json.loads(asked("feedback", painted["run_id"], "down", "--json").out)
    assert told["followed"] == [
        "Kept: you said that the answer is wrong.",
        "No answer was learned from this run.",
    ]
    assert (told["record_id"], told["record_status"]) == ("", None)


def test_enough_praise_makes_the_learned_answer_count(asked: Veridic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDIC_CONFIRMATIONS", "1")
    shown = asked("feedback", runs(asked)[1]["run_id"], "up")
    assert "The answer that was learned: counts." in shown.out
    assert runs(asked)[1]["record_status"] == "active"


def told_runs(count: int) -> list[str]:
    """Runs as the log keeps them, all wrong in the same way; returns their ids."""
    knowledge = open_knowledge_base(Settings.load())
    for number in range(count):
        question = f"When was the bridge number {number} opened?"
        text = f"The bridge number {number} is {number + 40} metres long. Clara Voss paid for it."
        sentence = f"The bridge number {number} is {number + 40} metres long."
        right = {**passage(f"r{number}", f"The bridge number {number} was opened in {1800 + number}."), "score": 0.2}
        kept: Any = {**passage(f"k{number}", text), "score": 0.9}
        cited = cite_at(kept, 0, sentence)
        told = {"text": sentence, "verdict": "supported", "support": 1.0, "citations": [cited]}
        reading = {**logged()["readings"][0], "question": question, "text": f"{number + 40} metres", "sentence": cited}
        run = logged(
            run_id=f"run-{number}",
            question=question,
            standalone=question,
            answer=sentence,
            short_answer=f"{number + 40} metres",
            documents=[kept],
            rejected=[right],
            readings=[reading],
            sentences=[told],
        )
        knowledge.decisions.write(run, deadline=soon())
    knowledge.close()
    return [f"run-{number}" for number in range(count)]


def test_what_is_exported_is_what_training_reads(veridic: Veridic, tmp_path: Path) -> None:
    identifiers = told_runs(40)
    for number, run_id in enumerate(identifiers[:30]):
        said = str(1800 + number) if number % 3 == 0 else ("up", "down")[number % 2]
        assert veridic("feedback", run_id, said).status == 0
    for teaches in (False, True):
        counts = labels.export(tmp_path / "log.jsonl", reviewed=teaches)
        rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
        written = Counter((row["kind"], "relevance" if "passage" in row else "nli") for row in rows)
        assert counts == {f"{kind}, {task}": count for (kind, task), count in written.items()}
        read = read_log(tmp_path / "log.jsonl")
        people = [kind for (kind, _), count in written.items() for _ in range(count) if kind == "gold" or teaches]
        assert len(read.people) == sum(kind in ("gold", "feedback") for kind in people)
        assert len(read.outcomes) == written[("outcome", "relevance")]
        left = {f"feedback, {task}": count for (kind, task), count in written.items() if kind == "feedback"}
        assert read.unused == ({} if teaches else left)
    assert written[("gold", "nli")] == 30
    assert not labels.export(tmp_path / "none.jsonl", since=datetime(2999, 1, 1, tzinfo=UTC))
    assert (tmp_path / "none.jsonl").read_text() == ""
    assert not labels.export(tmp_path / "theirs.jsonl", settings=Settings.load(namespace="theirs"))
    gone = veridic("log", "export", "--out", "log.jsonl")
    assert (gone.status, "veridic_lab.training.labels" in gone.err) == (2, True)


def test_a_laboratory_writes_rows_by_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], veridic: Veridic
) -> None:
    del veridic  # its settings are the process's own
    told_runs(2)
    monkeypatch.setattr(sys, "argv", ["labels", str(tmp_path / "rows.jsonl"), "--since", "2026-01-01"])
    labels.main()
    assert "outcome, relevance" in capsys.readouterr().out
    assert (tmp_path / "rows.jsonl").read_text().count("outcome") > 0


def judge_in(folder: Path, scale: float) -> Path:
    """The shipped judge with its relevance scaled, as an export of another one would lie there."""
    shutil.copytree(SHIPPED / "judge", folder)
    shipped = OnnxJudge().calibration
    scales = {**shipped.scale, "relevance": scale * shipped.scale["relevance"]}
    replace(shipped, scale=scales).write(folder / "calibration.json")
    return folder


def test_corrections_lead_to_a_judge_that_is_put_in_place(
    veridic: Veridic, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, run_id in enumerate(told_runs(130)):
        feedback(run_id, "correction", str(1800 + number))
    (tmp_path / "rows").mkdir()
    labels.export(tmp_path / "rows" / "log.jsonl")
    learned: list[Pair] = []

    def train(_out: Path, _encoder: Path, _data: None, _plan: SimpleNamespace, own: list[Pair]) -> float:
        learned.extend(own)
        return 0.9

    learning = SimpleNamespace(learn_base=train, BasePlan=lambda *_, **told: SimpleNamespace(**told))
    monkeypatch.setitem(sys.modules, "veridic_lab.drafts.learning", learning)
    monkeypatch.setattr("veridic_lab.commands.judges._need", lambda *_: None)
    log = ("--from-log", "rows/log.jsonl")
    taught = veridic("train", "base", "run", "--base", "encoder", *log)
    assert taught.status == 0, taught.err
    assert learned == read_log(tmp_path / "rows/log.jsonl").teaching()
    assert {pair.task for pair in learned} == {"relevance", "nli"}
    refused = veridic("train", "both", "run", *log)
    assert (refused.status, "`veridic train base`" in refused.err) == (2, True)
    judge_in(tmp_path / "mine", 1.0)
    monkeypatch.setenv("VERIDIC_JUDGE", "mine")
    fitted = veridic("calibrate", "--data", "rows", "--out", "mine/calibration.json")
    assert fitted.status == 0, fitted.err
    judge_in(tmp_path / "current", -1.0)
    put = veridic("promote", "mine", "current", *log)
    assert "log (relevance)" in put.out
    assert (put.status, "promoted" in put.out) == (0, True), put.out
    assert (tmp_path / "current" / "calibration.json").read_text() == (tmp_path / "mine/calibration.json").read_text()
    again = veridic("promote", "mine", "current", *log)
    assert (again.status, "not promoted: its mean AUC is not higher" in again.out) == (1, True)
