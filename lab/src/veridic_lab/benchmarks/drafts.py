"""What becomes of drafts that a writer hands in: true ones, and false ones made of the same passage.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.drafts [--limit N]`. XQuAD's pages are the
documents; its questions, never learned from, are asked with a writer that says the right answer, or another name,
number or date of the same passage, as a full statement and as a bare answer. Printed by form: how often the false draft
is given, and how often an answer with the right one is; the same where drafts are not held against what was read.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from veridic.evidence.statements import stated_answer
from veridic.graph.builder import build_graph
from veridic.knowledge.ingest import ingest
from veridic.models.by_settings import open_judges
from veridic.nodes import critique
from veridic.ports.chat import Reply
from veridic.ports.shapes import Candidate, Objection, ReadAnswer, Result
from veridic.resources import open_knowledge_base, open_resources
from veridic.settings import Settings
from veridic_lab.benchmarks.kinds import pages
from veridic_lab.benchmarks.reader import gold_rows, sampled
from veridic_lab.evaluation.answers import holds_alias
from veridic_lab.training.answered import another_answer, given_of, is_short, statement
from veridic_lab.training.made import seeded
from veridic_lab.training.reading.rows import Reading

LIMIT = 200


@dataclass(frozen=True)
class Draft:
    """What the writer says to a question."""

    row: Reading
    answer: str
    text: str
    form: str
    """`statement` or `bare`."""
    true: bool


class Scripted:
    """A writer that follows instructions and says what it was told to."""

    name = "scripted"
    follows_instructions = True
    reflects = False

    def __init__(self) -> None:
        self.text = ""

    def prepare(self, *_told: object) -> None:
        """Nothing is to be fetched."""

    def write(self, *_told: object, **_how: object) -> Reply:
        """The text it was told."""
        return Reply(self.text, 0, 0, finished=True)


def main() -> None:
    """Print a row for each form, with the check and without."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--limit", type=int, default=LIMIT, help="false drafts, half of them bare")
    options.add_argument("--show", action="store_true", help="print every false draft that was given")
    told = options.parse_args()
    data = Path(os.environ["VERIDIC_DATA"])
    drafts = drafts_of(gold_rows(data, "xquad_en"), told.limit)
    sys.stdout.write("| held against what was read | form | n | false given | right given, draft false | right given, "
                     "draft true |\n|---|---|---|---|---|---|\n")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        documents = pages(data, Path(folder) / "pages")
        print_given("yes", drafts, list(asked(drafts, documents, Path(folder) / "kb.sqlite")), show=told.show)
        with patch.object(critique, "_held_against_reading", _by_usefulness):
            print_given("no", drafts, list(asked(drafts, documents, Path(folder) / "kb.sqlite")), show=False)


def drafts_of(rows: Sequence[Reading], limit: int) -> list[Draft]:
    """Of so many rows a true and a false draft each, every second row's as a bare answer."""
    given, rng, drafts = given_of(rows), seeded(5), list[Draft]()
    for row in sampled(list(rows), len(rows)):
        whole = statement(row.question, row.answers[0])
        wrong = another_answer(row, given[row.text], rng)
        form = "bare" if len(drafts) % 4 else "statement"
        if not wrong or not is_short(row.answers[0]) or whole == stated_answer(row.question, row.answers[0]):
            continue
        for answer, true in ((row.answers[0], True), (wrong, False)):
            text = statement(row.question, answer) if form == "statement" else f"{answer}."
            drafts.append(Draft(row, answer, text, form, true))
        if len(drafts) >= 2 * limit:
            break
    return drafts


def asked(drafts: Sequence[Draft], documents: Path, kb: Path) -> Iterator[Result]:
    """The result of each draft's question."""
    settings = Settings.load(kb=str(kb), docs="", model="extractive", write_back="off", sources=())
    ingest([documents], open_knowledge_base(settings).corpus)
    writer = Scripted()
    graph = build_graph(replace(open_resources(settings), chat=writer))
    for draft in drafts:
        writer.text = draft.text
        yield graph.invoke({"question": draft.row.question})["result"]


def print_given(checked: str, drafts: Sequence[Draft], results: Sequence[Result], *, show: bool) -> None:
    """A row of the table for each form."""
    found = list(zip(drafts, results, strict=True))
    for form in ("statement", "bare"):
        false = [(draft, result) for draft, result in found if draft.form == form and not draft.true]
        true = [(draft, result) for draft, result in found if draft.form == form and draft.true]
        given = [one for one in false if _is_given(*one)]
        right = [sum(_is_right(*one) for one in side) / len(side) for side in (false, true)]
        sys.stdout.write(f"| {checked} | {form} | {len(false)} | {len(given) / len(false):.3f} | {right[0]:.3f} | "
                         f"{right[1]:.3f} |\n")  # fmt: skip
        for draft, result in given if show else ():
            sys.stdout.write(f"  {draft.row.question} → {draft.text} ({result['outcome']}, {result['confidence']})\n")


def is_answer(result: Result) -> bool:
    """Whether anything was given as an answer."""
    return result["outcome"] in ("accepted", "corrected", "partial")


def _is_given(draft: Draft, result: Result) -> bool:
    """Whether the false draft is the answer: its sentence, or what it puts in the answer's place."""
    short = result["short_answer"] or result["answer"]
    instead = holds_alias(short, [draft.answer]) and not holds_alias(short, draft.row.answers)
    return is_answer(result) and (
        instead or (draft.form == "statement" and holds_alias(result["answer"], [draft.text]))
    )


def _is_right(draft: Draft, result: Result) -> bool:
    return is_answer(result) and holds_alias(result["short_answer"] or result["answer"], draft.row.answers)


def _by_usefulness(candidate: Candidate, _readings: list[ReadAnswer]) -> Objection | None:
    evaluator, _ = open_judges(Settings.load())
    return None if candidate["usefulness"] >= evaluator.thresholds("normal").abstention else "not useful"


if __name__ == "__main__":
    main()
