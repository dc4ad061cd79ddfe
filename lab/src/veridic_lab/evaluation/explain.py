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


@dataclass(frozen=True)
class Explanation:
    """The misses of one system, counted."""

    system: str
    questions: int
    misses: int
    by_stage: Mapping[Stage, Mapping[Fault, int]]
    corrected: int
    """Runs in which a correction was made."""
    corrected_handled: int
    uncorrected_handled: int


def counted(system: str, cases: Sequence[Case]) -> Explanation:
    """Count the misses by stage and fault."""
    found = Counter((case.stage, case.fault) for case in cases if case.stage)
    by_stage = {stage: {fault: found[stage, fault] for fault in FAULTS} for stage in STAGES}
    good = [case.score for case in cases if case.stage is None]
    return Explanation(
        system=system,
        questions=len(cases),
        misses=sum(found.values()),
        by_stage=by_stage,
        corrected=sum(case.score.corrected for case in cases),
        corrected_handled=sum(score.corrected for score in good),
        uncorrected_handled=sum(not score.corrected for score in good),
    )


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
        yield from _table(counted(name, cases[name]))
    first, *others = told_of
    for name in others or [first]:
        if cases[name]:
            yield _sentence(plan, counted(name, cases[name]), first, cases[first], cases[name])


def _table(found: Explanation) -> Iterable[str]:
    yield f"**{found.system}**: {found.misses} of {found.questions} questions missed."
    yield ""
    yield "| lost or let pass by | " + " | ".join(FAULTS) + " | together |"
    yield "|---|" + "---|" * (len(FAULTS) + 1)
    for stage, faults in found.by_stage.items():
        if sum(faults.values()):
            yield f"| {stage} | " + " | ".join(str(faults[fault]) for fault in FAULTS) + f" | {sum(faults.values())} |"
    yield ""


def _sentence(plan: Plan, found: Explanation, against: str, first: Sequence[Case], other: Sequence[Case]) -> str:
    where = _where(found)
    opening = f"On `{plan.identity.suite}` with `{plan.identity.model}`, {found.system} misses {found.misses} of "
    opening += f"{found.questions} questions; {where}."
    if first is other:
        return opening
    return f"{opening} {_pays(first, other, against, found)}"


def _where(found: Explanation) -> str:
    totals = {stage: sum(faults.values()) for stage, faults in found.by_stage.items()}
    ranked = sorted((stage for stage in totals if totals[stage]), key=lambda stage: -totals[stage])
    if not ranked:
        return "there are no errors to explain"
    parts = [f"{totals[stage]} ({totals[stage] / found.misses:.0%}) in {stage}" for stage in ranked]
    return f"the errors come from {ranked[0]} first: " + ", ".join(parts)


def _pays(first: Sequence[Case], other: Sequence[Case], against: str, found: Explanation) -> str:
    names = ("handled", "wrong", "right")
    metrics = {**{name: QUALITY[name] for name in names}, "seconds_p50": SPEED["seconds_p50"]}
    pair: dict[str, Any] = of_pair([case.score for case in first], [case.score for case in other], metrics)
    gain = pair["handled"]
    if gain is None:
        return f"No question was asked of {against} too, so whether correction pays cannot be said."
    word = {"better": "pays", "worse": "does not pay"}.get(gain["verdict"], "is not shown to pay")
    ratio = pair["ratio_p50"]
    times = f" at {ratio['value']:.1f} times the median time" if ratio else ""
    uncorrected = found.questions - found.corrected
    return (
        f"Correction {word} on this data: against {against} the share of questions handled well changes by "
        f"{signed(gain)}, right answers by {signed(pair['right'])}, wrong ones by {signed(pair['wrong'])}{times}. "
        f"Of {found.corrected} runs with a correction {found.corrected_handled} were handled well, "
        f"of {uncorrected} without {found.uncorrected_handled}."
    )


def signed(change: Mapping[str, float]) -> str:
    """A difference with its interval."""
    return f"{change['difference']:+.3f} [{change['low']:+.3f}, {change['high']:+.3f}]"
