"""Look one claim up in one place; `Send` runs the places side by side."""

from veridic.ports.shapes import CORPUS, LookedUp, Sent
from veridic.runtime.run import Run
from veridic.state import LookUpTask, StateUpdate

PASSAGES = 3
"""Passages taken from one place for one claim."""


def look_up(task: LookUpTask, run: Run) -> StateUpdate:
    """Add what the place has on the claim: the knowledge base is asked with the claim, a source with its query.

    What was kept from outside is told of if it has anything.
    """
    claim, source, deadline = task["claim"], task["source"], task["deadline"]
    if source == CORPUS:
        held = run.known([claim], limit=PASSAGES, deadline=deadline)
        told = [LookedUp(claim=claim, source=place, passages=found) for place, [found] in held.items()]
        return {"looked_up": [one for one in told if one["passages"] or one["source"] == CORPUS]}
    found = run.outside(source, task["query"], limit=PASSAGES, deadline=deadline)
    return {
        "looked_up": [LookedUp(claim=claim, source=source, passages=found.passages)],
        "discarded": found.discarded,
        "sent": [Sent(source=source, query=task["query"], cached=found.cached)],
    }
