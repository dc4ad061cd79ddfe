"""What of a decision log teaches a judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from veridic.errors import UsageError
from veridic_lab.training.log import WEAK, read_log


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def own_rows(count: int) -> list[dict[str, object]]:
    return [
        {"query": f"Where is tower {n}?", "passage": f"Tower {n} is in Riga.", "label": n % 2, "source": "own"}
        for n in range(count)
    ]


def log_rows() -> list[dict[str, object]]:
    claims = [
        {"premise": f"Tower {n} is tall.", "hypothesis": f"It is {n} tall.", "label": "entailment", "kind": "review"}
        for n in range(30)
    ]
    asked = [{**row, "kind": "outcome"} for row in own_rows(32)]
    feedback = [{**claims[0], "kind": "feedback", "hypothesis": f"Fine {n}.", "reviewed": n < 5} for n in range(8)]
    return [*claims, *asked, *feedback, {**claims[0], "kind": "outcome"}, {**claims[0], "kind": ""}]


def test_a_critic_learns_from_people_only_and_outcomes_teach_little(tmp_path: Path) -> None:
    found = read_log(written(tmp_path / "log.jsonl", log_rows()))
    assert {pair.task for pair in found.outcomes} == {"relevance"}
    assert len(found.outcomes) == 32
    assert len(found.people) == 35
    assert found.unused == {"feedback, nli": 3, "outcome, nli": 1, "no kind, nli": 1}
    assert len(found.teaching()) == 35 + 32 // WEAK


def test_a_log_that_teaches_nothing_is_refused(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{**row, "kind": "feedback"} for row in own_rows(60)]
    with pytest.raises(UsageError, match="only 0 rows"):
        read_log(written(tmp_path / "log.jsonl", rows))
    with pytest.raises(UsageError, match="'label'"):
        read_log(written(tmp_path / "bad.jsonl", [{"query": "q", "passage": "p", "kind": "review"}]))
