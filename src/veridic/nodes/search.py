"""Ask one outside source; `Send` runs the sources side by side."""

from veridic.ports.shapes import Sent
from veridic.runtime.run import Run
from veridic.state import SourceTask, StateUpdate

FINDINGS = 5
"""Passages taken from one source for one query, if its own terms allow so many."""


def search(task: SourceTask, run: Run) -> StateUpdate:
    """Add what the source finds to the findings, the query to those sent, and the pages that are no evidence."""
    found = run.outside(task["source"], task["query"], limit=FINDINGS, deadline=task["deadline"])
    sent = Sent(source=task["source"], query=task["query"], cached=found.cached)
    return {"findings": found.passages, "discarded": found.discarded, "sent": [sent]}
