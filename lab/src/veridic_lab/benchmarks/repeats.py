"""Questions that are asked again in other words: does what was learned the first time make an answer righter?

Run from a checkout: `python -m veridic_lab.benchmarks.repeats [--show]`. `repeats.jsonl` holds 120 questions of written
drafts, each with a rewording by another hand; 24 documents a knowledge base. A row for each way of learning: nothing
(only the rewordings are asked); what a run teaches by itself; votes, too: up for a right answer, down for a wrong one.
Right is an answer that cites the place which answers; found, that this is among what was judged.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median
from time import perf_counter, time
from typing import Literal, cast

from veridic.knowledge.experience import Experience
from veridic.ports.shapes import Citation, Passage, Result
from veridic_lab.benchmarks.asking import Held, Row, holding, say
from veridic_lab.drafts.hands import FOLDER, Document, read_hand
from veridic_lab.training.pairs import read_rows

FILE = Path(__file__).with_suffix(".jsonl")
Way = Literal["nothing", "runs", "votes"]
WAYS: tuple[Way, ...] = ("nothing", "runs", "votes")
WORDS = ("right", "wrong", "silent", "found")


@dataclass(frozen=True)
class Again:
    """A question, the same in other words, and the document with the place that answers it."""

    question: str
    again: str
    document: Document
    span: str


@dataclass(frozen=True)
class Outcome:
    """What became of a question that was asked again."""

    became: str
    found: bool
    seconds: float


def main() -> None:
    """Print a row for each way of learning."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--ways", default=",".join(WAYS))
    options.add_argument("--show", action="store_true", help="Print what became of each question")
    told = options.parse_args()
    groups = list(repeats())
    say(f"| learned | {' | '.join(WORDS)} | seconds, median |", "|---" * (len(WORDS) + 2) + "|")
    for way in told.ways.split(","):
        asked = [one for group in groups for one in outcomes(group, cast("Way", way))]
        counts = [sum(one.became == word for one in asked) for word in WORDS[:-1]] + [sum(one.found for one in asked)]
        say(f"| {way} | {' | '.join(map(str, counts))} | {median(one.seconds for one in asked):.2f} |")
        if told.show:
            say(" ".join(one.became[0] for one in asked))


def repeats() -> Iterator[list[Again]]:
    """The questions by the hand that wrote their documents."""
    for hand, rows in groupby(read_rows(FILE), key=lambda row: str(row["document"]).partition("-")[0]):
        documents = {one.key: one for one in read_hand(FOLDER / f"{hand}.jsonl")}
        yield [_again(row, documents[row["document"]]) for row in rows]


def _again(row: Row, document: Document) -> Again:
    span = next(one.span for one in document.asked if one.question == row["question"])
    return Again(row["question"], row["again"], document, span)


def outcomes(group: Sequence[Again], way: Way) -> Iterator[Outcome]:
    """Each question's second asking, after all were asked once where anything is to be learned."""
    files = {f"{one.document.key}.md": f"# {one.document.title}\n\n{one.document.text}" for one in group}
    learns: Row = {"write_back": "off", "lessons": 0} if way == "nothing" else {"write_back": "probation"}
    with holding(files=files, **learns) as held:
        for one in group if way != "nothing" else ():
            first = held.asked(one.question)
            if way == "votes":
                vote(held, first, one)
        for one in group:
            began = perf_counter()
            result = held.asked(one.again)
            yield Outcome(became(result, one), stands(result["documents"], one), perf_counter() - began)


def vote(held: Held, result: Result, one: Again) -> None:
    """What a person says of an answer: nothing of silence."""
    said = became(result, one)
    if said != "silent":
        experience = cast(Experience, held.resources.experience)
        experience.revise(result["run_id"], "up" if said == "right" else "down", deadline=time() + 60)


def became(result: Result, one: Again) -> str:
    """Whether an answer was right, wrong or withheld."""
    if result["outcome"] == "abstained":
        return "silent"
    return "right" if stands([cited for part in result["sentences"] for cited in part["citations"]], one) else "wrong"


def stands(places: Sequence[Citation] | Sequence[Passage], one: Again) -> bool:
    """Whether one of some places is of the document and touches what answers."""
    return any(
        f"/{one.document.key}.md" in place["url"] and touches(place.get("quote", place.get("text", "")), one.span)
        for place in places
    )


def touches(text: object, span: str) -> bool:
    """Whether a text holds what answers, or is a part of it."""
    told, wanted = " ".join(str(text).split()), " ".join(span.split())
    return wanted in told or told in wanted


if __name__ == "__main__":
    main()
