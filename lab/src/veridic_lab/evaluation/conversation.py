"""A suite of turns of conversations: each question is asked with what was said before it.

The turns before are those of the data, not what a system answered, so that every system leans on the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from veridic_lab.evaluation.grouping import groups_of
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.evaluation.questions import GoldQuestion, Missing, Said, kind_of
from veridic_lab.evaluation.suite import Left, Recipe, Suite
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.pairs import Row, find, normalised, read_rows

ASKED: Mapping[str, Missing] = {"answerable": "", "unanswerable": "near miss"}
"""Kinds of turns that are asked, and why the corpus does not answer them; others have no one right answer."""
_TURN = re.compile(r"^(user|agent): ", re.MULTILINE)


def conversation(name: str, recipe: Recipe, folder: Path) -> Suite:
    """The later turns of the recipe's sets, over their passages and those of the near ones."""
    unseen = Unseen.read(folder)
    questions: list[GoldQuestion] = []
    left: dict[str, Left] = {}
    sets = {each: [row for row in read_rows(find(folder, f"{each}.qa")) if row.get("history")] for each in recipe.sets}
    groups = groups_of({row["id"]: _traits(row) for rows in sets.values() for row in rows})
    for each, rows in sets.items():
        usable = [_question(each, row, groups) for row in rows if _type(row) in ASKED]
        fresh = [one for one in usable if unseen.allows(each, one.key)]
        left[each] = Left(len(rows), len(fresh), len(fresh))
        questions += fresh
    return Suite(name, tuple(questions), tuple(passages_of(folder, (*recipe.sets, *recipe.near))), left=left)


def turns_of(history: str) -> tuple[Said, ...]:
    """Who said what, oldest first, of lines that begin with `user:` or `agent:`."""
    _, *pieces = _TURN.split(history)
    return tuple((speaker, text.strip()) for speaker, text in zip(pieces[::2], pieces[1::2], strict=True))  # type: ignore[misc]


def _type(row: Row) -> str:
    return str(row["type"]).lower().rpartition("/")[2]


def _traits(row: Row) -> tuple[str, str]:
    """Its conversation and its words: people ask the same in two."""
    return str(row["id"]).partition("<::>")[0], f"words:{normalised(row['question'])}"


def _question(name: str, row: Row, groups: Mapping[str, str]) -> GoldQuestion:
    missing = ASKED[_type(row)]
    answers = () if missing else tuple(row["answers"])
    return GoldQuestion(
        id=row["id"],
        set=name,
        text=row["question"],
        answers=answers,
        gold=() if missing else tuple(row["gold_doc_ids"]),
        kind=kind_of(answers),
        missing=missing,
        group=groups[row["id"]],
        history=turns_of(row["history"]),
    )
