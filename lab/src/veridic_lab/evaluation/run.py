"""A run from its request to its rows: cost, plain RAG's k, then the questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from veridic.context import Context
from veridic.settings import Settings
from veridic_lab.evaluation.connected import connected
from veridic_lab.evaluation.cost import costs, told_costs
from veridic_lab.evaluation.journal import Journal, done_in
from veridic_lab.evaluation.lock import alone_in
from veridic_lab.evaluation.measuring import measure
from veridic_lab.evaluation.plan import DEVELOPMENT, ROWS, Choice, taken_up, write_plan
from veridic_lab.evaluation.preparing import Bar, Bench, ready
from veridic_lab.evaluation.presets import STANDARD_RAG
from veridic_lab.evaluation.request import Request
from veridic_lab.evaluation.systems import check_systems, open_systems
from veridic_lab.evaluation.tuning import KS, USUAL, choose_k


def run(
    request: Request,
    settings: Settings,
    context: Context,
    *,
    data: Callable[[], Path],
    say: Callable[[str], None],
    bar: Bar,
) -> bool:
    """Make the rows of a run in `request.out`, or go on where it was interrupted; False after a dry one.

    Raises `UsageError` when the data fails a check, the folder holds another run or another process writes
    to it, and what a system raises; the same call goes on then.
    """
    check_systems(request.systems, context)
    bench = ready(request, settings, context, data=data, say=say, bar=bar)
    with connected(bench.resources, bench.suite.outside, request.faults) as resources:
        return _made(replace(bench, resources=resources), request, say, bar)


def _made(bench: Bench, request: Request, say: Callable[[str], None], bar: Bar) -> bool:
    asks = _asks(bench, request)
    if any(asks.values()):
        _tell_costs(bench, asks, say, bar)
    if not request.dry:
        with alone_in(request.out):
            _ask(bench, request, say, bar)
    return not request.dry


def _ask(bench: Bench, request: Request, say: Callable[[str], None], bar: Bar) -> None:
    choice = _chosen(bench, request, bar)
    if STANDARD_RAG in request.systems:
        say(f"{STANDARD_RAG} reads k = {choice.k} passages: {choice.reason}")
    systems = open_systems(request.systems, bench.resources, bench.context, k=choice.k)
    with bar("Asking") as told:
        measure(systems, bench.asked, Journal(request.out / ROWS), bench.resources.chat, told)


def _chosen(bench: Bench, request: Request, bar: Bar) -> Choice:
    """Plain RAG's k: the plan's, else chosen now and written into the plan."""
    plan = taken_up(request.out, bench.plan)
    if plan.choice:
        return plan.choice
    with bar("Choosing k") as told:
        choice = choose_k(bench.resources, bench.development, bench.context, request.out, told)
    write_plan(request.out, plan.model_copy(update={"choice": choice}))
    return choice


def _tell_costs(bench: Bench, asks: Mapping[str, int], say: Callable[[str], None], bar: Bar) -> None:
    """Make the chat model ready, and say what is to be asked and what it takes, from a few questions asked now."""
    if bench.resources.chat:
        with bar("Preparing the chat model") as told:
            bench.resources.chat.prepare(lambda done, total: told(done, total, ""))
    k = bench.plan.choice.k if bench.plan.choice else USUAL
    systems = open_systems(list(asks), bench.resources, bench.context, k=k)
    measured = costs(systems, bench.development or bench.asked, bench.resources.chat)
    for line in told_costs(measured, asks):
        say(line)


def _asks(bench: Bench, request: Request) -> Mapping[str, int]:
    """How many questions each system still gets, the development ones for each k included."""
    done = done_in(request.out / ROWS)
    asks = {name: sum((one.id, name) not in done for one in bench.asked) for name in request.systems}
    if bench.plan.choice is None:
        tried = done_in(request.out / DEVELOPMENT)
        pairs = [(one.id, f"{STANDARD_RAG} k={k}") for one in bench.development for k in KS]
        asks[STANDARD_RAG] += sum(pair not in tried for pair in pairs)
    return asks
