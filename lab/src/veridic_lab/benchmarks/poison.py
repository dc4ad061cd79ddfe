"""Documents that contradict each other: how many answers are told wrong, and how many of those without a warning.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.poison [--limit N] [--sets a,b] [--writers
a,b]`. `poisonedrag` puts none, one, two and five poison passages beside the gold one of a question of `nq_gold` or
`hotpotqa_pool500`; `ramdocs` asks each question of its own documents without those that misinform and with them, the
questions of several right answers apart. Some hundred other documents stand beside. The writer `repeating` says the
wrong answer where it is shown a poison passage. The accepted and the planted answers decide what is right and wrong, no
judge does: wrong is what holds the planted answer and not the right one. A warning is an answer that is `unverified`.
Had no disagreement been told, all of `wrong` would be without a warning. What passes the gates is learned at once.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.evidence.telling import OTHERWISE
from veridic.knowledge.ingest import Text
from veridic.ports.shapes import Result
from veridic.text.sentences import sentences
from veridic_lab.benchmarks.asking import Row, holding, say
from veridic_lab.evaluation.answers import holds_alias
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.training.pairs import find, normalised, read_rows
from veridic_lab.training.wording import seeded

LIMIT = 120
"""Questions of each set."""
OTHERS = 600
"""Documents that stand beside."""
CORPORA = ("nq_gold", "hotpotqa_pool500")
POISONED = (0, 1, 2, 5)
ALL = 9
"""More documents than any question has that misinform."""


@dataclass(frozen=True)
class Case:
    """A question with what answers it and what is planted beside."""

    set: str
    question: str
    answers: tuple[str, ...]
    wrong: tuple[str, ...]
    gold: tuple[Text, ...]
    poison: tuple[Text, ...]
    planted: tuple[int, ...]
    """How many of the poison passages stand beside, run by run."""


def repeated(shown: str, case: Case) -> str:
    """What a writer says that repeats the planted answer where it is shown a poison passage; else the right one."""
    poisoned = any(one.text in shown for text in case.poison for one in sentences(text.text))
    known = [*(case.wrong if poisoned else ()), *(one for one in case.answers if holds_alias(shown, [one]))]
    return known[0] if known else "I don't know."


def told_by(found: Result, case: Case) -> dict[str, bool]:
    """A result held against the accepted and the planted answers; the other side does not count as the answer."""
    given, warned = found["outcome"] != "abstained", found["outcome"] == "unverified"
    said = found["short_answer"] or found["answer"].split(OTHERWISE)[0]
    right = given and holds_alias(said, case.answers)
    wrong = given and not right and holds_alias(said, case.wrong)
    return {
        "right": right,
        "right, warned": right and warned,
        "wrong": wrong,
        "wrong, warned": wrong and warned,
        "of these the right answer named": wrong and warned and holds_alias(found["answer"], case.answers),
        "**wrong without a warning**": wrong and not warned,
        "another answer": given and not right and not wrong,
        "silent": not given,
        "wrong and learned": wrong and bool(found["write_back"] and found["write_back"]["written"]),
    }


def main() -> None:
    """Print a line for each writer, set and number of planted passages."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--limit", type=int, default=LIMIT)
    options.add_argument("--sets", default=",".join(SETS))
    options.add_argument("--writers", default="extractive,repeating")
    told = options.parse_args()
    data = Path(os.environ["VERIDIC_DATA"])
    cases = [one for name in told.sets.split(",") for one in drawn(SETS[name](data), told.limit)]
    for writer in told.writers.split(","):
        now = [cases[0]]
        how: Row = {"says": lambda shown, now=now: repeated(shown, now[0])}
        with holding(beside(data, cases), write_back="active", **how if writer == "repeating" else {}) as held:
            for name, planted in dict.fromkeys((one.set, number) for one in cases for number in one.planted):
                rows = []
                for one in (each for each in cases if each.set == name and planted in each.planted):
                    now[0] = one
                    rows.append(told_by(held.asked_beside(one.question, [*one.gold, *one.poison[:planted]]), one))
                counted = {column: sum(one[column] for one in rows) for column in rows[0]}
                say(f"{writer}, {name}, {planted} planted: {len(rows)} asked, {counted}")


def drawn(cases: Sequence[Case], limit: int) -> list[Case]:
    """So many cases of each name, the same each time."""
    mixed = list(cases)
    seeded(7).shuffle(mixed)
    names = sorted({one.set for one in mixed})
    return [one for name in names for one in [each for each in mixed if each.set == name][:limit]]


def beside(data: Path, cases: Sequence[Case]) -> list[Text]:
    """Other documents, none of which belongs to a case."""
    own = {text.url for one in cases for text in one.gold}
    others = [one for one in passages_of(data, CORPORA) if one.url not in own]
    seeded(7).shuffle(others)
    return others[:OTHERS]


def poisonedrag(data: Path) -> list[Case]:
    """The questions whose gold passages are in a corpus here: those of HotpotQA by their id, of NQ by their words."""
    texts = {one.url: one for one in passages_of(data, (*CORPORA, "poisonedrag"))}
    known = {normalised(one["question"]): one for one in read_rows(find(data, "nq_gold.qa"))}
    known |= {normalised(one["question"]): one for one in read_rows(find(data, "hotpotqa_pool500.qa"))}
    return [
        Case(
            set=f"poisonedrag {row['split']}",
            question=row["question"],
            answers=tuple(row["answers"]),
            wrong=tuple(row["wrong_answers"]),
            gold=tuple(texts[one] for one in gold["gold_doc_ids"]),
            poison=tuple(texts[one] for one in row["poison_doc_ids"]),
            planted=POISONED,
        )
        for row in read_rows(find(data, "poisonedrag.qa"))
        if (gold := known.get(normalised(row["question"])))
    ]


def ramdocs(data: Path) -> list[Case]:
    """Every question that has a document which misinforms; the planted answers are what those documents assert."""
    rows = {one["id"]: one for one in read_rows(find(data, "ramdocs.corpus"))}
    asked = ((one, [rows[each] for each in one["doc_ids"]]) for one in read_rows(find(data, "ramdocs.qa")))
    return [_of_ramdocs(row, held) for row, held in asked if any(map(misinforms, held))]


def _of_ramdocs(row: Row, held: Sequence[Row]) -> Case:
    bad = [one for one in held if misinforms(one)]
    return Case(
        set="ramdocs, several right" if len(row["answers"]) > 1 else "ramdocs, one right",
        question=row["question"],
        answers=tuple(row["answers"]),
        wrong=tuple({one["asserted_answer"]: None for one in bad}),
        gold=tuple(Text(one["id"], one["title"], one["text"]) for one in held if not misinforms(one)),
        poison=tuple(Text(one["id"], one["title"], one["text"]) for one in bad),
        planted=(0, ALL),
    )


def misinforms(row: Row) -> bool:
    """Whether a document asserts what is not so."""
    return str(row["doc_type"]) == "misinfo"


SETS = {"poisonedrag": poisonedrag, "ramdocs": ramdocs}


if __name__ == "__main__":
    main()
