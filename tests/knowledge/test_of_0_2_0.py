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
from veridic.api.remembered import list_records, rebuild_memory, verify_memory
from veridic.context import Context
from veridic.errors import StoreDamaged
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.knowledge.store import Store
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
    assert knowledge.corpus.status().search == "exact"


def test_it_answers(settings: Settings) -> None:
    graph = build_graph(open_resources(settings))
    result = graph.invoke({"question": "How long is the Alder Bridge?"}, context=Context())["result"]
    assert "412 metres" in result["answer"]


def test_what_is_derived_is_made_anew_and_nothing_is_lost(settings: Settings, knowledge: Knowledge) -> None:
    tables = "documents chunks lineage records record_events experience lesson_places decisions feedback thread_runs"
    with knowledge.corpus.store.reading() as connection:
        before = {one: connection.execute(f"SELECT count(*) FROM {one}").fetchone()[0] for one in tables.split()}
    assert all(before.values())
    rebuild_memory(settings=settings)
    with knowledge.corpus.store.reading() as connection:
        assert {one: connection.execute(f"SELECT count(*) FROM {one}").fetchone()[0] for one in before} == before


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("PRAGMA user_version = 4", "newer Veridic"),
        ("PRAGMA user_version = 2", "before 0.2.0"),
        ("PRAGMA application_id = 7", "not a knowledge base"),
    ],
)
def test_another_format_is_refused_in_one_line(settings: Settings, statement: str, told: str) -> None:
    changed(Path(settings.kb), statement)
    with pytest.raises(StoreDamaged, match=told) as refused:
        Store(Path(settings.kb))
    assert "\n" not in str(refused.value)


def test_a_damaged_file_is_refused_in_one_line(settings: Settings) -> None:
    with Path(settings.kb).open("r+b") as file:
        file.write(b"\0" * 4096)
    with pytest.raises(StoreDamaged, match="is broken or is not") as refused:
        Store(Path(settings.kb))
    assert "\n" not in str(refused.value)


def test_a_new_file_has_the_tables_of_0_2_0(settings: Settings, tmp_path: Path) -> None:
    """So that version 0.2.0 goes on with it: that program names tables by their columns' order."""
    with Store(tmp_path / "new.sqlite").reading() as new, Store(Path(settings.kb)).reading() as old:
        for (table,) in old.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            columns = f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{table}')"
            assert [*map(tuple, new.execute(columns))] == [*map(tuple, old.execute(columns))], table
