"""The data folder's sets as they are read, without rows that would leak into what is measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veridic_lab.training.pairs import Pair, find, normalised, read_pairs, read_rows


@dataclass(frozen=True)
class Question:
    """A question of a set, and whether it has an answer and a passage that holds it."""

    key: str
    """What splits are made by: the normalised question."""
    answered: bool
    gold: bool


def labelled_files(folder: Path) -> dict[str, list[Pair]]:
    """The labelled files that are trained on, by set name, without rows that would leak."""
    sets: dict[str, list[Pair]] = {}
    for name in ("mnli", "snli", "scifact", "factcheck_gpt", "contract_nli", "fool_me_twice", "conjnli"):
        sets[name] = read_pairs(find(folder, f"{name}.nli"))
    sets["fever_nli"] = _apart(
        read_pairs(find(folder, "fever_nli.nli")), read_pairs(find(folder, "fever_symmetric.nli"))
    )
    for name in ("attribution_bench", "begin", "halueval_qa", "clapnq"):
        key = "clapnq.grounded" if name == "clapnq" else name
        sets[key] = read_pairs(find(folder, f"{name}.grounded"))
    for name in ("qnli", "selqa", "stackexchange", "musique", "2wiki", "hotpotqa", "clapnq", "qed"):
        sets[name] = read_pairs(find(folder, f"{name}.relevance"))
    sets["qnli"] = _without_xquad(sets["qnli"], folder)
    return sets


def question_set(folder: Path, name: str) -> list[Question]:
    """The questions of one qa set."""
    rows = read_rows(find(folder, f"{name}.qa"))
    return [Question(normalised(row["question"]), bool(row["answers"]), bool(row["gold_doc_ids"])) for row in rows]


def _without_xquad(pairs: list[Pair], folder: Path) -> list[Pair]:
    """The pairs whose question is none of XQuAD's, and whose sentence stands in none of its passages."""
    asked = {normalised(row["question"]) for row in read_rows(find(folder, "xquad_en.qa"))}
    text = "\n".join(normalised(row["text"]) for row in read_rows(find(folder, "xquad_en.corpus")))
    return [pair for pair in pairs if pair.key not in asked and normalised(pair.second) not in text]


def _apart(pairs: list[Pair], measured: list[Pair]) -> list[Pair]:
    """The pairs of the keys under which no claim and no premise is measured."""
    known = {normalised(text) for pair in measured for text in (pair.first, pair.second)}
    shared = {pair.key for pair in pairs if normalised(pair.first) in known or normalised(pair.second) in known}
    return [pair for pair in pairs if pair.key not in shared]
