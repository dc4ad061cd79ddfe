"""Labelled readings by set, which of them a reader's confidence is fitted on, and which questions it has seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from veridic.text.kinds import asks_yes_or_no
from veridic_lab.training.pairs import find, normalised, read_rows
from veridic_lab.training.reading.own_documents import own_documents
from veridic_lab.training.reading.rows import Reading, read_readings, split
from veridic_lab.training.reading.taken import focused, left_open
from veridic_lab.training.splits import is_standard

SPANS = ("squadshifts_new_wiki", "squadshifts_amazon", "squadshifts_reddit", "qamr", "timeqa", "nq_gold", "qed")
POLAR = ("boolq", "condaqa", "strategyqa")
MEASURING = ("xquad_en", "pubmedqa", "clapnq", "mtrag", "hotpotqa", "musique", "2wiki")
"""Question sets of which nothing is learned that they ask."""
CALIBRATING: Mapping[str, int] = {
    "squadshifts_new_wiki": 700,
    "timeqa": 120,
    "boolq": 240,
    "condaqa": 120,
    "left open": 160,
}
"""How many held-out rows of each set are asked; Natural Questions measure."""
BESIDE = ("squadshifts_new_wiki", "nq_gold")
"""Sets whose learned texts stand beside in the knowledge base."""


def labelled_readings(folder: Path) -> dict[str, list[Reading]]:
    """The labelled files that may be learned from, without questions that measure."""
    kept = {normalised(row["question"]) for name in MEASURING for row in read_rows(find(folder, f"{name}.qa"))}
    sets: dict[str, list[Reading]] = {}
    for name in (*SPANS, *POLAR):
        rows = read_readings(find(folder, f"{name}.reader"))
        if name in ("nq_gold", "qed"):
            rows = [replace(row, key=normalised(row.question)) for row in rows]
        rows = [row for row in rows if normalised(row.question) not in kept]
        sets[name] = [focused(row) for row in rows if row.kind != "span" or not asks_yes_or_no(row.question)]
    return sets


def asked_rows(data: Path) -> tuple[list[Reading], list[Reading]]:
    """The rows that are asked, and rows whose texts only stand beside.

    A folder with the standard sets is used as it is meant, and with it documents of our own that nothing is learned
    from; of any other one all `*.reader.jsonl` rows are asked.
    """
    if not is_standard(data):
        return [row for rows in held_out_readings(data).values() for row in rows], []
    train, test = split(labelled_readings(data))
    test["left open"] = list(_left_open(test))
    asked = [row for name, count in CALIBRATING.items() for row in _shuffled(test[name])[:count]]
    return [*asked, *own_documents()], [row for name in BESIDE for row in train[name]]


def _left_open(test: Mapping[str, Sequence[Reading]]) -> Iterator[Reading]:
    """Yes or no questions without what decides them, none of which is asked beside its whole text."""
    for name in POLAR:
        whole = {row.text for row in _shuffled(test[name])[: CALIBRATING.get(name, 0)]}
        yield from (found for row in test[name] if row.text not in whole and (found := left_open(row)))


def held_out_readings(data: Path) -> dict[str, list[Reading]]:
    """The rows of a folder that are never learned from, by set; all rows of one that is not the standard one."""
    if is_standard(data):
        return split(labelled_readings(data))[1]
    files = sorted(path for ending in ("*.reader.jsonl", "*.reader.jsonl.gz") for path in data.rglob(ending))
    return {path.name.split(".")[0]: read_readings(path) for path in files}


def seen_questions(data: Path) -> set[str]:
    """The normalised questions that a reader learned from, and those that may have fitted its confidence."""
    train, test = split(labelled_readings(data))
    fitting = {*CALIBRATING, *POLAR} & test.keys()
    return {normalised(row.question) for rows in train.values() for row in rows} | {
        normalised(row.question) for name in fitting for row in test[name]
    }


def _shuffled(rows: Sequence[Reading]) -> list[Reading]:
    return [rows[int(i)] for i in np.random.default_rng(4).permutation(len(rows))]
