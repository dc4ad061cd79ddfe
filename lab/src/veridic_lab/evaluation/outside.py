"""The suite whose answers stand outside: whole pages among thousands of others, none of them in the corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.knowledge.ingest import Text
from veridic_lab.evaluation.grouping import groups_of
from veridic_lab.evaluation.pages import Page, read_pages
from veridic_lab.evaluation.questions import GoldQuestion, kind_of
from veridic_lab.evaluation.suite import Left, Outside, Recipe, Suite
from veridic_lab.evaluation.taken_away import Remaining
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.pairs import Row, find, fraction_of, normalised, read_rows

INSIDE = 0.25
"""Share of the pages that answer nothing that stand in the corpus, so that retrieval finds something near."""


@dataclass(frozen=True)
class Ground:
    """What may be asked, and the pages divided into those inside and those outside."""

    rows: Mapping[str, Sequence[Row]]
    """By set, the questions that the judges have not seen, each once."""
    all: Mapping[str, int]
    page_of: Mapping[str, Page]
    """By the name of a passage."""
    groups: Mapping[str, str]
    inside: tuple[Text, ...]
    """Passages of the pages that stand in the corpus."""
    outside: Outside

    @classmethod
    def read(cls, recipe: Recipe, folder: Path) -> Ground:
        """From the data folder. Raises `UsageError` when a file of it is missing."""
        pages = read_pages(folder, recipe)
        page_of = {passage.url: page for page in pages for passage in page.passages}
        every = {name: list(read_rows(find(folder, f"{name}.qa"))) for name in recipe.sets}
        rows = _fresh(every, Unseen.read(folder), page_of)
        asked = {page_of[passage].url for found in rows.values() for row in found for passage in row["gold_doc_ids"]}
        kept = {page.url for page in pages if fraction_of(f"inside:{page.url}") < INSIDE} - asked
        elsewhere = [page for page in pages if page.url not in kept]
        return cls(
            rows=rows,
            all={name: len(found) for name, found in every.items()},
            page_of=page_of,
            groups=groups_of({row["id"]: _traits(row, page_of) for found in rows.values() for row in found}),
            inside=tuple(passage for page in pages if page.url in kept for passage in page.passages),
            outside=Outside(
                articles=tuple(page.whole for page in elsewhere if not page.paper),
                papers=tuple(page.whole for page in elsewhere if page.paper),
            ),
        )

    def question(self, name: str, row: Row) -> GoldQuestion:
        """A row as a question; its gold are pages, by the address that citations carry."""
        gold = tuple(dict.fromkeys(self.page_of[passage].url for passage in row["gold_doc_ids"]))
        answers = tuple(row["answers"])
        return GoldQuestion(
            row["id"], name, row["question"], answers, gold, kind_of(answers), "", self.groups[row["id"]]
        )

    def left(self, usable: Sequence[GoldQuestion]) -> dict[str, Left]:
        """How many questions each set has left."""
        return {
            name: Left(self.all[name], len(rows), sum(one.set == name for one in usable))
            for name, rows in self.rows.items()
        }


def outside(name: str, recipe: Recipe, folder: Path) -> Suite:
    """Every question is answered outside; one that a passage of the corpus may answer is not asked."""
    ground = Ground.read(recipe, folder)
    remaining = Remaining(ground.inside)
    questions = [ground.question(each, row) for each, rows in ground.rows.items() for row in rows]
    usable = tuple(one for one in questions if not remaining.may_answer(one))
    return Suite(name, usable, ground.inside, left=ground.left(usable), outside=ground.outside)


def _fresh(rows: Mapping[str, Sequence[Row]], unseen: Unseen, page_of: Mapping[str, Page]) -> dict[str, list[Row]]:
    """The rows with answers and known passages whose question is unseen and not asked before."""
    fresh: dict[str, list[Row]] = {name: [] for name in rows}
    asked = set[str]()
    for name, found in rows.items():
        for row in found:
            key = normalised(row["question"])
            whole = row["answers"] and row["gold_doc_ids"] and all(one in page_of for one in row["gold_doc_ids"])
            if whole and key not in asked and unseen.allows(name, key):
                asked.add(key)
                fresh[name].append(row)
    return fresh


def _traits(row: Row, page_of: Mapping[str, Page]) -> list[str]:
    return [page_of[passage].url for passage in row["gold_doc_ids"]]
