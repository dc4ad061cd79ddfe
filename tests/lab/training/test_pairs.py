from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.errors import UsageError
from veridic_lab.training.pairs import NLI_LABELS, Pair, find, fraction_of, held_out, read_pairs
from veridic_lab.training.splits import is_test

KEYS = st.text(min_size=1, max_size=12)


@given(st.lists(st.tuples(KEYS, st.integers(0, 2)), max_size=60), st.sampled_from(("mnli", "clapnq", "clapnq.qa")))
def test_a_split_never_crosses_a_key(rows: list[tuple[str, int]], name: str) -> None:
    pairs = [Pair("nli", "p", "h", label, "s", key) for key, label in rows]
    held = {p.key for p in pairs if is_test(name, p)}
    assert not held & {p.key for p in pairs if not is_test(name, p)}


@given(KEYS)
def test_all_of_clapnq_holds_out_the_same_questions(key: str) -> None:
    pair = Pair("relevance", "q", "p", 1, "clapnq", key)
    assert len({is_test(name, pair) for name in ("clapnq", "clapnq.grounded", "clapnq.qa")}) == 1


def test_a_tenth_is_held_out() -> None:
    share = sum(held_out(f"key {n}") for n in range(4000)) / 4000
    assert 0.08 < share < 0.12


@given(KEYS)
def test_the_split_depends_on_the_key_alone(key: str) -> None:
    assert 0 <= fraction_of(key) == fraction_of(key) < 1


def _write(path: Path, rows: list[dict[str, object]]) -> Path:
    text = "\n".join(map(json.dumps, rows)) + "\n"
    if path.suffix == ".gz":
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.write(text)
    else:
        path.write_text(text)
    return path


def test_all_three_schemas_are_read(tmp_path: Path) -> None:
    nli = {"premise": "p", "hypothesis": "h", "label": "not_entailment", "source": "s", "group": "g"}
    grounded = {"context": "c", "response": "r", "label": "supported", "source": "s", "group": "g", "question": "Who?"}
    relevance = {"query": "Who is it?", "passage": "p", "label": 1, "source": "s", "group": "g"}
    read = [
        read_pairs(_write(tmp_path / name, [row]))[0]
        for name, row in (("a.nli.jsonl.gz", nli), ("b.grounded.jsonl", grounded), ("c.relevance.jsonl", relevance))
    ]
    assert [(p.task, NLI_LABELS[p.label] if p.task == "nli" else p.label, p.key) for p in read] == [
        ("nli", "not_entailment", "s:g"),
        ("nli", "entailment", "who"),
        ("relevance", 1, "who is it"),
    ]
    assert [p.positive for p in read] == [False, True, True]


def test_a_group_of_several_questions_stays_together(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"context": "c", "response": "r", "label": "supported", "source": "s", "group": "one", "question": q}
        for q in ("Who?", "When?")
    ]
    assert {p.key for p in read_pairs(_write(tmp_path / "x.grounded.jsonl", rows))} == {"s:one"}


def test_one_question_has_one_key_in_all_files(tmp_path: Path) -> None:
    first = {"query": "Who won?", "passage": "p", "label": 1, "source": "a", "group": "1"}
    second = {"question": "who WON", "context": "c", "response": "r", "label": "supported", "source": "b", "group": "2"}
    keys = {read_pairs(_write(tmp_path / f"{n}.jsonl", [row]))[0].key for n, row in enumerate((first, second))}
    assert keys == {"who won"}


def test_bad_rows_are_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{oops\n')
    with pytest.raises(UsageError, match=r"x\.jsonl:2"):
        read_pairs(tmp_path / "x.jsonl")
    _write(tmp_path / "y.jsonl", [{"premise": "p", "hypothesis": "h", "label": "maybe"}])
    with pytest.raises(UsageError, match="maybe"):
        read_pairs(tmp_path / "y.jsonl")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="mnli"):
        find(tmp_path, "mnli.nli")
