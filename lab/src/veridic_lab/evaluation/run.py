"""A run from its request to its rows: plain RAG's k, then the questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from veridic.context import Context
from veridic.settings import Settings
from veridic_lab.evaluation.connected import connected
from veridic_lab.evaluation.journal import Journal
from veridic_lab.evaluation.lock import alone_in
from veridic_lab.evaluation.measuring import measure
from veridic_lab.evaluation.plan import ROWS, Choice, taken_up, write_plan
from veridic_lab.evaluation.preparing import Bar, Bench, ready
from veridic_lab.evaluation.presets import STANDARD_RAG
from veridic_lab.evaluation.request import Request
from veridic_lab.evaluation.systems import check_systems, open_systems
from veridic_lab.evaluation.tuning import choose_k


def run(
    request: Request,
    settings: Settings,
    context: Context,
    *,
    data: Callable[[], Path],
    say: Callable[[str], None],
    bar: Bar,
) -> None:
    """Make the rows of a run in `request.out`, or go on where it was interrupted.

    Raises `UsageError` when the data fails a check, the folder holds another run or another process writes
    to it, and what a system raises; the same call goes on then.
    """
    check_systems(request.systems, context)
    bench = ready(request, settings, context, data=data, say=say, bar=bar)
    if bench.resources.chat:
        with bar("Preparing the chat model") as told:
            bench.resources.chat.prepare(lambda done, total: told(done, total, ""))
    with connected(bench.resources, bench.suite.outside) as resources, alone_in(request.out):
        _ask(replace(bench, resources=resources), request, say, bar)


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
