"""A run as Markdown: what was measured on what, the tables with intervals, where the errors are, the worst cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridic_lab.evaluation.explain import Case, read_cases, signed, told
from veridic_lab.evaluation.metric import Metric
from veridic_lab.evaluation.metrics import metrics_of
from veridic_lab.evaluation.plan import Plan, read_plan
from veridic_lab.evaluation.scores import Score, handled
from veridic_lab.evaluation.summary import Scores, summarised

WORST = 20
"""Cases shown."""

SHOWN = 300
"""Characters of an answer that are shown."""


def report(out: Path) -> str:
    """The whole report. Raises `UsageError` when the folder holds no run or no rows."""
    plan, numbers = read_plan(out), summarised(out)
    cases = read_cases(out, plan)
    metrics = metrics_of(plan.identity.suite)
    scores = {name: [case.score for case in found] for name, found in cases.items()}
    parts = [
        _opening(plan, numbers),
        _systems(numbers, metrics),
        _pairs(numbers),
        by_set(scores) if plan.identity.suite != "speed" else [],
        ["## Where the errors come from", "", *told(plan, cases), ""],
        _worst(plan, cases),
        _settings(plan),
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def _opening(plan: Plan, numbers: Mapping[str, Any]) -> Iterator[str]:
    """The title, what was asked of whom over what, and what to mind about it."""
    who = plan.identity
    yield f"# `{who.suite}` with `{who.model}`: {', '.join(who.systems)}"
    yield ""
    outside = f", the answers among {plan.pages} pages outside" if plan.pages else ""
    yield f"{numbers['planned']} questions over {plan.documents} documents{outside}."
    for name, number in numbers["questions"].items():
        if number < numbers["planned"]:
            yield f"**Unfinished**: {name} has {number} of {numbers['planned']} rows."
    yield f"Intervals are 95 % bootstrap percentiles over questions that share a passage; seed {who.seed}."
    yield f"`standard_rag` reads {who.k} passages."
    yield ""


def by_set(scores: Scores) -> Iterator[str]:
    """The shares of each set, apart where the corpus lacks the answer."""
    yield "## By set"
    yield ""
    yield "| set | system | questions | handled | right | wrong | abstained |"
    yield "|---" * 7 + "|"
    every = [(_set(score), name, score) for name, found in scores.items() for score in found]
    for part, name in sorted({(part, name) for part, name, _ in every}):
        own = [score for one, system, score in every if (one, system) == (part, name)]
        counted = (
            sum(map(handled, own)),
            sum(score.right for score in own),
            sum(score.answered and not score.right for score in own),
            sum(not score.answered for score in own),
        )
        yield f"| {part} | {name} | {len(own)} | {' | '.join(f'{one / len(own):.2f}' for one in counted)} |"
    yield ""


def _set(score: Score) -> str:
    missing = score.question.missing
    return score.question.set + (f", {missing}" if missing else "")


def _systems(numbers: Mapping[str, Any], metrics: Mapping[str, Metric]) -> Iterator[str]:
    names = list(numbers["systems"])
    yield "## Systems"
    yield ""
    yield "| metric | " + " | ".join(names) + " | what it is | better |"
    yield "|---|" + "---|" * (len(names) + 2)
    for metric, about in metrics.items():
        found = [numbers["systems"][name][metric] for name in names]
        if any(found):
            cells = " | ".join(_value(one) for one in found)
            yield f"| `{metric}` | {cells} | {about.meaning} | {about.better} |"
    yield ""


def _pairs(numbers: Mapping[str, Any]) -> Iterator[str]:
    first = next(iter(numbers["systems"]))
    for name, found in numbers["paired"].items():
        yield f"## {name} against {first}, question by question"
        yield ""
        yield "| metric | difference | |"
        yield "|---|---|---|"
        for metric, one in found.items():
            if metric != "ratio_p50" and one:
                yield f"| `{metric}` | {signed(one)} | {one['verdict']} |"
        if found["ratio_p50"]:
            yield f"| `ratio_p50` of seconds | × {_value(found['ratio_p50'])} | |"
        yield ""


def worst(cases: Sequence[Case]) -> list[Case]:
    """The misses that matter most: false answers given with most confidence, then silences."""
    misses = [case for case in cases if case.stage]
    return sorted(misses, key=lambda case: (not case.score.answered, -(case.score.confidence or 0.0)))[:WORST]


def _worst(plan: Plan, cases: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    name = plan.identity.systems[-1]
    yield f"## The {WORST} worst cases of {name}"
    yield ""
    for number, case in enumerate(worst(cases[name]), start=1):
        score = case.score
        sure = "" if score.confidence is None else f", confidence {score.confidence:.2f}"
        yield f"{number}. **{_short(score.question.text)}** ({score.question.set}, {score.question.id})"
        yield f"   - {case.fault} by {case.stage}; {score.outcome}{sure}: {_short(case.reason)}"
        accepted = "; ".join(score.question.answers) if score.question.answerable else "no answer"
        yield f"   - expected: {_short(accepted)}"
        yield f"   - given: {_short(score.answer)}"
        yield f"   - path: {' → '.join(case.path)}"
    yield ""


def _settings(plan: Plan) -> Iterator[str]:
    yield "## Settings"
    yield ""
    rows = {
        **{f"choice `{name}`": value for name, value in plan.identity.context.items()},
        **{f"threshold `{name}`": value for name, value in plan.thresholds.items()},
        **{f"fingerprint of the {name}": value for name, value in plan.identity.judges.items()},
        "documents' digest": plan.identity.corpus,
        "pages' digest": plan.identity.world,
        "version": plan.version,
    }
    yield "| what | value |"
    yield "|---|---|"
    for name, value in rows.items():
        yield f"| {name} | {'' if value is None else value} |"
    yield ""
    if plan.left:
        yield "Only questions that neither trained nor calibrated the shipped judges are asked. Passages of some sets"
        yield "were shown to the critic, with sentences changed by rules, without any question."
        yield ""
        yield "| set | questions | unseen by the judges | usable |"
        yield "|---|---|---|---|"
        for name, left in plan.left.items():
            yield f"| {name} | {left.all} | {left.unseen} | {left.usable} |"
        yield ""


def _value(one: Mapping[str, float] | None) -> str:
    if one is None:
        return ""
    number = f" n={one['n']}" if "n" in one else ""
    return f"{_plain(one['value'])} [{_plain(one['low'])}, {_plain(one['high'])}]{number}"


def _plain(number: float) -> str:
    return f"{number:.3f}" if abs(number) < 10 else f"{number:,.1f}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
