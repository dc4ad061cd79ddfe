"""The tools that look at what is held, without a graph: passages for a query, and the documents."""

from __future__ import annotations

from dataclasses import replace
from time import time

from anyio import to_thread

from veridic.api.documents import DocumentSummary, list_documents
from veridic.context import Context
from veridic.errors import JudgeFailed
from veridic.evidence.relevance import Told, probabilities, relevance
from veridic.evidence.turns import checked
from veridic.ports.shapes import Failure, Passage
from veridic.runtime.run import Run
from veridic.server.mcp.desk import Desk
from veridic.server.mcp.running import Tell
from veridic.server.mcp.shapes import ListArguments, Listed, SearchArguments, Searched
from veridic.server.mcp.telling import told_list, told_search

SECONDS = 60.0
"""For one call."""


async def search(asked: SearchArguments, desk: Desk, _tell: Tell) -> tuple[Searched, str]:
    """Passages for a query, without what gives orders. Raises `VeridicError`."""
    found = await to_thread.run_sync(_found, asked, desk, abandon_on_cancel=True)
    return found, told_search(found)


async def list_held(asked: ListArguments, desk: Desk, _tell: Tell) -> tuple[Listed, str]:
    """The documents that may be asked. Raises `VeridicError`."""
    held = await to_thread.run_sync(_held, asked, desk, abandon_on_cancel=True)
    return held, told_list(held)


def _found(asked: SearchArguments, desk: Desk) -> Searched:
    query, deadline = checked(asked.query), time() + SECONDS
    run = _run(desk, Context(scope=asked.scope, time_budget=SECONDS))
    [passages] = run.knowledge.search([query], limit=asked.limit, deadline=deadline)
    failures = list(run.screen.failures)
    try:
        passages = _graded(query, passages, run, deadline)
    except JudgeFailed as error:
        failures.append(Failure(node="evaluate", problem=error.problem, mend=error.mend))
    return Searched(query=query, passages=passages, withheld=len(run.screen.flagged), failures=failures)


def _graded(query: str, passages: list[Passage], run: Run, deadline: float) -> list[Passage]:
    """The passages with the evaluator's scores, best first."""
    told = [Told(query, one, one["text"]) for one in passages]
    scores, _ = relevance(told, probabilities(run.evaluator, deadline), least=run.thresholds().strip)
    graded = [Passage(**{**one, "score": score}) for one, score in zip(passages, scores, strict=True)]
    return sorted(graded, key=lambda one: -(one["score"] or 0.0))


def _held(asked: ListArguments, desk: Desk) -> Listed:
    resources = desk.resources()
    every = list_documents(settings=resources.settings, under=resources.settings.docs or None)
    shown = every[: asked.limit]
    documents = _without_orders(shown, _run(desk, Context(time_budget=SECONDS)))
    withheld = sum(one.title != other.title for one, other in zip(shown, documents, strict=True))
    return Listed(total=len(every), documents=documents, withheld=withheld)


def _without_orders(documents: list[DocumentSummary], run: Run) -> list[DocumentSummary]:
    """The documents; of one whose title gives orders the title is left out."""
    titles = list({one.title: None for one in documents if one.title.strip()})
    odds = dict(zip(titles, run.detector.orders(titles, deadline=time() + SECONDS), strict=True))
    flagged = {title for title, sure in odds.items() if sure >= run.detector.threshold}
    return [replace(one, title="") if one.title in flagged else one for one in documents]


def _run(desk: Desk, context: Context) -> Run:
    """The world as a step of a run sees it: within the scope, and screened."""
    return Run(context, desk.resources(), emit=lambda _event: None)
