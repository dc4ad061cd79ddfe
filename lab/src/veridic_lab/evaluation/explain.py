"""Where the errors come from: each miss goes to the first step that lost what was needed, or let pass what was not.

A question is missed when it was answerable and not answered rightly, or not answerable and
answered. Everything is told from gold passages, accepted answers and the run's own trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from veridic_lab.evaluation.baselines import FLOORS
from veridic_lab.evaluation.journal import Row, rows_in
from veridic_lab.evaluation.metrics import QUALITY, SPEED
from veridic_lab.evaluation.plan import ROWS, Plan, read_plan
from veridic_lab.evaluation.scores import Score, handled, scored
from veridic_lab.evaluation.stage import STAGES, Stage, stage_of
from veridic_lab.evaluation.summary import of_pair

Fault = Literal["silent", "wrong", "hallucinated"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True)
class Case:
    """One question of one system: its score, and the miss if it is one."""

    score: Score
    path: tuple[str, ...]
    reason: str
    stage: Stage | None
    """None when the question was handled well."""

    @property
    def fault(self) -> Fault | None:
        """What kind of miss it is."""
        if self.stage is None:
            return None
        if not self.score.question.answerable:
            return "hallucinated"
        return "wrong" if self.score.answered else "silent"


def case_of(row: Row) -> Case:
    """A row with its miss assigned."""
    score = scored(row)
    stage = None if handled(score) else stage_of(row, score)
    return Case(score, tuple(row["measured"]["steps"]), row["result"]["reason"], stage)


def read_cases(out: Path, plan: Plan) -> dict[str, list[Case]]:
    """Every row of a run with its miss assigned, by system."""
    cases: dict[str, dict[str, Case]] = {name: {} for name in plan.identity.systems}
    for row in rows_in(out / ROWS):
        if row["system"] in cases:
            cases[row["system"]].setdefault(row["question"]["id"], case_of(row))
    return {name: list(found.values()) for name, found in cases.items()}


def explained(out: Path) -> str:
    """The table of misses and the answer to: where do the errors come from, and does correction pay?"""
    plan = read_plan(out)
    cases = read_cases(out, plan)
    return "\n".join(told(plan, cases))


def told(plan: Plan, cases: Mapping[str, Sequence[Case]]) -> Iterable[str]:
    """Markdown lines: one table a system, then a sentence for each system but the first; nothing of the floors."""
    told_of = [name for name in plan.identity.systems if name not in FLOORS] or plan.identity.systems
    for name in told_of:
        yield from _table(name, cases[name])
    first, *others = told_of
    for name in others:
        if cases[name]:
            yield _pays(name, cases[name], first, cases[first])


def counted(cases: Sequence[Case]) -> Counter[tuple[Stage, Fault]]:
    """The misses by stage and fault."""
    return Counter((case.stage, case.fault) for case in cases if case.stage and case.fault)


def _table(name: str, cases: Sequence[Case]) -> Iterable[str]:
    found = counted(cases)
    yield f"**{name}**: {found.total()} of {len(cases)} questions missed."
    yield ""
    yield "| lost or let pass by | " + " | ".join(FAULTS) + " | together |"
    yield "|---|" + "---|" * (len(FAULTS) + 1)
    for stage in STAGES:
        numbers = [found[stage, fault] for fault in FAULTS]
        if any(numbers):
            yield f"| {stage} | {' | '.join(map(str, numbers))} | {sum(numbers)} |"
    yield ""


def _pays(name: str, cases: Sequence[Case], against: str, first: Sequence[Case]) -> str:
    """Whether a system is worth what it does more than the first one."""
    metrics = {**{one: QUALITY[one] for one in ("handled", "wrong", "right")}, "seconds_p50": SPEED["seconds_p50"]}
    pair: dict[str, Any] = of_pair([case.score for case in first], [case.score for case in cases], metrics)
    gain = pair["handled"]
    if gain is None:
        return f"No question was asked of {against} too, so whether {name} pays cannot be said."
    word = {"better": "pays", "worse": "does not pay"}.get(gain["verdict"], "is not shown to pay")
    ratio = pair["ratio_p50"]
    times = f" at {ratio['value']:.1f} times the median time" if ratio else ""
    return (
        f"{name} {word} on this data: against {against} the share of questions handled well changes by "
        f"{signed(gain)}, right answers by {signed(pair['right'])}, wrong ones by {signed(pair['wrong'])}{times}."
    )


def signed(change: Mapping[str, float]) -> str:
    """A difference with its interval."""
    return f"{change['difference']:+.3f} [{change['low']:+.3f}, {change['high']:+.3f}]"
