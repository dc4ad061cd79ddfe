"""`veridic score`, `calibrate` and `promote` for the reader."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.judges import OverlapReader
from veridic.errors import UsageError
from veridic.models.reader_calibration import ReaderCalibration
from veridic.ports.judgements import Reading
from veridic.settings import Settings
from veridic_lab.training import promotion, row_scores
from veridic_lab.training.promotion import promote_reader
from veridic_lab.training.reading.asked import held_out_readings
from veridic_lab.training.row_scores import score

BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long."
ROWS = [
    {
        "question": "When was the Alder Bridge opened?",
        "title": "Alder Bridge",
        "context": BRIDGE,
        "kind": "span",
        "answers": [{"text": "1932", "start": BRIDGE.index("1932")}],
    },
    {"question": "Was the Alder Bridge opened in 1932?", "context": BRIDGE, "kind": "yes"},
    {"question": "When was the Dover Tunnel dug?", "context": BRIDGE, "kind": "none"},
]


class Weighted(OverlapReader):
    """Has a calibration, as readers of a folder have."""

    calibration = replace(ReaderCalibration.identity("0123456789abcdef"), ece=0.02)


class Blind(Weighted):
    """Finds nothing."""

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        return [Reading([], 0.0, 0.0, 1.0, (0, len(text))) for _, text in pairs]


READERS = {"good": Weighted, "blind": Blind}


@pytest.fixture(autouse=True)
def readers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_scores, "open_reader", lambda _settings, **_: Weighted())
    monkeypatch.setattr(promotion, "OnnxReader", lambda folder, **_: READERS[(folder / "name").read_text()]())


def written(path: Path, rows: Sequence[object]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def folder(path: Path, name: str) -> Path:
    path.mkdir()
    (path / "name").write_text(name)
    return path


def test_each_row_is_written_back_with_what_was_read(tmp_path: Path) -> None:
    out = io.StringIO()
    found = score("reader", written(tmp_path / "x.jsonl", ROWS), Settings(), out, metrics=True)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [{key: row[key] for key in given} for row, given in zip(told, ROWS, strict=True)] == ROWS
    assert told[0]["read"] == "1932"
    assert told[1]["yes"] > 0.9
    assert told[2]["margin"] < 0 < told[0]["margin"]
    assert found == {"rows": 3.0, "exact_match": 1.0, "f1": 1.0, "answer_auc": 1.0, "decision": 1.0}


@pytest.mark.parametrize("missing", ["question", "context"])
def test_a_row_without_what_is_needed_is_named(tmp_path: Path, missing: str) -> None:
    rows = [ROWS[0], {name: value for name, value in ROWS[0].items() if name != missing}]
    with pytest.raises(UsageError, match=f"no '{missing}' field"):
        score("reader", written(tmp_path / "x.jsonl", rows), Settings(), io.StringIO())


def test_a_row_without_a_label_can_be_read_and_not_measured(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", [{"question": "When was the Alder Bridge opened?", "context": BRIDGE}])
    out = io.StringIO()
    assert score("reader", path, Settings(), out) == {}
    assert json.loads(out.getvalue())["read"] == "1932"
    with pytest.raises(UsageError, match="no 'kind'"):
        score("reader", path, Settings(), io.StringIO(), metrics=True)


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("nothing\n")
    with pytest.raises(UsageError, match=r"x\.jsonl:1"):
        score("reader", tmp_path / "x.jsonl", Settings(), io.StringIO())


def test_a_better_reader_takes_the_place(tmp_path: Path) -> None:
    data = written(tmp_path / "own" / "a.reader.jsonl", ROWS * 40).parent
    new, place = folder(tmp_path / "new", "good"), folder(tmp_path / "place", "blind")
    found = promote_reader(new, place, data, threads=1)
    assert found.promoted, found.objections
    assert [(one.name, one.pairs, one.old, one.new) for one in found.sets] == [("a", 120, 0.0, 1.0)]
    assert found.ece == 0.02
    assert (place / "name").read_text() == "good"


@pytest.mark.parametrize(("name", "objection"), [("blind", "it loses 1.000 on a"), ("good", "its mean is not higher")])
def test_a_worse_reader_and_the_same_one_are_refused(tmp_path: Path, name: str, objection: str) -> None:
    data = written(tmp_path / "own" / "a.reader.jsonl", ROWS * 40).parent
    new, place = folder(tmp_path / "new", name), folder(tmp_path / "place", "good")
    found = promote_reader(new, place, data, threads=1)
    assert not found.promoted
    assert objection in found.objections
    assert (place / "name").read_text() == "good"


def test_decisions_are_compared_where_there_are_no_spans(tmp_path: Path) -> None:
    data = written(tmp_path / "own" / "a.reader.jsonl", ROWS[1:2] * 100).parent
    found = promote_reader(folder(tmp_path / "new", "good"), folder(tmp_path / "old", "blind"), data, threads=1)
    assert [(one.old, one.new) for one in found.sets] == [(0.0, 1.0)]


def test_too_few_rows_compare_nothing(tmp_path: Path) -> None:
    data = written(tmp_path / "own" / "a.reader.jsonl", ROWS).parent
    with pytest.raises(UsageError, match="no held-out readings"):
        promote_reader(folder(tmp_path / "new", "good"), folder(tmp_path / "old", "blind"), data, threads=1)


def test_a_set_that_cannot_be_measured_compares_nothing(tmp_path: Path) -> None:
    data = written(tmp_path / "own" / "a.reader.jsonl", ROWS[2:] * 100).parent
    with pytest.raises(UsageError, match="no held-out readings"):
        promote_reader(folder(tmp_path / "new", "good"), folder(tmp_path / "old", "blind"), data, threads=1)


def test_rows_of_a_folder_are_read_by_file(tmp_path: Path) -> None:
    written(tmp_path / "a.reader.jsonl", ROWS)
    written(tmp_path / "b.jsonl", ["no reading"])
    assert {name: len(rows) for name, rows in held_out_readings(tmp_path).items()} == {"a": 3}


class TestFit:
    @pytest.fixture(autouse=True)
    def reading(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("sklearn")
        monkeypatch.setattr("veridic_lab.training.reading.fit.open_reader", lambda _settings, **_: Weighted())

    def test_too_few_rows_are_refused(self, tmp_path: Path) -> None:
        from veridic_lab.training.reading.fit import fit

        data = written(tmp_path / "own" / "a.reader.jsonl", ROWS).parent
        with pytest.raises(UsageError, match="has 3 labelled readings"):
            fit(data, Settings(), out=tmp_path / "mine.json")
        assert not (tmp_path / "mine.json").exists()

    def test_questions_for_which_nothing_is_found_are_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from veridic_lab.training.reading.fit import fit

        monkeypatch.setattr("veridic_lab.training.reading.fit.answer_cases", lambda *_: [])
        data = written(tmp_path / "own" / "a.reader.jsonl", ROWS * 40).parent
        with pytest.raises(UsageError, match="none of the questions"):
            fit(data, Settings(), out=tmp_path / "mine.json")

    def test_a_calibration_is_written_and_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from tests.lab.training.test_reading_fit import cases
        from veridic_lab.training.reading.fit import fit, summary

        monkeypatch.setattr("veridic_lab.training.reading.fit.answer_cases", lambda *_: cases(400))
        data = written(tmp_path / "own" / "a.reader.jsonl", ROWS * 40).parent
        found = fit(data, Settings(), out=tmp_path / "mine.json")
        assert ReaderCalibration.read(tmp_path / "mine.json", "overlap-reader") == found
        told = "\n".join(summary(found))
        assert "reader overlap-reader" in told
        assert "own 200" in told
