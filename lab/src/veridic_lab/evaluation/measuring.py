"""One question asked of one system, and everything that is to be known of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, TypedDict, cast

from veridic.ports.shapes import Result
from veridic_lab.evaluation.journal import Journal, Row
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.systems import System

SCHEMA_VERSION = 1

Told = Callable[[int, int, str], None]
"""How much is done, of how much, and what is being done."""


class Measured(TypedDict):
    """What was seen from outside while a question was answered; seconds from its beginning."""

    seconds: float
    first_token: float | None
    """The first provisional token; None when nothing was written."""
    verified_answer: float | None
    """The checked answer, before write-back and log."""
    steps: list[str]
    retrieved: list[list[str]]
    """Addresses of the documents after each retrieval, the first one in the order they were found."""
    findings: list[list[str]]
    """Addresses of what each search outside gave."""


def asked(system: System, question: GoldQuestion) -> tuple[Result, Measured]:
    """Ask, and take the times."""
    began = perf_counter()
    measured = Measured(seconds=0.0, first_token=None, verified_answer=None, steps=[], retrieved=[], findings=[])
    result: Result | None = None
    stream = system.graph.stream({"question": question.text}, context=system.context, stream_mode=["custom", "updates"])
    for mode, item in stream:
        since = round(perf_counter() - began, 4)
        if mode == "custom":
            _hear(cast("dict[str, Any]", item), since, measured)
            continue
        for node, update in cast("dict[str, dict[str, Any] | None]", item).items():
            result = (update or {}).get("result", result)
            if node == "retrieve" and update:
                measured["retrieved"].append([document["url"] for document in update["documents"]])
            if node == "search" and update:
                measured["findings"].append([finding["url"] for finding in update["findings"]])
    measured["seconds"] = round(perf_counter() - began, 4)
    if result is None:
        raise RuntimeError("the graph ended without a result")
    return result, measured


def _hear(event: dict[str, Any], since: float, measured: Measured) -> None:
    if event["event"] == "step":
        measured["steps"].append(event["node"])
    elif event["event"] == "token" and measured["first_token"] is None:
        measured["first_token"] = since
    elif event["event"] == "outcome":
        measured["verified_answer"] = since


def row_of(system: System, question: GoldQuestion) -> Row:
    """The row of one question and system."""
    result, measured = asked(system, question)
    return {
        "schema_version": SCHEMA_VERSION,
        "system": system.name,
        "question": question.row(),
        "measured": measured,
        "result": result,
    }


def measure(
    systems: Sequence[System],
    questions: Sequence[GoldQuestion],
    journal: Journal,
    told: Told = lambda *_: None,
) -> None:
    """Ask every question of every system that has no row yet.

    The systems take turns in going first, so that none always finds the caches warm. Raises
    what a system raises: nothing is lost, the same call goes on where this one ended.
    """
    number = len(systems) * len(questions)
    for place, question in enumerate(questions):
        for turn, system in enumerate(systems if place % 2 == 0 else reversed(systems)):
            if (question.id, system.name) not in journal:
                journal.append(row_of(system, question))
            told(place * len(systems) + turn + 1, number, system.name)
