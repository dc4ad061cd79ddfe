"""The suite in which the corpus says something false, by construction, and the truth stands outside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from veridic.knowledge.ingest import Text
from veridic_lab.evaluation.falsehoods import falsified
from veridic_lab.evaluation.outside import Ground
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.suite import Recipe, Suite
from veridic_lab.evaluation.taken_away import Remaining
from veridic_lab.training.pairs import fraction_of


def planted(name: str, recipe: Recipe, folder: Path) -> Suite:
    """As `outside`, and for each question the passage that answers it stands in the corpus, its answer swapped.

    One question a passage. One whose truth another passage of the corpus may hold is not asked.
    """
    ground = Ground.read(recipe, folder)
    found = list(_planted(ground))
    remaining = Remaining([*ground.inside, *(passage for _, passage in found)])
    kept = [(question, passage) for question, passage in found if not remaining.may_answer(question)]
    questions = tuple(question for question, _ in kept)
    documents = (*ground.inside, *(passage for _, passage in kept))
    return Suite(name, questions, documents, left=ground.left(questions), outside=ground.outside)


def _planted(ground: Ground) -> Iterator[tuple[GoldQuestion, Text]]:
    """Questions of short answers that one passage holds, each with that passage, altered."""
    passages = {passage.url: passage for page in ground.page_of.values() for passage in page.passages}
    asked = [(ground.question(name, row), row["gold_doc_ids"]) for name, rows in ground.rows.items() for row in rows]
    single = [(one, gold[0]) for one, gold in asked if one.kind == "short" and len(gold) == 1]
    short = [one for one, _ in single]
    done = set[str]()
    for question, gold in sorted(single, key=lambda pair: fraction_of(f"planted:{pair[0].id}")):
        made = None if gold in done else falsified(question, passages[gold].text, short)
        if made:
            done.add(gold)
            planted = replace(question, falsehood=made[0], planted_in=gold)
            yield planted, replace(passages[gold], text=made[1])
