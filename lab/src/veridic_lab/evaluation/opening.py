"""How a report begins: what was asked of whom, over what, and what to mind about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veridic.context import RESERVE
from veridic_lab.evaluation.explain import Case
from veridic_lab.evaluation.plan import Plan
from veridic_lab.evaluation.scores import Score


def opening(plan: Plan, numbers: Mapping[str, Any], cases: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    """The title and the lines under it."""
    who = plan.identity
    yield f"# `{who.suite}` with `{who.model}`: {', '.join(who.systems)}"
    yield ""
    scores = [case.score for case in next(iter(cases.values()))]
    asked = f"{len(scores)} questions over {plan.documents} documents"
    yield f"{asked}: {_outside(plan, scores)}." if plan.pages else f"{asked}: {_answerable(scores)}."
    for name, number in numbers["questions"].items():
        if number < numbers["planned"]:
            yield f"**Unfinished**: {name} has {number} of {numbers['planned']} rows."
    late = out_of_time(plan, [case.score for found in cases.values() for case in found])
    if late:
        yield (
            f"**{late} answers were cut by the time budget**: on a faster machine they differ. "
            "Raise `--time-budget` to measure quality, not the machine."
        )
    yield (
        f"Intervals are 95 % bootstrap percentiles over groups of questions that share a passage; seed {who.seed}. "
        f"Questions fit their gold passages with AUC {plan.evidence:.2f} by shared words."
    )
    if plan.choice:
        tried = ", ".join(f"{k}: {share:.2f}" for k, share in plan.choice.handled.items())
        table = f" (handled well by k, {plan.choice.questions} questions: {tried})" if tried else ""
        yield f"`standard_rag` reads k = {plan.choice.k} passages: {plan.choice.reason}{table}."
    yield ""


def _answerable(scores: Sequence[Score]) -> str:
    answerable = sum(score.question.answerable for score in scores)
    removed = sum(score.question.missing == "removed" for score in scores)
    near = sum(score.question.missing == "near miss" for score in scores)
    other = len(scores) - answerable - removed - near
    told = f"{answerable} answerable, {removed} whose passages were taken away, {near} near misses"
    return told + (f", {other} said to have no answer" if other else "")


def _outside(plan: Plan, scores: Sequence[Score]) -> str:
    world = plan.identity.world
    planted = any(score.question.falsehood for score in scores)
    told = "the documents say something false, " if planted else ""
    told += f"the answers stand outside, among {plan.pages} pages of the recorded world"
    if world.get("faults"):
        told += f", {world['faults']:.0%} of them replaced ({', '.join(world['kinds'])}; seed {world['seed']})"
    return told


def out_of_time(plan: Plan, scores: Sequence[Score]) -> int:
    """How many runs used all of their time budget but the reserve, so that the clock had a say in the answer."""
    budget = float(plan.identity.context.get("time_budget", float("inf")))
    return sum(score.seconds >= (1 - RESERVE) * budget for score in scores)
