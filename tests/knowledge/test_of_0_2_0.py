"""What version 0.2.0 left behind is read: its knowledge base, its settings, its calibration file.

The fixture was made by the program of that version: two documents, one answer that was learned, its run with feedback,
and a thread. What is in another format is refused in one line.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from veridic import build_graph, list_documents, list_runs, list_threads, thread_runs
from veridic.api.remembered import list_records, verify_memory
from veridic.context import Context
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.models.calibration import Calibration
from veridic.resources import open_embedder, open_resources
from veridic.settings import Settings

LEFT = Path(__file__).parents[1] / "fixtures" / "v0_2_0"
QUESTION = "Who opened the Alder Bridge?"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of the folder, as the program finds them when it runs there."""
    shutil.copytree(LEFT, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Settings.load()


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    """The knowledge base, opened with the embedder that made it."""
    knowledge = open_knowledge(Path(settings.kb), settings.namespace, open_embedder(settings))
    yield knowledge
    knowledge.close()


def changed(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)


def test_settings_and_calibration_are_read(settings: Settings) -> None:
    assert (settings.kb, settings.model, settings.write_back) == ("knowledge.sqlite", "extractive", "probation")
    assert Calibration.read(Path("calibration.json"), "5526423e4cca832d").thresholds["normal"].upper == 0.8705


def test_all_that_it_holds_is_listed(settings: Settings) -> None:
    assert [one.title for one in list_documents(settings=settings) if one.kind == "human"] == [
        "Alder Bridge",
        "library",
    ]
    [learned] = list_records(settings=settings)
    assert learned.record is not None
    assert (learned.record.question, learned.record.short_answer) == (QUESTION, "mayor Clara Voss")
    assert (learned.record.status, learned.confirmed) == ("probation", 1)
    [run] = list_runs(settings=settings)
    assert run.said == "up"
    assert [thread.name for thread in list_threads(settings=settings)] == ["bridges"]
    assert len(thread_runs("bridges", settings=settings)) == 1
    assert verify_memory(settings=settings) == []


def test_it_is_searched_and_recalled(knowledge: Knowledge) -> None:
    [[first, *_]] = knowledge.corpus.search(["the toll of the bridge"], limit=2, deadline=float("inf"))
    assert first["title"] == "Alder Bridge"
    assert first["text"] == knowledge.corpus.text_of(first["document_id"])[first["start"] : first["end"]]
    [lesson] = knowledge.experience.recall(QUESTION, limit=1, deadline=float("inf"))
    assert (lesson["verdict"], len(lesson["places"])) == ("up", 1)
    [again] = knowledge.corpus.recollect(QUESTION, statuses=("probation",), depth=4, deadline=float("inf"))
    assert again.unchanged


def test_it_answers(settings: Settings) -> None:
    graph = build_graph(open_resources(settings))
    result = graph.invoke({"question": "How long is the Alder Bridge?"}, context=Context())["result"]
    assert "412 metres" in result["answer"]
