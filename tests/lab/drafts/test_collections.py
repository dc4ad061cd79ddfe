"""Collections of files: what is asked of them stands in one, and what tells a row of a table is known by its name."""

import json
from pathlib import Path

import pytest

from veridic.text.answers import tokens
from veridic_lab.drafts.collections import FOLDER, collections, read_collections
from veridic_lab.drafts.hands import ROLES, documents, files_of, manifest, together
from veridic_lab.drafts.questions import gives_short, says

RATES = "# Rates\n\n| Boat | Full day | Half day |\n|---|---|---|\n| Canoe | £24 | £14 |\n| Kayak | £19 | £11 |\n"


def test_every_hand_of_collections_has_a_role_and_no_collection_has_two() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(manifest(FOLDER))
    assert {"fit", "measure 3"} == set(manifest(FOLDER).values())
    found = collections(*ROLES)
    assert len(found) == len({one.key for one in found})
    assert not {one.key for one in collections("fit")} & {one.key for one in collections("measure 3")}


def test_what_answers_stands_in_a_file_once_and_what_is_asked_for_is_written_down() -> None:
    for one in collections(*ROLES):
        assert len(one.names) == len(set(one.names)) == len(one.texts)
        assert len(one.unanswered) >= 12, one.key
        for asked in one.asked:
            assert sum(text.count(asked.span) for text in one.texts) >= 1, (one.key, asked.question)
            assert asked.answers, (one.key, asked.question)
            assert gives_short(asked, asked.answer)
            assert asked.kind != "yes-no" or asked.answers in (("yes",), ("no",))


@pytest.fixture
def boats(tmp_path: Path) -> Path:
    asked = {"q": "What is a canoe for a morning?", "kind": "how many", "file": "rates.md", "span": "| £14 |"}
    rows = {"id": "X-01", "about": "boats", "files": [{"name": "rates.md", "text": RATES}], "unanswered": ["And oars?"]}
    path = tmp_path / "X.jsonl"
    path.write_text(json.dumps({**rows, "asked": [{**asked, "answers": ["£14", "14 pounds"]}]}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("told", "right"),
    [
        ("Canoe: Half day is £14.", True),
        ("Canoe: Full day is £24. Canoe: Half day is £14.", True),
        ("Canoe: Full day is £24.", False),
        ("Kayak: Half day is £11.", False),
        ("A day out is £14.", False),
    ],
)
def test_a_row_is_told_by_its_name_and_the_value(boats: Path, told: str, right: bool) -> None:
    [collection] = read_collections(boats)
    [asked] = collection.asked
    assert says(asked, told) is right
    assert gives_short(asked, "14 pounds")
    assert not gives_short(asked, "£11")


def test_a_collection_is_a_knowledge_base_of_its_own_and_documents_stand_in_company(boats: Path) -> None:
    [collection] = read_collections(boats)
    single = documents("fit")[:13]
    parts = list(together([*single[:5], collection, *single[5:]]))
    assert [len(part) for part in parts] == [12, 1, 1]
    assert parts[-1] == [collection]
    assert files_of(parts[-1]) == {"rates.md": RATES}
    assert all(tokens(text) for text in files_of(parts[0]).values())
