"""Which held-out questions a reader's confidence is fitted on, and which questions it has seen at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from veridic_lab.training.pairs import normalised
from veridic_lab.training.reading.mixture import POLAR, labelled_readings, stated_readings
from veridic_lab.training.reading.own_documents import own_documents
from veridic_lab.training.reading.rows import Reading, read_readings, split
from veridic_lab.training.reading.taken import left_open
from veridic_lab.training.recipe import is_standard
from veridic_lab.training.tables import table
from veridic_lab.training.written.whole import held_out_readings as held_out_written

CALIBRATING: Mapping[str, int] = table(__package__, "weights")["calibrating"]
"""How many held-out rows of each set are asked; Natural Questions measure."""
BESIDE = ("squadshifts_new_wiki", "nq_gold")
"""Sets whose learned texts stand beside in the knowledge base."""


def asked_rows(data: Path) -> tuple[list[Reading], list[Reading]]:
    """The rows that are asked, and rows whose texts only stand beside.

    A folder with the standard sets is used as it is meant, and with it documents of our own that nothing is learned
    from; of any other one all `*.reader.jsonl` rows are asked.
    """
    if not is_standard(data):
        return [row for rows in held_out_readings(data).values() for row in rows], []
    train, test = split({**labelled_readings(data), "stated": stated_readings(data)})
    test["left open"] = list(_left_open(test))
    asked = [row for name, count in CALIBRATING.items() for row in _shuffled(test[name])[:count]]
    return [*asked, *own_documents(), *held_out_written()], [row for name in BESIDE for row in train[name]]


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


def seen_questions(data: Path) -> tuple[set[str], set[str]]:
    """The normalised questions that the reader learned from, and those that may have fitted its confidence."""
    train, test = split(labelled_readings(data))
    learned = {normalised(row.question) for rows in train.values() for row in rows}
    fitting = {normalised(row.question) for name in {*CALIBRATING, *POLAR} & test.keys() for row in test[name]}
    return learned, fitting


def _shuffled(rows: Sequence[Reading]) -> list[Reading]:
    return [rows[int(i)] for i in np.random.default_rng(4).permutation(len(rows))]
