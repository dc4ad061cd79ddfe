"""What lessons of earlier questions are worth: the same stream of questions with the experience store and without it.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.experience --out DIR [--limit N] [--arms
with,without]`. Of the suite `answers` so many questions are asked in random order, a third of them again later in the
stream, in other words (`veridic_lab.evaluation.rewording`). People are played by the accepted answers: a wrong answer
is voted down at once, a right one up in a third of the cases, silence never. Nothing is written back, so that lessons
alone make the difference. The arms take turns, each with its own knowledge base and rows in DIR; what was interrupted
goes on, and the cost is told first. Right and wrong are of answers; `silent, rightly` is what the corpus does not
answer.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from statistics import median
from typing import Literal, get_args

from veridic import Context
from veridic.graph.builder import build_graph
from veridic.knowledge.base import begun_as_copy
from veridic.ports.shapes import Vote
from veridic.resources import open_knowledge_base, open_resources
from veridic.runtime.run import Resources
from veridic.settings import Settings
from veridic_lab.evaluation.corpus import fill, missing_documents, seconds_to_fill, settings_for
from veridic_lab.evaluation.cost import in_words
from veridic_lab.evaluation.measuring import row_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.rewording import reworded
from veridic_lab.evaluation.sampling import drawn, with_fewer_documents
from veridic_lab.evaluation.scores import scored
from veridic_lab.evaluation.suite import Suite
from veridic_lab.evaluation.suites import open_suite
from veridic_lab.evaluation.systems import System, forgetting
from veridic_lab.training.made import seeded

SEED = 17
LIMIT, DOCUMENTS = 300, 3000
AGAIN = 3
"""One question in so many is asked again."""
PRAISED = 3
"""One right answer in so many is voted up."""
SECONDS = 0.5
"""About what one question takes on two cores that are free."""
ARMS = ("with", "without")
Worth = Literal["right", "wrong", "silent"]


@dataclass(frozen=True)
class Asked:
    """One question of the stream."""

    number: int
    question: GoldQuestion
    again: bool


@dataclass(frozen=True)
class Outcome:
    """What one question came to."""

    number: int
    id: str
    again: bool
    worth: Worth
    answerable: bool
    seconds: float
    said: str


def stream(questions: Sequence[GoldQuestion]) -> list[Asked]:
    """The questions in random order, a third of them once more at a random place behind their first."""
    rng = seeded(SEED)
    order = list(questions)
    rng.shuffle(order)
    told = [(place, one, reworded(one.text, SEED)) for place, one in enumerate(order)]
    able = [(place, replace(one, text=text)) for place, one, text in told if text]
    chosen = [able[int(at)] for at in rng.permutation(len(able))[: len(order) // AGAIN]]
    places = [(float(place), one, False) for place, one, _ in told]
    places += [(float(rng.uniform(place, len(order))), one, True) for place, one in chosen]
    places.sort(key=lambda place: place[0])
    return [Asked(number, one, again) for number, (_, one, again) in enumerate(places)]


class Arm:
    """One of the two: its graph, and what its questions have come to so far."""

    def __init__(self, name: str, suite: Suite, out: Path) -> None:
        self.resources = opened(name, suite, out)
        self.system = System(name, build_graph(self.resources), Context(write_back=False, sources=()))
        self.file = out / f"{name}.jsonl"
        self.known = (
            [Outcome(**json.loads(line)) for line in self.file.read_text().splitlines()] if self.file.exists() else []
        )

    def ask(self, one: Asked) -> None:
        """Ask one question, unless it has its row, and let people say what they think of the answer."""
        if one.number < len(self.known):
            return
        row = row_of(self.system, one.question, None)
        score = scored(row)
        worth: Worth = "right" if score.right else "wrong" if score.answered else "silent"
        if worth == "wrong" or (worth == "right" and seeded(one.number).random() < 1 / PRAISED):
            verdict: Vote = "down" if worth == "wrong" else "up"
            self.resources.experience.revise(row["result"]["run_id"], verdict, deadline=inf)
        answerable = one.question.answerable
        self.known.append(Outcome(one.number, one.question.id, one.again, worth, answerable, score.seconds, score.said))
        with self.file.open("a") as file:
            file.write(json.dumps(asdict(self.known[-1])) + "\n")


def opened(arm: str, suite: Suite, out: Path) -> Resources:
    """Resources over a knowledge base of the arm's own; with experience or without."""
    shared = settings_for(suite, Settings.load(model="extractive", sources=()), out)
    own = out / f"{arm}.sqlite"
    begun_as_copy(own, of=Path(shared.kb))
    resources = open_resources(shared.model_copy(update={"kb": str(own)}))
    return resources if arm == "with" else forgetting(resources)


