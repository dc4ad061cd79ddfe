"""Look one claim up in one place; `Send` runs the places side by side."""

from veridic.ports.shapes import CORPUS, OUTSIDE, LookedUp, Sent
from veridic.runtime.run import Run
from veridic.state import LookUpTask, StateUpdate

PASSAGES = 3
"""Passages taken from one place for one claim."""


def look_up(task: LookUpTask, run: Run) -> StateUpdate:
    """Add what the place has on the claim: the knowledge base is asked with the claim, a source with its query."""
    claim, source, deadline = task["claim"], task["source"], task["deadline"]
    if source == CORPUS:
        return {"looked_up": _held(claim, run, deadline)}
    found = run.outside(source, task["query"], limit=PASSAGES, deadline=deadline)
    return {
        "looked_up": [LookedUp(claim=claim, source=source, passages=found.passages)],
        "discarded": found.discarded,
        "sent": [Sent(source=source, query=task["query"], cached=found.cached)],
    }


def _held(claim: str, run: Run, deadline: float) -> list[LookedUp]:
    """What the documents have on the claim, and what was kept from outside if anything was."""
    [own] = run.knowledge.search([claim], limit=PASSAGES, deadline=deadline)
    found = [LookedUp(claim=claim, source=CORPUS, passages=own)]
    since = run.kept_since()
    if since is None:
        return found
    [kept] = run.knowledge.search_outside([claim], limit=PASSAGES, since=since, deadline=deadline)
    return [*found, LookedUp(claim=claim, source=OUTSIDE, passages=kept)] if kept else found
