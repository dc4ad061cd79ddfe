"""What becomes of a memory over thousands of questions in a row: pollution, share, records by status, a fixed probe.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.drift --out DIR [--questions 3000] [--block 500]
[--only NAME] [--blocks N] [--quick] [--dry-run] [--report]`. One question in five was asked before: every other time
word for word, else in other words. Ours with its own policy and with every record active at once, and naive write-back;
without a chat model, and with a writer of whose lines three in ten are false by construction. After each block 60
questions that no judge has seen are asked, and nothing is learned of them. `--blocks` ends after so many; the same
command goes on. What is finished is kept in `benchmarks/runs/drift`: unpacked into DIR it is not asked again.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veridic_lab.benchmarks.learning import Learner, begun, rows_of_records, small_row
from veridic_lab.benchmarks.traffic import Traffic, base_of, fewer_documents, questions_of
from veridic_lab.evaluation.cost import in_words
from veridic_lab.evaluation.journal import Journal, Row, rows_in
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.remembering import Pollution
from veridic_lab.evaluation.rewording import reworded
from veridic_lab.evaluation.sampling import by_lot
from veridic_lab.evaluation.scripted import Line, script, share_of
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.made import seeded

SETS = ("nq_gold", "xquad_en", "pubmedqa")
QUESTIONS, BLOCK, PROBE, QUICK = 3000, 500, 60, 200
SEED = 42
REPEATED = 5
"""One question in so many was asked before."""
QUICK_PROBE, QUICK_DOCUMENTS = 20, 500
ASKED, BLOCK_ROW = "asked", "block"
SECONDS = {"veridic": 0.6, "naive_write_back": 0.2}


@dataclass(frozen=True)
class Run:
    """A system, the policy by which its records enter, and a writer."""

    system: str
    policy: str
    writer: str

    @property
    def name(self) -> str:
        """Names its files."""
        return f"drift-{self.system}-{self.policy}-{self.writer.replace(':', '-')}"


RUNS = tuple(
    Run(system, policy, writer)
    for writer in ("extractive", "scripted:0.3")
    for system, policy in (("veridic", "probation"), ("veridic", "active"), ("naive_write_back", "active"))
)


HEAD = ("asked", "false by gold", "of the active ones", "planted, by construction", "alpha", "records",
        "probe: right / wrong / silent")  # fmt: skip


@dataclass(frozen=True)
class Course:
    """What all runs are asked."""

    traffic: Traffic
    """Its `test` is the probe."""
    row: tuple[GoldQuestion, ...]
    """The questions in their order; ids begin with the place."""
    block: int


def main() -> None:
    """Go on with every run, and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--questions", type=int)
    options.add_argument("--block", type=int)
    options.add_argument("--only", help=f"one of {', '.join(one.name for one in RUNS)}")
    options.add_argument("--blocks", type=int, help="End after so many blocks of each run")
    options.add_argument("--quick", action="store_true", help=f"{QUICK} questions over few documents")
    options.add_argument("--dry-run", action="store_true", help="Say what it costs, and ask nothing")
    options.add_argument("--report", action="store_true", help="Print the tables of what is there, and ask nothing")
    told = options.parse_args()
    number = told.questions or (QUICK if told.quick else QUESTIONS)
    block = told.block or (number // 2 if told.quick else BLOCK)
    runs = [one for one in RUNS if told.only in (None, one.name)]
    cost = in_words(sum(SECONDS[one.system] * number for one in runs))
    say(f"{len(runs)} runs of {number} questions: about {cost} in all, where two cores do nothing else")
    if told.dry_run:
        return
    if not told.report:
        course = course_of(Path(os.environ["VERIDIC_DATA"]), number, block, quick=told.quick)
        for one in runs:
            go_on(told.out, one, course, told.blocks)
    for one in runs:
        rows = told.out / f"{one.name}-{number}.jsonl"
        if rows.exists():
            say(*table(one, [row for row in rows_in(rows) if row["system"] == BLOCK_ROW]))


def course_of(data: Path, number: int, block: int, *, quick: bool) -> Course:
    """The probe, of questions that no judge has seen, and the others by lot with some asked again."""
    every, seen = by_lot(questions_of(data, SETS), SEED), Unseen.read(data)
    fresh = [one for one in every if seen.allows(one.set, one.key)]
    probe = _each_in_turn(fresh, QUICK_PROBE if quick else PROBE)
    taken = {one.key for one in probe}
    asked = [one for one in every if one.key not in taken]
    chosen = Traffic("drift", tuple(passages_of(data, SETS)), tuple(asked[:number]), tuple(probe))
    chosen = fewer_documents(chosen, QUICK_DOCUMENTS) if quick else chosen
    return Course(chosen, tuple(_in_a_row(chosen.asked, number)), block)


def _each_in_turn(questions: Sequence[GoldQuestion], number: int) -> list[GoldQuestion]:
    """So many of each set, as far as there are."""
    return [one for name in SETS for one in [each for each in questions if each.set == name][: number // len(SETS)]]


def _in_a_row(questions: Sequence[GoldQuestion], number: int) -> Iterator[GoldQuestion]:
    """The questions, one in `REPEATED` of them an earlier one."""
    rng, new = seeded(SEED), iter(questions)
    asked: list[GoldQuestion] = []
    for place in range(number):
        again = place % REPEATED == REPEATED - 1
        one = asked[rng.integers(len(asked))] if again else next(new)
        other = reworded(one.text, SEED) if again and place % (2 * REPEATED) == REPEATED - 1 else None
        asked += [] if again else [one]
        yield replace(one, id=f"{place}:{one.id}", text=other or one.text)


def go_on(out: Path, run: Run, course: Course, blocks: int | None) -> None:
    """Ask what was not asked yet, block by block; without its knowledge base a run begins anew."""
    name = f"{run.name}-{len(course.row)}"
    rows, kb = out / f"{name}.jsonl", out / "work" / f"{name}.sqlite"
    if rows.exists() and not kb.exists():
        rows.unlink()
    begun(kb, course.traffic.documents, base_of(out, course.traffic))
    journal, lines = Journal(rows), lines_of(run, course)
    ends = [
        end for end in range(course.block, len(course.row) + 1, course.block) if (str(end), BLOCK_ROW) not in journal
    ]
    for end in ends[:blocks]:
        learner = Learner(kb, run.system, lines=lines, writer=run.writer, policy=run.policy)
        for question in course.row[end - course.block : end]:
            if (question.id, ASKED) not in journal:
                journal.append(small_row(learner.ask(question), ASKED, learner.rests_on()))
        asked = {one.id: one for one in course.row}
        learned = _learned(rows, asked)
        probing = Learner(kb, run.system, lines=lines, writer=run.writer, policy=run.policy, learns=False)
        journal.append(_block(end, learner, learned, [probing.ask(one).score for one in course.traffic.test]))
        say(f"{run.name}: {end} asked")


def lines_of(run: Run, course: Course) -> Mapping[str, Line]:
    """What the scripted writer says, the same to a question asked again."""
    share = share_of(run.writer)
    if share is None:
        return {}
    questions = [*course.traffic.asked, *course.traffic.test]
    lines = script(questions, course.traffic.texts, share=share, seed=SEED)
    return {**lines, **{one.id: lines[one.id.partition(":")[2]] for one in course.row}}


def _learned(rows: Path, asked: Mapping[str, GoldQuestion]) -> dict[str, tuple[GoldQuestion, bool]]:
    """By record its question, and whether it says what was planted; the first that it was learned of counts."""
    found = [one for one in rows_in(rows) if one["system"] == ASKED and one.get("learned", {}).get("id")]
    return {
        one["learned"]["id"]: (asked[one["question"]["id"]], "planted" in one and "told" in one)
        for one in reversed(found)
    }


def _block(end: int, learner: Learner, learned: Mapping[str, tuple[GoldQuestion, bool]], probe: Sequence) -> Row:  # type: ignore[type-arg]
    held, status = rows_of_records(learner, learned), learner.corpus.status()
    answered = Counter(int(one.right) if one.answered else -1 for one in probe)
    by_gold = [one for one in held if one["false"] is not None]
    active = [one for one in by_gold if one["status"] == "active"]
    return {
        "question": {"id": str(end)},
        "system": BLOCK_ROW,
        "false": _counted(by_gold),
        "false active": _counted(active),
        "planted": [sum(one["planted"] for one in held), len(held)],
        "alpha": (status.generated_chunks + status.waiting_chunks) / (status.active_chunks + status.waiting_chunks),
        "by_status": learner.by_status(),
        "probe": [answered[1], answered[0], answered[-1]],
    }


def _counted(held: Sequence[Row]) -> list[int]:
    """As `Pollution` takes it."""
    return [sum(one["false"] for one in held), len(held), sum(one["part"] for one in held)]


def table(run: Run, blocks: Sequence[Row]) -> Iterator[str]:
    """How it went on."""
    yield f"\n{run.name}\n"
    yield f"| {' | '.join(HEAD)} |"
    yield "|---" * len(HEAD) + "|"
    for one in blocks:
        status = ", ".join(f"{number} {name}" for name, number in one["by_status"].items())
        counts = [str(Pollution(*one[name])) for name in ("false", "false active", "planted")]
        counts = counts if share_of(run.writer) else [*counts[:2], "nothing planted"]
        probe = " / ".join(map(str, one["probe"]))
        yield f"| {one['question']['id']} | {' | '.join(counts)} | {one['alpha']:.3f} | {status} | {probe} |"


def say(*lines: str) -> None:
    """Print lines at once."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