def table(arms: dict[str, list[Outcome]]) -> Iterator[str]:
    """The lines of the report: all questions, those asked first, those asked again."""
    yield "| questions | lessons | n | right | wrong | silent | of these rightly | median s | mean s |"
    yield "|---" * 9 + "|"
    parts = {"all": (False, True), "asked first": (False,), "asked again": (True,)}
    for name, again in parts.items():
        for arm, found in arms.items():
            yield f"| {name} | {arm} | {_cells([one for one in found if one.again in again])} |"


def _cells(found: Sequence[Outcome]) -> str:
    counts = [sum(one.worth == name for one in found) for name in get_args(Worth)]
    rightly = sum(one.worth == "silent" and not one.answerable for one in found)
    seconds = [one.seconds for one in found] or [0.0]
    times = (f"{median(seconds):.2f}", f"{sum(seconds) / len(seconds):.2f}")
    return " | ".join(map(str, (len(found), *counts, rightly, *times)))


def changes(arms: dict[str, list[Outcome]]) -> Iterator[str]:
    """How many answers of each worth became which with lessons."""
    if len(arms) < len(ARMS):
        return
    pairs = [(one.again, other.worth, one.worth) for one, other in zip(arms["with"], arms["without"], strict=False)]
    for again, before, after in sorted(set(pairs)):
        if before != after:
            when = "asked again" if again else "asked first"
            yield f"{when}: {before} -> {after}: {pairs.count((again, before, after))}"


def main() -> None:
    """Say the cost, ask, print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--limit", type=int, default=LIMIT)
    options.add_argument("--documents", type=int, default=DOCUMENTS)
    options.add_argument("--arms", default=",".join(ARMS))
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    suite = open_suite("answers", lambda: Path(os.environ["VERIDIC_DATA"]))
    questions = drawn(suite.questions, told.limit, SEED)
    suite = with_fewer_documents(suite, questions, told.documents)
    asked = stream(questions)
    arms = told.arms.split(",")
    _prepared(suite, told.out, len(asked) * len(arms))
    opened_arms = [Arm(name, suite, told.out) for name in arms]
    for one in asked:
        for arm in opened_arms if one.number % 2 else reversed(opened_arms):
            arm.ask(one)
    found = {arm.system.name: arm.known for arm in opened_arms}
    sys.stdout.write("".join(f"{line}\n" for line in (*table(found), *changes(found))))


def _prepared(suite: Suite, out: Path, asks: int) -> None:
    """Take the documents in, after the cost was told."""
    settings = settings_for(suite, Settings.load(model="extractive", sources=()), out)
    knowledge = open_knowledge_base(settings)
    missing = missing_documents(suite, knowledge)
    seconds = seconds_to_fill(suite, missing, knowledge.corpus.embedder)
    cost = f"{missing} documents to embed, about {in_words(seconds)}; {asks} questions, {in_words(asks * SECONDS)}\n"
    sys.stderr.write(cost)
    knowledge.close()
    fill(suite, settings, lambda *_: None)


if __name__ == "__main__":
    main()
