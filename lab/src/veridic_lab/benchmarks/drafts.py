"""What becomes of drafts that a writer hands in: true ones, and false ones made of the same passage.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.drafts [--limit N]`. XQuAD's pages are the
documents; its questions, never learned from, are asked with a writer that says the right answer, or another name,
number or date of the same passage, as a full statement and as a bare answer. Printed by form: how often the false draft
is given, and how often an answer with the right one is.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.evidence.statements import stated_answer
from veridic.ports.shapes import Result
from veridic_lab.benchmarks.asking import GIVEN, holding, say
from veridic_lab.benchmarks.reader import gold_rows, sampled
from veridic_lab.evaluation.answers import holds_alias
from veridic_lab.evaluation.merged import passages_of
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


def main() -> None:
    """Print a row for each form."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--limit", type=int, default=LIMIT, help="false drafts, half of them bare")
    options.add_argument("--show", action="store_true", help="print every false draft that was given")
    told = options.parse_args()
    data = Path(os.environ["VERIDIC_DATA"])
    drafts = drafts_of(gold_rows(data, "xquad_en"), told.limit)
    said: list[Draft] = []
    results = []
    with holding(passages_of(data, ["xquad_en"]), says=lambda _shown: said[-1].text) as held:
        for draft in drafts:
            said.append(draft)
            results.append(held.asked(draft.row.question))
    say("| form | n | false given | right given, draft false | right given, draft true |", "|---|---|---|---|---|")
    print_given(drafts, results, show=told.show)


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


def print_given(drafts: Sequence[Draft], results: Sequence[Result], *, show: bool) -> None:
    """A row of the table for each form."""
    found = list(zip(drafts, results, strict=True))
    for form in ("statement", "bare"):
        false = [(draft, result) for draft, result in found if draft.form == form and not draft.true]
        true = [(draft, result) for draft, result in found if draft.form == form and draft.true]
        given = [one for one in false if _is_given(*one)]
        right = [sum(_is_right(*one) for one in side) / len(side) for side in (false, true)]
        say(f"| {form} | {len(false)} | {len(given) / len(false):.3f} | {right[0]:.3f} | {right[1]:.3f} |")
        for draft, result in given if show else ():
            say(f"  {draft.row.question} → {draft.text} ({result['outcome']}, {result['confidence']})")


def _is_given(draft: Draft, result: Result) -> bool:
    """Whether the false draft is the answer: its sentence, or what it puts in the answer's place."""
    short = result["short_answer"] or result["answer"]
    instead = holds_alias(short, [draft.answer]) and not holds_alias(short, draft.row.answers)
    return result["outcome"] in GIVEN and (
        instead or (draft.form == "statement" and holds_alias(result["answer"], [draft.text]))
    )


def _is_right(draft: Draft, result: Result) -> bool:
    return result["outcome"] in GIVEN and holds_alias(result["short_answer"] or result["answer"], draft.row.answers)


if __name__ == "__main__":
    main()
