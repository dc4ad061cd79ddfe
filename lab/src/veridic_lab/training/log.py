"""Labelled pairs from rows of the decision log: what may teach which judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from veridic.errors import UsageError
from veridic.models.calibrating import LEAST
from veridic_lab.training.pairs import Pair, pair_of, read_rows

WEAK = 4
"""Of the pairs whose label is only how the run ended each fourth teaches."""
PEOPLE = ("review", "gold")


@dataclass(frozen=True)
class LogPairs:
    """The usable rows of a log, and how many of which kind were passed over."""

    people: tuple[Pair, ...]
    outcomes: tuple[Pair, ...]
    unused: dict[str, int]

    def teaching(self) -> list[Pair]:
        """The pairs that a judge learns from, were none held out."""
        return [*self.people, *self.outcomes[::WEAK]]


def read_log(path: Path) -> LogPairs:
    """Read JSONL rows in the pair schemas with a `kind`: review, gold, feedback or outcome.

    Critic labels come from people or gold only. Feedback counts after review (`reviewed` is
    true). Outcomes are weak labels, for the evaluator alone. Raises `UsageError` when too few
    rows remain.
    """
    people: list[Pair] = []
    outcomes: list[Pair] = []
    unused: Counter[str] = Counter()
    for row in read_rows(path):
        kind = str(row.get("kind", ""))
        pair = pair_of({**row, "source": f"log {kind}"}, path)
        if kind in PEOPLE or (kind == "feedback" and row.get("reviewed") is True):
            people.append(replace(pair, source="log"))
        elif kind == "outcome" and pair.task == "relevance":
            outcomes.append(pair)
        else:
            unused[f"{kind or 'no kind'}, {pair.task}"] += 1
    if len(people) + len(outcomes) < 2 * LEAST:
        raise UsageError(
            f"{path} has only {len(people) + len(outcomes)} rows that may teach a judge.",
            f"At least {2 * LEAST} are needed: reviewed or gold, or outcomes for the evaluator.",
        )
    return LogPairs(tuple(people), tuple(outcomes), dict(unused))
