"""What the weights of the ranking are worth: the candidates of runs already made, ranked again under others.

Run from the checkout: `python -m veridic_lab.benchmarks.ranking RUN…`, each the folder of a `veridic eval run`. Prints
for each setting, one weight moved at a time, how many answers are right and wrong. Fit on other questions than you
report.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from veridic.evidence.answering import places_of, short_answer
from veridic.evidence.telling import led
from veridic.nodes.critique import W_AGREEMENT, W_BREVITY, W_WRITTEN
from veridic.ports.method import Method
from veridic.ports.shapes import Candidate
from veridic_lab.evaluation.answers import is_right
from veridic_lab.evaluation.journal import Row, rows_in
from veridic_lab.evaluation.plan import ROWS
from veridic_lab.evaluation.questions import from_row

SHIPPED = Method()


@dataclass(frozen=True)
class Weights:
    """What the ranking weighs; `written` is added for what a chat model wrote."""

    support: float = SHIPPED.support_weight
    usefulness: float = SHIPPED.usefulness_weight
    relevance: float = SHIPPED.relevance_weight
    agreement: float = W_AGREEMENT
    brevity: float = W_BREVITY
    written: float = W_WRITTEN

    def score(self, candidate: Candidate) -> float:
        """As `critique` ranks."""
        total = (
            self.support * candidate["support"]
            + self.usefulness * candidate["usefulness"]
            + self.relevance * candidate["relevance"]
            + self.agreement * candidate["agreement"]
            + self.brevity / max(1, len(candidate["sentences"]))
        )
        weights = self.support + self.usefulness + self.relevance + self.agreement
        return total / weights + (self.written if candidate["origin"] == "chat" else 0.0)


OTHERS: Mapping[str, tuple[float, ...]] = {
    "written": (0.0, 0.05, 0.3),
    "support": (0.5, 2.0),
    "usefulness": (0.0, 1.0),
    "relevance": (0.0, 0.5),
    "agreement": (0.0, 1.0),
    "brevity": (0.0, 0.3),
}


def main(folders: list[Path]) -> None:
    """Print a table for each run."""
    for folder in folders:
        rows = [row for row in rows_in(folder / ROWS) if "critique" in row["measured"]["steps"]]
        choices = sum(len({one["text"] for one in row["result"]["candidates"] if one["holds"]}) > 1 for row in rows)
        sys.stdout.write(f"\n{folder}: {len(rows)} answers ranked, {choices} times more than one held\n\n")
        sys.stdout.write("| weights | right | wrong | silent |\n|---|---|---|---|\n")
        for name, weights in settings():
            found = [outcome(row, weights) for row in rows]
            counts = " | ".join(str(found.count(one)) for one in ("right", "wrong", "silent"))
            sys.stdout.write(f"| {name} | {counts} |\n")


def settings() -> Iterator[tuple[str, Weights]]:
    """The weights as they are, then each of them moved."""
    yield f"as they are {astuple(Weights())}", Weights()
    for name, values in OTHERS.items():
        for value in values:
            yield f"{name} {value}", replace(Weights(), **{name: value})


def outcome(row: Row, weights: Weights) -> str:
    """What the question gets when its candidates are ranked so."""
    result, question = row["result"], from_row(row["question"])
    chosen = best(result, weights)
    if chosen is None:
        return "silent"
    short = short_answer(chosen, result["readings"])
    told, _ = led(short, chosen, places_of(chosen, result["readings"]))
    return "right" if question.answerable and is_right(told, question, short=short) else "wrong"


def best(result: Mapping[str, Any], weights: Weights) -> Candidate | None:
    """The candidate that would be given; None where none holds."""
    holding: list[Candidate] = [one for one in result["candidates"] if one["holds"]]
    return max(holding, key=lambda one: (not one["partial"], weights.score(one)), default=None)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
