"""Look one claim up in one place; `Send` runs the places side by side."""

from veridic.protocols import Run
from veridic.state import CORPUS, LookedUp, LookUpTask, Sent, StateUpdate

PASSAGES = 3
"""Passages taken from one place for one claim."""


def look_up(task: LookUpTask, run: Run) -> StateUpdate:
    """Add what the place has on the claim: the knowledge base is asked with the claim, a source with its query."""
    claim, source, deadline = task["claim"], task["source"], task["deadline"]
    if source == CORPUS:
        [held] = run.resources.knowledge.search([claim], limit=PASSAGES, deadline=deadline)
        return {"looked_up": [LookedUp(claim=claim, source=source, passages=held)]}
    found = run.resources.sources[source].search(task["query"], limit=PASSAGES, deadline=deadline)
    return {
        "looked_up": [LookedUp(claim=claim, source=source, passages=found)],
        "sent": [Sent(source=source, query=task["query"])],
    }
