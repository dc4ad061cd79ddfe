"""Suites of one corpus: several sets merged, so that retrieval can fail.

What cannot be answered is half questions whose passages were taken away and half near misses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veridic.knowledge.ingest import Text
from veridic.models.embedder import OnnxEmbedder
from veridic.models.messages import OnnxMessages
from veridic.runtime.turns import leans
from veridic.text.questions import keywords
from veridic_lab.evaluation.grouping import groups_of
from veridic_lab.evaluation.questions import GoldQuestion, Missing, kind_of
from veridic_lab.evaluation.suite import Left, Recipe, Suite
from veridic_lab.evaluation.taken_away import Remaining, is_removed
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.pairs import Row, find, normalised, read_rows


def merged(name: str, recipe: Recipe, folder: Path) -> Suite:
    """One corpus of several sets, with what the judges have seen left out of the questions."""
    unseen = Unseen.read(folder)
    names = (*recipe.sets, *recipe.near)
    rows = {each: list(read_rows(find(folder, f"{each}.qa"))) for each in names}
    groups = groups_of({row["id"]: _traits(row) for each in names for row in rows[each]})
    asked = {normalised(row["question"]) for each in recipe.sets for row in rows[each]}
    questions: dict[str, list[GoldQuestion]] = {
        each: [_gold(each, row, groups) for row in rows[each]] for each in recipe.sets
    }
    for each in recipe.near:
        misses = (_near(each, row, groups) for row in rows[each] if _is_near_miss(row))
        questions[each] = [one for one in misses if one.key not in asked]
    gone = _taken(recipe, rows, groups)
    documents = tuple(one for one in passages_of(folder, names) if one.url not in gone)
    remaining = Remaining(documents)
    chosen: dict[str, GoldQuestion] = {}
    left: dict[str, Left] = {}
    for each in names:
        fresh = [one for one in questions[each] if unseen.allows(each, one.key)]
        usable = [one for one in fresh if one.missing != "removed" or not remaining.may_answer(one)]
        left[each] = Left(len(rows[each]), len(fresh), len(usable))
        for one in usable:
            chosen.setdefault(one.key, one)
    return Suite(name, tuple(chosen.values()), documents, left=left)


def _traits(row: Row) -> list[str]:
    return [*row["gold_doc_ids"], f"asked:{normalised(row['question'])}"]


def _gold(name: str, row: Row, groups: Mapping[str, str]) -> GoldQuestion:
    group = groups[row["id"]]
    return _question(name, row, group, tuple(row["gold_doc_ids"]), "removed" if is_removed(group) else "")


def _near(name: str, row: Row, groups: Mapping[str, str]) -> GoldQuestion:
    return _question(name, row, groups[row["id"]], (), "near miss")


def _question(name: str, row: Row, group: str, gold: tuple[str, ...], missing: Missing) -> GoldQuestion:
    answers = () if missing == "near miss" else tuple(row["answers"])
    return GoldQuestion(row["id"], name, row["question"], answers, gold, kind_of(answers), missing, group)


def _is_near_miss(row: Row) -> bool:
    """Unanswerable by its passages, and whole without the conversation it comes from."""
    if not str(row["type"]).lower().endswith("/unanswerable"):
        return False
    text = row["question"]
    return not row.get("history") or (len(keywords(text)) >= 4 and not leans(text, OnnxMessages(OnnxEmbedder())))


def _taken(recipe: Recipe, rows: Mapping[str, Sequence[Row]], groups: Mapping[str, str]) -> set[str]:
    asked = [row for each in recipe.sets for row in rows[each] if is_removed(groups[row["id"]])]
    return {passage for row in asked for passage in row["gold_doc_ids"]}


def passages_of(folder: Path, names: Sequence[str]) -> Iterator[Text]:
    """Every passage of the sets that has a text, with its title as people write it."""
    for name in names:
        for row in read_rows(find(folder, f"{name}.corpus")):
            if row["text"].strip():
                title = " ".join(row.get("title", "").replace("_", " ").split())
                yield Text(url=row["id"], title=title, text=row["text"])
