"""Retrieval that goes wrong: right pages that are not found, from none of them to nine of ten.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.corrupted --out DIR [--limit N]`. Questions of
`outside` are asked without a chat model, their pages in the corpus and in the recorded world. Each is asked once for
each choice of its right pages that is lost, others in their place; what a share of them lost comes to is the mean over
these. What was interrupted goes on. What came is kept beside the other kept runs and drawn for `../docs/results.md`,
for which `pip install 'lab[plots]'` brings matplotlib; `make docs` writes the table.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from veridic import Context, Settings
from veridic.resources import open_knowledge_base, open_resources
from veridic.settings import EXTRACTIVE
from veridic_lab.benchmarks.asking import say
from veridic_lab.evaluation.connected import connected
from veridic_lab.evaluation.corpus import fill, settings_for
from veridic_lab.evaluation.corrupted import Came, Case, Losing, Within, keep, losses
from veridic_lab.evaluation.journal import Journal, rows_in
from veridic_lab.evaluation.measuring import row_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.sampling import drawn
from veridic_lab.evaluation.scores import scored
from veridic_lab.evaluation.suites import SUITES, open_suite
from veridic_lab.evaluation.systems import System, open_systems
from veridic_lab.manual.curve import draw_corrupted
from veridic_lab.manual.results import CORRUPTED, CORRUPTED_PICTURE

SEED = 11
PASSAGES = 5
"""That plain RAG reads."""
ASKED = ("standard_rag", "crag:sources=none", "self_rag", "veridic:sources=none", "crag:sources=wikipedia+arxiv",
         "crag:search=beside,sources=wikipedia+arxiv", "veridic:sources=wikipedia+arxiv")  # fmt: skip


def main() -> None:
    """Ask, keep and draw."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--limit", type=int, default=60, help="Questions, each asked for each choice of lost pages")
    told = options.parse_args()
    rows = told.out / "rows.jsonl"
    ask(rows, told.limit)
    cases = [*cases_in(rows)]
    keep(cases, CORRUPTED)
    draw_corrupted(cases, CORRUPTED_PICTURE)
    say(f"{len(cases)} answers: {CORRUPTED}, {CORRUPTED_PICTURE}")


def ask(rows: Path, limit: int) -> None:
    """Every question of every system, for each choice of its pages that is lost; what has its row is left."""
    data = Path(os.environ["VERIDIC_DATA"])
    suite = open_suite("outside", lambda: data)
    within = Within.read(SUITES["outside"][1], data, suite, drawn(suite.questions, limit, SEED))
    settings = settings_for(within.suite, Settings.load(model=EXTRACTIVE), rows.parent)
    fill(within.suite, open_knowledge_base(settings), settings, lambda *_: None)
    journal, lost = Journal(rows), set[str]()
    with connected(open_resources(settings), within.suite.outside) as resources:
        losing = replace(resources, knowledge=Losing(resources.knowledge, lost))
        systems = open_systems(ASKED, losing, Context(), k=PASSAGES)
        for number, question in enumerate(within.suite.questions, 1):
            for gone in losses(question.gold):
                lost.clear()
                lost.update(*(within.passages[page] for page in gone))
                _ask(replace(question, id=f"{question.id} without {len(gone)}: {' '.join(gone)}"), systems, journal)
            say(f"{number} of {len(within.suite.questions)} questions")


def _ask(question: GoldQuestion, systems: Sequence[System], journal: Journal) -> None:
    for system in systems:
        if (question.id, system.name) not in journal:
            journal.append(row_of(system, question))


def cases_in(rows: Path) -> Iterator[Case]:
    """What came of each row."""
    for row in rows_in(rows):
        name, _, gone = row["question"]["id"].partition(" without ")
        score = scored(row)
        came: Came = "silent" if not score.answered else "right" if score.right else "wrong"
        yield Case(row["system"], name, len(row["question"]["gold"]), int(gone.partition(":")[0]), came)


if __name__ == "__main__":
    main()
