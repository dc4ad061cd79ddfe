"""Questions that are asked again in other words: does what was learned the first time make an answer righter?

Run from a checkout: `python -m veridic_lab.benchmarks.repeats [--writer drafts] [--limit N] [--show]`. `repeats.jsonl`
holds 120 questions of written drafts, each with a rewording by another hand; 24 documents a knowledge base. A row for
each way of learning: nothing (only the rewordings are asked); what a run teaches by itself; votes, too: up for a right
answer, down for a wrong one. Right is an answer that cites the place which answers; found, that this is among what was
judged. A writer of drafts says the faithful one where it is shown the place that answers; else, and of every third
question always, one with an error, unless a lesson names its wrong words. `told`: runs whose writer was told a lesson.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from statistics import median
from time import perf_counter, time
from typing import Literal, cast

from veridic.knowledge.experience import Experience
from veridic.ports.shapes import Citation, Passage, Result
from veridic_lab.benchmarks.asking import Held, Row, holding, say
from veridic_lab.drafts.hands import FOLDER, Asked, Document, read_hand
from veridic_lab.training.pairs import fraction_of, read_rows

FILE = Path(__file__).with_suffix(".jsonl")
Way = Literal["nothing", "runs", "votes"]
WAYS: tuple[Way, ...] = ("nothing", "runs", "votes")
WORDS = ("right", "wrong", "silent")
MISREAD = 1 / 3
"""Share of the questions that a writer of drafts answers falsely whatever it is shown."""


@dataclass(frozen=True)
class Again:
    """A question, the same in other words, and the document with the place that answers it."""

    question: str
    again: str
    document: Document
    asked: Asked

    @property
    def span(self) -> str:
        """What answers, verbatim."""
        return self.asked.span


@dataclass(frozen=True)
class Outcome:
    """What became of a question that was asked again."""

    became: str
    found: bool
    told: bool
    seconds: float


class Drafts:
    """A capable chat model that says written drafts."""

    def __init__(self) -> None:
        self.now: Again | None = None
        self.told = False
        """Whether a lesson was told since a question was asked."""

    def asks(self, one: Again) -> None:
        """What it is asked from now on."""
        self.now, self.told = one, False

    def says(self, prompt: str) -> str:
        """A draft; nothing to a prompt that asks for queries or claims."""
        if self.now is None or "Already tried:" in prompt or "<sentences>" in prompt:
            return ""
        self.told |= "similar question" in prompt
        true, *false = self.now.asked.drafts
        wrong = next(one for one in false if one.wrong)
        shown = touches(prompt.partition("<question>")[0], self.now.span)
        warned = wrong.text[slice(*wrong.wrong or (0, 0))] in prompt.partition("Not in the text were:")[2]
        errs = not shown or fraction_of(f"drafts:{self.now.question}") < MISREAD
        return wrong.text if errs and not warned else true.text


def main() -> None:
    """Print a row for each way of learning."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--ways", default=",".join(WAYS))
    options.add_argument("--writer", choices=("none", "drafts"), default="none")
    options.add_argument("--limit", type=int, help="Questions of each hand, at most")
    options.add_argument("--show", action="store_true", help="Print what became of each question")
    told = options.parse_args()
    groups = [list(islice(group, told.limit)) for group in repeats()]
    columns = (*WORDS, "found", "told", "seconds, median")
    say(f"| learned | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|")
    for way in told.ways.split(","):
        writer = Drafts() if told.writer == "drafts" else None
        asked = [one for group in groups for one in outcomes(group, cast("Way", way), writer)]
        counts = [sum(one.became == word for one in asked) for word in WORDS]
        counts += [sum(one.found for one in asked), sum(one.told for one in asked)]
        say(f"| {way} | {' | '.join(map(str, counts))} | {median(one.seconds for one in asked):.2f} |")
        if told.show:
            say(" ".join(one.became[0] for one in asked))


def repeats() -> Iterator[list[Again]]:
    """The questions by the hand that wrote their documents."""
    for hand, rows in groupby(read_rows(FILE), key=lambda row: str(row["document"]).partition("-")[0]):
        documents = {one.key: one for one in read_hand(FOLDER / f"{hand}.jsonl")}
        yield [_again(row, documents[row["document"]]) for row in rows]


def _again(row: Row, document: Document) -> Again:
    asked = next(one for one in document.asked if one.question == row["question"])
    return Again(row["question"], row["again"], document, asked)


def outcomes(group: Sequence[Again], way: Way, writer: Drafts | None = None) -> Iterator[Outcome]:
    """Each question's second asking, after all were asked once where anything is to be learned."""
    files = {f"{one.document.key}.md": f"# {one.document.title}\n\n{one.document.text}" for one in group}
    learns: Row = {"write_back": "off", "lessons": 0} if way == "nothing" else {"write_back": "probation"}
    with holding(files=files, says=writer.says if writer else None, **learns) as held:
        for one in group if way != "nothing" else ():
            if writer:
                writer.asks(one)
            first = held.asked(one.question)
            if way == "votes":
                vote(held, first, one)
        for one in group:
            if writer:
                writer.asks(one)
            began = perf_counter()
            result = held.asked(one.again)
            told, seconds = bool(writer and writer.told), perf_counter() - began
            yield Outcome(became(result, one), stands(result["documents"], one), told, seconds)


def vote(held: Held, result: Result, one: Again) -> None:
    """What a person says of an answer: nothing of silence."""
    said = became(result, one)
    if said != "silent":
        experience = cast(Experience, held.resources.experience)
        experience.revise(result["run_id"], "up" if said == "right" else "down", deadline=time() + 60)


def became(result: Result, one: Again) -> str:
    """Whether an answer was right, wrong or withheld; a draft is what its writer made it."""
    if result["outcome"] == "abstained":
        return "silent"
    if written := [draft for draft in one.asked.drafts if draft.text in result["answer"]]:
        return "right" if written[0].true else "wrong"
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
