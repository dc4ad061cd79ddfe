"""What a run learns from: any folder, a log, without what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic.errors import UsageError
from veridic_lab.training.log import read_log
from veridic_lab.training.recipe import Recipe, mixture_of, split_by_source, weights_of


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def own_rows(count: int = 60) -> list[dict[str, object]]:
    return [
        {"query": f"Where is tower {n}?", "passage": f"Tower {n} is in Riga.", "label": n % 2, "source": "own"}
        for n in range(count)
    ]


def test_any_folder_of_labelled_pairs_can_be_learned(tmp_path: Path) -> None:
    written(tmp_path / "deep" / "mine.jsonl", own_rows())
    found = mixture_of(Recipe(tmp_path), HashingEmbedder(), seed=1)
    assert {pairs[0].task for pairs in found.train.values()} == {"relevance", "usefulness"}
    for name in found.train:
        assert len(found.train[name]) + len(found.test[name]) == 60
        assert not {p.key for p in found.train[name]} & {p.key for p in found.test[name]}
    with pytest.raises(UsageError, match="Nothing is left"):
        mixture_of(Recipe(tmp_path, tasks=("nli",)), HashingEmbedder(), seed=1)


def test_heads_and_sets_can_be_left_out(data: Path) -> None:
    critic = mixture_of(Recipe(data, tasks=("nli",), without=frozenset({"snli"})), HashingEmbedder(), seed=1)
    assert {pair.task for pairs in critic.train.values() for pair in pairs} == {"nli"}
    assert "snli" not in critic.train
    with pytest.raises(UsageError, match="no set snlj"):
        mixture_of(Recipe(data, without=frozenset({"snlj"})), HashingEmbedder(), seed=1)


def test_stated_weights_win() -> None:
    found = weights_of(Recipe(Path(), weights={"mnli": 9.0}))
    assert found["mnli"] == 9.0
    assert found["snli"] != 9.0


def log_rows() -> list[dict[str, object]]:
    claims = [
        {"premise": f"Tower {n} is tall.", "hypothesis": f"It is {n} tall.", "label": "entailment", "kind": "review"}
        for n in range(30)
    ]
    asked = [{**row, "kind": "outcome"} for row in own_rows(30)]
    feedback = [{**claims[0], "kind": "feedback", "hypothesis": f"Fine {n}.", "reviewed": n < 5} for n in range(8)]
    return [*claims, *asked, *feedback, {**claims[0], "kind": "outcome"}, {**claims[0], "kind": ""}]


def test_a_critic_learns_from_people_only(tmp_path: Path) -> None:
    found = read_log(written(tmp_path / "log.jsonl", log_rows()))
    assert {pair.task for pair in found.outcomes} == {"relevance"}
    assert len(found.outcomes) == 30
    assert len(found.people) == 35
    assert found.unused == {"feedback, nli": 3, "outcome, nli": 1, "no kind, nli": 1}


def test_outcomes_weigh_little_beside_the_data(tmp_path: Path, data: Path) -> None:
    log = read_log(written(tmp_path / "log.jsonl", log_rows()))
    recipe = Recipe(data, log=log)
    mixture = mixture_of(recipe, HashingEmbedder(), seed=1)
    assert {"log (nli)", "log outcome (relevance)", "mnli"} <= set(mixture.train)
    assert weights_of(recipe)["log outcome (relevance)"] < 1


def test_the_sets_of_a_log_can_be_weighed_and_left_out_by_name(tmp_path: Path, data: Path) -> None:
    log = read_log(written(tmp_path / "log.jsonl", log_rows()))
    chosen = {"weights": {"log (nli)": 8.0}, "without": frozenset({"log outcome (usefulness)"})}
    recipe = Recipe(data, log=log, **chosen)  # type: ignore[arg-type]
    assert "log outcome (usefulness)" not in mixture_of(recipe, HashingEmbedder(), seed=1).train
    assert weights_of(recipe)["log (nli)"] == 8.0


def test_a_log_that_teaches_nothing_is_refused(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{**row, "kind": "feedback"} for row in own_rows(60)]
    with pytest.raises(UsageError, match="only 0 rows"):
        read_log(written(tmp_path / "log.jsonl", rows))
    with pytest.raises(UsageError, match="'label'"):
        read_log(written(tmp_path / "bad.jsonl", [{"query": "q", "passage": "p", "kind": "review"}]))


def test_a_source_with_nothing_held_out_has_an_empty_test_set() -> None:
    found = split_by_source(())
    assert found.train == found.test == {}
