"""A chat model as grader beside the trained evaluator, on the same labelled (question, passage) pairs.

Run from the checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.grader --weights FILE.gguf --pairs 300`, or
with `--model ollama:NAME` for a model that is served. The pairs are those of the relevance sets that no judge of ours
was trained on, equally many of each set, drawn with a fixed seed. Printed: for each decision point balanced accuracy
and what it confuses, milliseconds a pair, tokens a pair, and the share of grades that could not be read (which count as
none). Loading is not timed.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veridic.models.by_settings import open_judges
from veridic.models.chat import open_chat
from veridic.models.chat.grader import Grader
from veridic.models.chat.grading import FULL, PARTIAL, ChatEvaluator
from veridic.ports.judging import RetrievalEvaluator
from veridic.runtime.ledger import Ledger
from veridic.settings import Settings
from veridic_lab.training.made import seeded
from veridic_lab.training.metrics import auc, balanced_accuracy
from veridic_lab.training.pairs import Pair
from veridic_lab.training.report.sets import EVALUATOR_SETS, UNTRAINED, measured_pairs

PAIRS = 300
LONG = 86_400.0
"""Seconds that a batch may take."""


@dataclass(frozen=True)
class Scored:
    """What a judge said of every pair, and what that took."""

    scores: Sequence[float]
    milliseconds: float
    """A pair."""


def main() -> None:
    """Print the table of both judges, then what the chat model cost."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--weights", type=Path, help="a GGUF file for the embedded backend")
    options.add_argument("--model", default="embedded", help="a chat model by name")
    options.add_argument("--pairs", type=int, default=PAIRS, help="pairs of all sets together, at most")
    told = options.parse_args()
    pairs = drawn(Path(os.environ["VERIDIC_DATA"]), told.pairs)
    settings = Settings.load(model=told.model, weights=told.weights, follows_instructions="yes")
    trained, _ = open_judges(settings)
    points = trained.thresholds("normal")
    say("| judge | passes from | balanced accuracy | AUC | right yes | wrong yes | wrong no | right no | ms a pair |",
        "|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    trained.score([("Who?", "Nobody.")], deadline=time.time() + LONG)
    quick = scored(trained, pairs)
    for name, point in (("strip", points.strip), ("lower", points.lower), ("upper", points.upper)):
        say(row(f"trained | {name} {point:.2f}", pairs, quick, point))
    ledger = Ledger()
    graded = scored(grader(settings).charged_to(ledger), pairs)
    for name, point in (("partial", PARTIAL), ("full", FULL)):
        say(row(f"{told.weights.name if told.weights else told.model} | {name}", pairs, graded, point))
    say("", cost(ledger))


def drawn(data: Path, limit: int) -> list[Pair]:
    """So many pairs with an equal share of each set, each pair once."""
    share, found = max(1, limit // len(EVALUATOR_SETS)), dict[tuple[str, str], Pair]()
    for name in EVALUATOR_SETS:
        kind = "untrained" if name in UNTRAINED else "held out"
        pairs = measured_pairs(data, name, f"{name}.relevance", kind)
        for at in seeded(23).permutation(len(pairs))[:share]:
            found.setdefault((pairs[int(at)].first, pairs[int(at)].second), pairs[int(at)])
    return list(found.values())


def grader(settings: Settings) -> ChatEvaluator:
    """The chat model as evaluator, ready to write. Raises what `ChatModel.prepare` raises."""
    chat = open_chat(settings)
    if chat is None:
        raise SystemExit("name a chat model with --model or --weights")
    chat.prepare()
    return ChatEvaluator(Grader(chat))


def scored(judge: RetrievalEvaluator, pairs: Sequence[Pair]) -> Scored:
    """Every pair, in one batch."""
    began = time.perf_counter()
    found = judge.score([(pair.first, pair.second) for pair in pairs], deadline=time.time() + LONG)
    took = time.perf_counter() - began
    return Scored([one.probability for one in found], 1000 * took / len(pairs))


def row(name: str, pairs: Sequence[Pair], found: Scored, point: float) -> str:
    """A judge at a decision point."""
    truth, scores = np.array([pair.positive for pair in pairs]), np.array(found.scores)
    said = scores >= point
    counts = [int((truth & said).sum()), int((~truth & said).sum()), int((truth & ~said).sum()),
              int((~truth & ~said).sum())]  # fmt: skip
    told = " | ".join(map(str, counts))
    return (
        f"| {name} | {balanced_accuracy(truth, said):.3f} | {auc(truth, scores):.3f} | {told} | "
        f"{found.milliseconds:.0f} |"
    )


def cost(ledger: Ledger) -> str:
    """What the chat model's grades took, and how many could not be read."""
    graded = ledger.grades
    unreadable = [grade for grade in graded if grade["grade"] == "unreadable"]
    tokens = (ledger.usage["prompt_tokens"], ledger.usage["completion_tokens"])
    replies = "".join(f"\n  {grade['reply']!r}" for grade in unreadable[:5])
    return (
        f"{len(graded)} grades, {ledger.usage['calls']} calls; a pair takes {tokens[0] / len(graded):.0f} prompt and "
        f"{tokens[1] / len(graded):.0f} completion tokens; {len(unreadable) / len(graded):.3f} unreadable{replies}"
    )


def say(*lines: str) -> None:
    """Print lines."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
